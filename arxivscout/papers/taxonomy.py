"""The categories that arXiv has. Source: https://arxiv.org/category_taxonomy, as of 2026."""

from __future__ import annotations

_CLASSES = {
    "astro-ph": "CO EP GA HE IM SR",
    "cond-mat": "dis-nn mes-hall mtrl-sci other quant-gas soft stat-mech str-el supr-con",
    "cs": "AI AR CC CE CG CL CR CV CY DB DC DL DM DS ET FL GL GR GT HC IR IT LG LO MA MM MS NA NE "
    "NI OH OS PF PL RO SC SD SE SI SY",
    "econ": "EM GN TH",
    "eess": "AS IV SP SY",
    "math": "AC AG AP AT CA CO CT CV DG DS FA GM GN GR GT HO IT KT LO MG MP NA NT OA OC PR QA RA "
    "RT SG SP ST",
    "nlin": "AO CD CG PS SI",
    "physics": "acc-ph ao-ph app-ph atm-clus atom-ph bio-ph chem-ph class-ph comp-ph data-an ed-ph "
    "flu-dyn gen-ph geo-ph hist-ph ins-det med-ph optics plasm-ph pop-ph soc-ph space-ph",
    "q-bio": "BM CB GN MN NC OT PE QM SC TO",
    "q-fin": "CP EC GN MF PM PR RM ST TR",
    "stat": "AP CO ME ML OT TH",
}
_WHOLE = "gr-qc hep-ex hep-lat hep-ph hep-th math-ph nucl-ex nucl-th quant-ph"

_KNOWN = {
    name.casefold(): name
    for name in (
        *_WHOLE.split(),
        *_CLASSES,
        *(f"{archive}.{each}" for archive, classes in _CLASSES.items() for each in classes.split()),
    )
}


def known_category(text: str) -> str | None:
    """A category or archive as arXiv writes it, from any case; None if arXiv has none such."""
    return _KNOWN.get(text.strip().casefold())
