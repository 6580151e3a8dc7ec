"""Wishes that are told by what a clause ends with, in English and Italian."""

from __future__ import annotations

import re

# "I find … useless": the wish stands at the end.
USELESS = re.compile(
    r"(?:i find |trovo )?(?P<body>.{3,80}?)(?: (?:is|are|è|sono))? (?:completely |totally |quite "
    r"|very |del tutto )?(?:useless|worthless|boring|of no (?:use|interest)|uninteresting"
    r"|irrelevant|inutil[ei]|noios[oaie])(?: (?:to|for|per) me)?$"
    r"|(?P<body2>.{3,80}?) (?:does not|do not|don't|doesn't) interest me$"
    r"|(?P<body3>.{3,80}?) non mi (?:interess|serv|piac)\w+(?: pi[uù])?$",
    re.I,
)
USELESS_GUARD = re.compile(r"\bi find |\btrovo |\b(?:to|for|per) me$|interest me$| non mi ", re.I)
# "Keep RL away from me", "leave surveys out": the wish stands between.
KEPT_AWAY = re.compile(
    r"(?:keep (?P<body>.{2,60}?) away from (?:me|us|my \w+)"
    r"|(?:leave|keep|take|filter) (?P<weak>.{2,60}?) (?:out|aside))"
    r"(?: from now on| any ?more| in future| please)*$",
    re.I,
)
ONLY_LAST = re.compile(r"(?P<body>.{3,60}?),?\s+(?:only|solo|soltanto)$", re.I)
TOP = re.compile(
    r"(?:anything |everything |papers |work )?(?P<body>.{3,60}?) (?:goes|go|come|comes"
    r"|should (?:go|come"
    r"|be)) (?:to the top|first|on top)\b.*$",
    re.I,
)
# "X is all I care about", "X is my favourite author": the wish stands at the end.
ALL = re.compile(
    r"(?P<body>.{3,60}?) (?:is|are|è|sono) (?:all|the only (?:thing|things|topic|topics)|what)"
    r" (?:(?:that )?i (?:really )?care about|interests? me)$"
    r"|(?P<body2>.{3,60}?) (?:is|are|è|sono) (?:one of )?my (?:favou?rite|preferred)"
    r" (?:authors?|researchers?|scientists?|physicists?|mathematicians?|topics?|fields?"
    r"|subjects?)$",
    re.I,
)
FIRST = re.compile(r"(?P<body>.{3,60}?) first$", re.I)
MUST = re.compile(
    r"(?:the |all )?(?:papers?|articles?|studies|works?|references)(?: you \w+(?: me)?)? (?:must"
    r"|should"
    r"|have to|need to) (?:all )?be (?:published )?(?P<body>.+)$",
    re.I,
)
