"""How a person says where they work, with whom and on what: rows of `stating`'s list."""

from __future__ import annotations

from arxivscout.statements.ending import FULL_NAME, OFTEN, WE

_WE, _OFTEN = WE, OFTEN
_GROUP = r"(?:my|our) (?:group|lab|team|collaboration|department|institute|code|pipeline|project)"
_ROLE = (
    r"(?:student|postdoc|postdoctoral \w+|professor|lecturer|researcher|scientist|engineer|teacher"
    r"|fellow|intern|candidate|member|author|reviewer|editor|beginner|newcomer|novice|expert|leader"
    r"|head|director|supervisor|developer|programmer|user|physician|doctor|nurse|phd|undergraduate"
    r"|graduate|master'?s|PI|referee|\w+(?:icist|ologist|onomer|ematician|istician|emist|opher"
    r"|omist|ician|ographer))"
)
ROLE_ABROAD = (
    r"(?:dottorand|studen|ricercat|assegnist|professor|fisic|doktorand|forscher|physiker|doctorant"
    r"|étudiant|chercheu|doctorand|estudiante|investigador|postdoc)\w*"
)

_NO_EMPLOYER = (
    r"(?!home\b|night\b|weekends?\b|lunch\b|school\b|my (?:wits|best|worst|limit|desk)\b|you\b"
    r"|the (?:beach|office"
    r"|airport"
    r"|moment|end|conference|workshop|meeting|hospital|doctor|gym)\b|a (?:conference|workshop"
    r"|meeting"
    r"|loss|dead end|party|school|crossroads)\b)"
)
# Predicate, kind of the thing ("" where its name tells), words.
WORKING = (
    # where and with whom
    ("works_at", "organisation", rf"{_WE}(?:'ve| have)?{_OFTEN} (?:(?:was|were|got|been)"
     " (?:hired|employed"
     r"|recruited|appointed|taken on) (?:by|at)|(?:start(?:ed)?|began|begun)(?: (?:working|work"
     r"|a new job|my"
     r" (?:new )?(?:job|postdoc|position)|as an? [\w -]{3,30}?))? at|(?:got|accepted|landed|took"
     r"|found|have"
     r"|started|start|was offered)(?: an?| my| the)?(?: (?:new|first|permanent|tenured|faculty"
     r"|full-time))*"
     r" (?:job|position|post|postdoc|fellowship|professorship|tenure[ -]track position) (?:at|with)"
     r"|(?:transferred|moved over) to) (?P<what>.+)"),
    ("works_at", "organisation", r"(?:i'm|i am|we're|we are) (?:(?:now|currently|presently)"
     rf" )+(?:at|with) (?P<what>{_NO_EMPLOYER}.+)"),
    ("works_at", "organisation", r"(?:my|our) (?:(?:new|current) )?(?:employer|affiliation"
     "|workplace) is"
     r"(?: now)? (?P<what>.+)"),
    ("works_at", "organisation", r"(?:ora |adesso )?sono (?:ora |adesso )?(?:al|alla|all'"
     "|presso) ?(?P<what>"
     r"(?-i:[A-Z]).+)|(?:ich bin|wir sind) jetzt (?:am|bei|beim|an der) (?P<what2>.+)|(?:ich bin"
     r"|wir sind)"
     r" (?:ans?|zum|zur) (?P<what3>.+?) gewechselt|je suis maintenant (?:au|à l'|à la|chez|à)"
     r" ?(?P<what4>.+)"
     r"|ahora estoy en (?:el |la )?(?P<what5>.+)"),
    ("works_at", "organisation", rf"(?:{_WE}{_OFTEN} work|i'm|i am|i'm{_OFTEN} (?:working|based"
     rf"|employed)|i am{_OFTEN} (?:working|based|employed)) (?:at|for) (?P<what>{_NO_EMPLOYER}.+)"),
    ("works_at", "organisation", rf"i(?:'m| am){_OFTEN} an? (?:[\w-]+ ){{0,4}}?{_ROLE}"
     r"(?: in [\w -]{3,40})? (?:at|with) (?P<what>.+)"),
    ("works_at", "organisation", r"(?:sono|ich bin|je suis|soy)(?: [\w-]+){0,3}?"
     rf" {ROLE_ABROAD}"
     r" (?:alla? |all['’]|presso |am |an der |beim? |à (?:la |l['’])?|au |en (?:el |la )?)"
     r"(?P<what>(?-i:[A-Z]).+)"),
    ("works_at", "organisation", rf"{_WE}(?:'ve| have)?{_OFTEN} joined (?P<what>.+)"),
    ("works_at", "organisation", r"lavor(?:o|iamo) (?:presso|al|alla|all'|per) ?(?P<what>.+)"),
    ("works_at", "organisation", r"(?:ich arbeite|wir arbeiten) (?:am|beim|bei|für) (?P<what>.+)"),
    ("works_at", "organisation", r"(?:je travaille|nous travaillons) (?:au|à l'|à la|à|chez|pour)"
     r" ?(?P<what>.+)"),
    ("works_at", "organisation", r"(?:trabajo|trabajamos) (?:en (?=(?:el |la )?(?-i:[A-Z]))"
     r"|para) ?(?P<what>.+)"),
    ("works_with", "person", rf"(?:{_WE}{_OFTEN} (?:work|collaborate)|i(?:'m| am){_OFTEN} "
     rf"(?:working"
     rf"|collaborating)) with (?P<what>{FULL_NAME}|(?-i:[A-Z][a-z]+)(?= on\b|$))"),
    # what on
    ("works_on", "", rf"(?:{_WE}{_OFTEN} (?:work|focus|do (?:my |a )?(?:research|phd|postdoc"
     rf"|thesis))|(?:i'm|i am|we're|we are|(?:i|we)(?:'ve| have) been){_OFTEN} (?:working"
     rf"|focus(?:s?ing|s?ed))) (?:on|in) "
     rf"(?P<what>.+)"),
    ("works_on", "", rf"(?:{_WE}{_OFTEN} (?:study|research|investigate|analy[sz]e|model)"
     rf"|(?:i'm|i am|we're|we are|(?:i|we)(?:'ve| have) been){_OFTEN} (?:studying|researching"
     rf"|investigating|analy[sz]ing"
     rf"|modell?ing|developing|building))(?! (?:for|at)\b) (?P<what>.+)"),
    ("works_on", "", rf"{_GROUP}{_OFTEN} (?:works? on|stud(?:y|ies)|focus(?:es)? on|researches)"
     r" (?P<what>.+)"),
    ("works_on", "", r"(?:my|our)(?: [\w-]+){0,2} (?:thesis|research|phd|dissertation|project|work)"
     r"(?: topic)? (?:is|are|deals|focuses) (?:about|on|with) (?P<what>.+)"),
    ("works_on", "", r"(?:lavor(?:o|iamo) su(?:l|lla|lle|i|gli)?|(?:mi occupo|ci occupiamo) (?:di"
     r"|dell[aeo']|del|dei)|studi(?:o|amo) (?:il|la|le|i|gli|l')) ?(?P<what>.+)"),
    ("works_on", "", r"(?:ich arbeite|wir arbeiten|ich forsche|wir forschen) (?:an|zu|über|auf dem"
     r" gebiet der) (?P<what>.+)"),
    ("works_on", "", r"(?:je travaille|nous travaillons) sur (?P<what>.+)|(?:j'étudie|nous "
     r"étudions)"
     r" (?P<what2>.+)"),
    ("works_on", "", r"(?:trabajo|trabajamos) (?:en|sobre|con) (?P<what>.+)|(?:estudio|estudiamos"
     r"|investigo) (?P<what2>.+)"),
    ("interested_in", "", rf"(?:i'm|i am|we're|we are){_OFTEN} (?:very |really |mostly )?interested"
     r" in (?P<what>.+)"),
)  # fmt: skip
GROUP, ROLE = _GROUP, _ROLE
