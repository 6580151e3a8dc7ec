"""Positions: one is a student, a postdoc, a professor, and one at a time."""

from __future__ import annotations

import re

from arxivscout.statements.roles.role import NOT, Role

_POSITIONS = (
    ("undergraduate", r"undergrad(?:uate)?(?: student)?|bachelor'?s?(?: student)?"),
    ("master", r"master'?s?(?: student)?|msc(?: student)?|studente magistrale"),
    ("phd", r"ph\.?d\.?(?: student| candidate)?|doctoral (?:student|candidate|researcher)"
     r"|graduate student|grad student|dottorand[oae]|doktorand(?:in)?|doctorante?|doctorand[oa]"),
    ("postdoc", r"post-?doc(?:toral (?:researcher|fellow|scholar|associate))?|assegnista"),
    ("fellow", r"(?:research|junior|senior|marie curie|humboldt) fellow"),
    ("lecturer", r"(?:senior )?lecturer|ricercat(?:ore|rice)"),
    ("assistant professor", r"assistant prof(?:essor)?"),
    ("associate professor", r"associate prof(?:essor)?|professor[ea] associat[oa]"),
    ("professor", r"(?:full )?professor(?:e|a|essa|in)?|professeure?"),
    ("staff", r"staff (?:scientist|member|physicist)|senior scientist|research scientist"
     r"|group leader|team lead(?:er)?|principal investigator|head of [\w -]+|director"),
    ("engineer", r"(?:software|research|data|ml|machine learning) engineer|data scientist"
     r"|(?:software )?developer|consultant|analyst|freelancer?|self-employed"),
    ("intern", r"intern|trainee|working student"),
    ("retired", r"retired|emeritus(?: professor)?|unemployed|between jobs|in pensione|im"
     " ruhestand"),
)  # fmt: skip
_BE = (
    r"(?:i|we)(?:'m| am|'re| are| became| become|'ve become| have become|'ve been (?:promoted to"
    r"|made|appointed"
    r"(?: as)?)| have been (?:promoted to|made|appointed(?: as)?)| was promoted to| got promoted to"
    r"| was appointed(?: as)?| just became| work as| started as|'ll be| was made|'m working as)"
    r"|sono(?: diventat[oa])?|ich bin|je suis(?: devenue?)?|soy|my (?:new )?(?:position|job|role"
    r"|title) is(?: now)?(?: that of)?"
)
_OFTEN = (
    r"(?: (?:now|currently|just|finally|officially|still|already|recently|ora|jetzt|ahora"
    r"|maintenant))*"
)
_IS = tuple(
    (name, re.compile(
        rf"(?:{_BE}){_OFTEN}(?: (?:an?|the|un[ao]?|ein(?:e)?|une?))?(?: (?!no |not"
        rf" )[\w'-]+){{0,2}}? "
        rf"(?:{words})(?![\w-])(?! (?:of|supervisor|advisor|committee|program|school)\b)", re.I))
    for name, words in _POSITIONS
)  # fmt: skip
_BEGAN = tuple(
    (name, re.compile(
        rf"i(?:'ve| have)?{_OFTEN} (?:started|begun|began|accepted|got|took up|landed|am starting)"
        rf"(?: (?:an?|my|the))?(?: [\w'-]+){{0,1}}? (?:{words})(?: (?:position|job|post"
        r"|programme|program))?(?![\w-])", re.I))
    for name, words in _POSITIONS
)  # fmt: skip
_FINISHED = re.compile(
    r"i(?:'ve| have)?(?: just| finally| now| already| recently)* (?:finished|completed|defended|got"
    r"|received|obtained|earned|done with|passed|handed in) (?:my |the |a )?(?P<what>ph\.?d\.?"
    r"|doctorate|thesis|dissertation|viva|master'?s?|msc|bachelor'?s?)\b|i(?:'ve| have)?(?: just"
    r"| finally| recently)* graduated\b|i(?:'m| am) (?:no longer|not) (?:an? |the )?(?P<not>[\w'"
    r" -]+?)"
    r"(?: any ?more)?$|ho finito il (?P<it>dottorato)",
    re.I,
)
_STUDENT = {"phd": "phd", "doctorate": "phd", "thesis": "phd", "dissertation": "phd", "viva": "phd",
            "dottorato": "phd", "msc": "master"}  # fmt: skip
STUDENTS = frozenset({"undergraduate", "master", "phd"})


def positions(said: str) -> list[Role]:
    if done := _FINISHED.match(said):
        if done["not"]:
            named = [n for n, w in _POSITIONS if re.fullmatch(rf"(?:{w})", done["not"], re.I)]
            if not named and done["not"].casefold().endswith("student"):
                named = ["student"]
            return [Role("position", "", NOT + named[0], True)] if named else []
        what = (done["what"] or done["it"] or "").casefold().replace(".", "")
        held = _STUDENT.get(what, what.rstrip("s'") or "student")
        return [Role("position", "", NOT + held, True)]
    if re.search(r"\b(?:not|no longer|was|used to)\b", said, re.I) and "promoted" not in said:
        return []
    for name, pattern in (*_IS, *_BEGAN):
        if pattern.match(said):
            return [Role("position", "", name)]
    return []
