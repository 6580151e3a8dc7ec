"""Where a statement of the person is filed, told by what it says; else its words and likeness say.

The names are those of the categories that everybody begins with (`memory.categories`).
"""

from __future__ import annotations

import re

from arxivscout.statements.roles import roles
from arxivscout.statements.roles.dates import EVENT
from arxivscout.statements.stating import told

ACTIVE, ARCHIVED, READING, FINDINGS, PREFERENCES, METHODS, SMALL_TALK = (
    "active projects", "archived projects", "reading notes", "findings", "preferences", "methods",
    "small talk",
)  # fmt: skip
_BY_PREDICATE = {
    "uses": METHODS,
    "used_before": METHODS,
    "moved": METHODS,
    "works_on": ACTIVE,
    "works_at": ACTIVE,
    "works_with": ACTIVE,
    "interested_in": ACTIVE,
    "worked_on": ARCHIVED,
    "worked_at": ARCHIVED,
    "worked_with": ARCHIVED,
    "was_interested_in": ARCHIVED,
}
_WORK_ROLES = re.compile(
    rf"(?:employer|position|(?:co )?supervisor|manager|co author|collaborator|baseline|{EVENT})"
    r"(?: at)?$"
)
# The first that fits.
_BY_WORDS = tuple(
    (re.compile(words, re.I), category)
    for words, category in (
        (r"\b(?:used to|formerly|previously|until (?:19|20)\d\d|no longer (?:an?|the)\b)|^(?:i|we)"
         r"(?:'ve| have)?(?: \w+ly| just)* (?:(?:was|were) (?!born|hired|promoted|appointed|made"
         r"|accepted|awarded|granted|given|told|asked|recruited|offered|admitted|invited)|worked"
         r"|studied|graduated"
         r"|finished"
         r" (?:my|our|the)|completed (?:my|our|the)|defended|retired|quit|resigned)\b|^(?:ho finito"
         r"|mi sono laureat\w)", ARCHIVED),
        (r"^(?:i|we)(?:'ve| have|'m| am)?(?: \w+ly| just| already)* (?:read(?!y)|reading|skimmed"
         r"|re-read"
         r"|reviewed|refereed)\b|\breading list\b|^(?:ho letto|sto leggendo)\b", READING),
        (r"^(?:i|we)(?:'ve| have)?(?: \w+ly| just)* (?:measured|found that|observed|detected|showed"
         r"|achieved|reached|obtained|excluded|confirmed|reproduced)\b|\b(?:accuracy|significance"
         r"|residuals|sigma)\b.*\d|^abbiamo (?:misurato|trovato|osservato)", FINDINGS),
        (r"^(?:i|we)(?: \w+ly| do| don't| do not| never| always| also| still| can't| cannot)*"
         r" (?:love"
         r"|like|hate|dislike|enjoy|adore|prefer|avoid|detest|loathe|admire|fear|trust|distrust"
         r"|miss"
         r"|stand)\b|\bfavou?rite\b|\b(?:allergic to|fond of|keen on|fan of|tired of|sick of|fed"
         r" up)\b"
         r"|^(?:amo|adoro|odio|detesto|mi piac\w+|non mi piac\w+|ich (?:liebe|hasse|mag)"
         r"|j'(?:aime|adore)"
         r"|je déteste|me (?:gusta|encanta)\w*)\b|\bcolou?r-?blind\b", PREFERENCES),
        (r"\b(?:wife|husband|partner|girlfriend|boyfriend|son|daughter|kids?|children|child|baby"
         r"|mother"
         r"|father|parents?|brothers?|sisters?|siblings?|family|cats?|dogs?|pets?|hamster|parrot"
         r"|birthday"
         r"|wedding|married|divorced|pregnant|born in|holidays?|vacation|weekend|hiking|climbing"
         r""
         r"|marathon|football|soccer|tennis|chess|guitar|piano|violin|choir|garden|cook\w*"
         r"|coffee"
         r"|tea|lunch|dinner|vegetarian|vegan|pizza|wine|beer|weather|rain\w*|snow\w*|sunny|sick"
         r""
         r"|flu|flat|apartment|house|live in|tired|years old"
         r"|left-handed"
         r"|name is|call me|gatt[oi]|cane|figli[oae]|moglie|marito|famiglia|compleanno"
         r"|vacanz[ae]|mi"
         r" chiamo|vivo|abito)\b", SMALL_TALK),
        (r"\b(?:use|uses|using|uso|benutze|verwende|utilise|utilizo|gpus?|tpus?|cpus?|ram"
         r"|cluster|laptop|computer|server|nodes?|desktop|workstation"
         r"|storage"
         r"|disk|software|librar(?:y|ies)|packages?|code|script|pipeline|framework|editor|language"
         r"|data ?sets?|benchmarks?|corpus|algorithms?|methods?|models?|optimi[sz]ers?|learning"
         r" rate"
         r"|batch size|telescope|detector|microscope|instrument|survey data|python|programming)\b",
         METHODS),
        (r"\b(?:deadline|due|thesis|phd|dissertation|project|grant|proposal|paper|manuscript|draft"
         r"|submi\w+|referees?|reviewers?|conference|workshop|talk|poster|meeting|defen[cs]e"
         r"|viva|exam"
         r"|students?|supervis\w+|teach\w*|lectur\w*|course|advis\w+|postdoc|professor|position|job"
         r"|contract|group|lab|team|collaborat\w+|co-?authors?|budget|plan to|need to|have to"
         r"|milestone"
         r"|experiment|run|proposal|tesi|progetto|scadenza|riunione|esame|frist|termin|projet"
         r"|proyecto"
         r")\b", ACTIVE),
    )
)  # fmt: skip


def filed(statement: str) -> str | None:
    """The category of a statement; None where it says nothing that tells."""
    names = {role.name for role in roles(statement)}
    if "home" in names and "employer" not in names:
        return SMALL_TALK
    if any(_WORK_ROLES.match(name) for name in names):
        ended = all(role.value.startswith("not ") for role in roles(statement))
        return ARCHIVED if ended else ACTIVE
    for each in told(statement):
        if each.predicate in _BY_PREDICATE:
            return _BY_PREDICATE[each.predicate]
    return next((category for words, category in _BY_WORDS if words.search(statement)), None)
