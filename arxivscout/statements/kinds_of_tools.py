"""What kind of tool a name is of, where one asks by the kind: "Which editor do I use?"."""

from __future__ import annotations

from collections.abc import Sequence

from arxivscout.statements.likewords import Words, alike

_KINDS = {
    "editor editors ide": "vim neovim vi emacs vscode code nano sublime pycharm spyder helix kate "
    "jupyter texstudio texshop overleaf notepad atom zed kakoune",
    "language languages linguaggio linguaggi": "python julia rust r c c++ c# fortran java kotlin "
    "go scala haskell ocaml lisp perl ruby swift javascript typescript matlab mathematica octave "
    "lua stan lean coq agda prolog bash",
    "framework frameworks": "pytorch tensorflow jax keras flax lightning mxnet caffe theano haiku "
    "equinox pennylane qiskit cirq django flask",
    "system os distribution distro sistema": "linux ubuntu debian fedora arch nixos windows macos "
    "mac freebsd centos mint",
    "manager bibliography": "zotero mendeley jabref bibtex endnote papers paperpile citavi",
    "database databases": "postgresql postgres mysql sqlite mongodb duckdb redis oracle mariadb",
    "browser": "firefox chrome chromium safari edge brave opera vivaldi",
    "shell terminal": "bash zsh fish tmux powershell",
}


def names_of(kind: Sequence[str]) -> frozenset[str] | None:
    """The names of a kind of tool, in small letters; None of a kind that is not listed."""
    for words, names in _KINDS.items():
        if any(alike(asked, word) for asked in kind for word in words.split()):
            return frozenset(names.split())
    return None


def named_among(text: str, names: frozenset[str]) -> bool:
    """Whether one of these names stands in a text as it is."""
    return Words(text).any_of(names)
