"""What a name stands for, where the name itself tells: software, or a place of work."""

from __future__ import annotations

import re

TOOLS = frozenset(
    "pytorch tensorflow jax keras flax numpy scipy pandas polars sklearn scikit-learn matplotlib "
    "julia python rust matlab mathematica fortran c++ cuda triton latex overleaf zotero mendeley "
    "jabref bibtex vim neovim emacs vscode jupyter git github gitlab docker slurm kubernetes ray "
    "dask spark root geant4 pythia madgraph delphes gromacs lammps vasp quantum-espresso qiskit "
    "cirq pennylane stan pymc pyro r excel linux ubuntu wandb tensorboard mlflow hydra lightning "
    "deepspeed vllm ollama langchain langgraph huggingface spacy nltk gensim opencv astropy healpy "
    "camb class cobaya sage sagemath coq lean isabelle obsidian notion slack markdown typst "
    "postgresql postgres sqlite haskell scala java kotlin go swift perl ruby octave maple stata "
    "spss sas tableau grafana airflow snakemake nextflow conda mamba poetry zulip mattermost teams "
    "zoom trello jira asana word powerpoint libreoffice pycharm spyder windows macos debian fedora "
    "numpyro openmm namd amber cp2k abinit psi4 gaussian comsol ansys openfoam paraview mongodb "
    "mysql duckdb redis kafka hadoop bash zsh tmux sherpa herwig".split()
)
# Where people work, that no other sign tells of: laboratories, universities and firms.
_ORGANISATIONS = frozenset(
    "cern desy slac kek mit epfl eth ethz cnrs infn esa nasa eso jpl csic tifr ihep triumf gsi bnl "
    "anl lbnl llnl lanl ornl nikhef ral stfc cea ucl ucla ucsb ucsd usc nyu cmu tum lmu kit rwth "
    "kaist nus ntu ustc ias ibm lhc ligo stsci noirlab kipac ipmu sissa ictp inaf iit iisc"
    " tsinghua "
    "fermilab google deepmind openai anthropic microsoft meta facebook nvidia apple amazon intel "
    "riken caltech stanford harvard princeton yale cornell columbia brown dartmouth rutgers purdue "
    "brookhaven argonne jülich juelich microsoft sony samsung huawei baidu tencent alibaba siemens "
    "bosch airbus spacex mistral cohere inria sorbonne polytechnique charité mckinsey roche"
    " novartis"
    .split()
)  # fmt: skip
_A_PLACE_OF_WORK = re.compile(
    r"\b(?:universit\w*|institut\w*|istituto|college|school|hochschule|école|ecole|academy|akademie"
    r"|observatory|laborator\w+|lab|labs|group|team|department|dept|center|centre|zentrum|hospital"
    r"|klinikum|company|startup|start-up|bank|ministry|agency|foundation|society|collaboration|inc"
    r"|ltd|gmbh|corp|research|max planck|fraunhofer|helmholtz|cambridge|oxford|uc|eth|tu|imperial"
    r"|king's|los alamos|oak ridge|jet propulsion|politecnico|scuola|centro)\b",
    re.I,
)
# What somebody may be called who says "I'm Anna"; "I'm Italian" tells no name.
GIVEN_NAME = (
    r"(?-i:(?!(?!(?:Br|Adr|Jul|Viv|Dam|Chr?ist|Sebast|Maximil|Fab|Luc|Flor|Kil|Gill|Lill|Mar)ian\b)"
    r"[A-Z]\w+(?:ian|ish|ese|ean)\b|(?:German|French|Dutch|Swiss|Greek|Czech|Thai|Welsh|American"
    r"|Mexican|African|Catholic|Muslim|Jewish|Back|Done|Ready|Sorry|Sure|Not|Ph)\b)"
    r"(?:(?:Dr|Prof)\.? )?[A-ZÀ-Þ][a-zà-ÿ][\w'’-]*"
    r"(?: (?:(?:van|von|de|di|del|der|la|da) )*[A-ZÀ-Þ][\w.'’-]*){0,3})"
)
_LED = re.compile(r"(?:the|an?|il|la|l'|lo|das|der|die|le|el)\s+", re.I)
_INNER_CAPITALS = re.compile(r"[a-z][A-Z]|[A-Za-z]\d")


def is_tool(name: str) -> bool:
    """Whether a name is software's."""
    words = name.casefold().split()
    return bool(words) and (name.casefold() in TOOLS or words[0] in TOOLS)


def is_organisation(name: str) -> bool:
    """Whether people work at what is called so: a laboratory, a university, a firm."""
    bare = _LED.sub("", name, count=1).strip(" .,!")
    words = bare.split()
    if not words or is_tool(bare):
        return False
    if words[0].casefold() in _ORGANISATIONS or _A_PLACE_OF_WORK.search(bare):
        return True
    return len(words[0]) > 2 and words[0].isalpha() and words[0].isupper()


def is_workplace(name: str) -> bool:
    """Whether people surely work at what is called so, and it is no experiment or collaboration."""
    bare = _LED.sub("", name, count=1).strip(" .,!")
    first = bare.split()[:1]
    return bool(first) and (
        first[0].casefold() in _ORGANISATIONS - {"lhc", "ligo"}
        or bool(_A_PLACE_OF_WORK.search(bare))
    )


def is_coined(name: str) -> bool:
    """Whether a name is written as software is, and places are not: PyMC, Geant4."""
    return is_tool(name) or bool(_INNER_CAPITALS.search(name))
