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
         r"(?:'ve| have)?(?: \w+ly| just)* (?:(?:was|were) (?:an?|the) [\w -]+(?:student|postdoc"
         r"|professor|researcher|engineer|intern|fellow|member)|worked|studied|graduated|finished"
         r" (?:my|our|the)|completed (?:my|our|the)|defended|retired|quit|resigned)\b|^(?:ho finito"
         r"|mi sono laureat\w)", ARCHIVED),
        (r"^(?:i|we)(?:'ve| have|'m| am)?(?: \w+ly| just| already)* (?:read(?!y)|reading|skimmed"
         r"|re-read|reviewed|refereed)\b|\breading list\b|^(?:ho letto|sto leggendo)\b", READING),
        (r"^(?:i|we)(?:'ve| have)?(?: \w+ly| just)* (?:measured|(?:found|discovered|noticed"
        r"|established)"
         r" that|ruled out|observed|detected|showed|achieved|reached|obtained|excluded|confirmed"
         r"|reproduced)\b|\b(?:accuracy|significance|residuals|sigma)\b.*\d|^abbiamo (?:misurato"
         r"|trovato|osservato)", FINDINGS),
        (r"^(?:i|we)(?: \w+ly| do| don't| do not| never| always| also| still| can't| cannot)*"
        r" (?:love"
         r"|like|hate|dislike|enjoy|adore|prefer|avoid|detest|loathe|admire|fear|trust|distrust"
         r"|miss|stand)\b|\bfavou?rite\b|\b(?:allergic to|fond of|keen on|fan of|tired of|sick of"
         r"|fed up)\b|^(?:amo|adoro|odio|detesto|mi piac\w+|non mi piac\w+|ich (?:liebe|hasse|mag)"
         r"|j'(?:aime|adore)|je déteste|me (?:gusta|encanta)\w*)\b|\bcolou?r-?blind\b",
         PREFERENCES),
        (r"\b(?:(?:wife|husband|partner|girlfriend|boyfriend|son|daughter|kid|child|baby|mother"
         r"|father|parent|brother|sister|sibling|cat|dog|pet|hamster|parrot|birthday|wedding"
         r"|holiday|vacation|weekend|marathon|guitar|piano|violin|choir|garden|pizza|flat"
         r"|apartment|house)s?|children|family|married|divorced|pregnant|born in|grew up|hiking"
         r"|climbing|football|soccer|tennis|chess|cook\w*|coffee|tea|lunch|dinner|vegetarian|vegan"
         r"|wine|beer|weather|rain\w*|snow\w*|sunny|sick|flu|live in|tired|years old|left-handed"
         r"|name is|call me|gatt[oi]|cane|figli[oae]|moglie|marito|famiglia|compleanno|vacanz[ae]"
         r"|mi chiamo|vivo|abito)\b", SMALL_TALK),
        (r"\b(?:use|uses|using|used|uso|benutze|verwende|utilise|utilizo|[gtc]pus?|ram|cluster"
        r"|laptop"
         r"|computer|server|nodes?|desktop|workstation|storage|disk|software|librar(?:y|ies)"
         r"|packages?|code|script|pipeline|framework|editor|language|data ?sets?|benchmarks?|corpus"
         r"|algorithms?|methods?|models?|optimi[sz]ers?|learning rate|batch size|telescope|detector"
         r"|microscope|instrument|survey data|python|programming)\b", METHODS),
        (r"\b(?:deadline|due|thesis|phd|dissertation|project|grant|proposal|paper|manuscript|draft"
         r"|submi\w+|referees?|reviewers?|conference|workshop|talk|poster|meet|meeting|defen[cs]e"
         r"|viva|exam|students?|supervis\w+|teach\w*|lectur\w*|course|advis\w+|postdoc|professor"
         r"|position|job|tenure|contract|group|lab|team|collaborat\w+|co-?authors?|budget|plan to"
         r"|need to|have to|milestone|experiments?|work(?:ing|s)? (?:on|at|in|for|with)|will be at"
         r"|moving to|progetto|tesi|scadenza|riunione|esame|frist|termin|projet|proyecto)\b",
         ACTIVE),
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
