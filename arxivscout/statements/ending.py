"""How a person says that something is no longer so: "I no longer use …", "ho smesso di …".

Rows of `stating`'s list, which come first in it: their predicates are of the past, so that what
they tell ends what held and never holds itself.
"""

from __future__ import annotations

# A predicate of the past, and that of the present which it ends.
NOW_AND_THEN = {
    "used_before": "uses",
    "worked_on": "works_on",
    "worked_at": "works_at",
    "worked_with": "works_with",
    "was_interested_in": "interested_in",
}

WE = r"(?:i|we)"
OFTEN = (
    r"(?: (?:(?!(?:hard|bare|scarce|rare|possib|probab)ly)\w+ly|now|also|still|always|just|both"
    r"|often|only|even|do|then|all))*"
)
_HAVE = rf"{WE}(?:'ve| have)?{OFTEN}"
_NO_LONGER = (
    rf"{_HAVE} (?:no longer|used to|(?:do not|don't|never)(?=.+\bany ?(?:more"
    rf"|longer))){OFTEN}"
)
_STOPPED = rf"{_HAVE} (?:stopped|quit|ceased|gave up|given up|finished)"
# The patterns take words in any case; a name is told by its capitals.
FULL_NAME = r"(?:(?:Dr|Prof)\.? |Professor )?(?-i:[A-Z])[\w.'-]+(?: (?-i:[A-Z])[\w.'-]+)+"
_ANY_MORE = r"(?P<what>.+?)(?:,? any ?(?:more|longer))?"
_WAS = r"(?:usavo|usavamo|utilizzavo|utilizzavamo|programmavo in)"

# Predicate, kind of the thing ("" where its name tells), words.
ENDED = (
    ("worked_with", "person", rf"(?:{_NO_LONGER} (?:work|collaborate)|{_STOPPED} (?:working"
     rf"|collaborating)) with (?P<what>{FULL_NAME})"),
    ("used_before", "", rf"{_NO_LONGER} (?:use|run|rely on|depend on|(?:code|program|write"
     rf" everything) in|work with(?= (?-i:[A-Z]))) {_ANY_MORE}"),
    ("used_before", "", rf"{_STOPPED} (?:using|running|relying on|(?:coding|programming|working) in"
     rf") {_ANY_MORE}"),
    ("used_before", "", rf"{_HAVE} (?:gave up(?: on)?|given up(?: on)?|abandoned"
     r"|ditched|got rid of|dropped(?= (?-i:[A-Z]))) (?P<what>.+)"),
    ("used_before", "", r"(?:i|we)(?:'m| am|'re| are) (?:no longer|not(?=.+\bany ?(?:more|longer)))"
     rf" (?:using|running|relying on|(?:coding|programming|working) in) {_ANY_MORE}"
     r"|(?:i|we)(?:'m| am|'re| are) (?:done|through|finished) with (?P<what2>.+)"
     r"|(?:i|we) (?:haven't|have not|hardly) (?:used|touched|run) (?P<what3>.+?) (?:(?:for|in)"
     r" (?:years"
     r"|months|ages|weeks|a (?:long )?(?:time|while)|\d+ .+|(?:two|three|many|some) .+)|since .+)"),
    ("worked_on", "", r"(?:i|we)(?:'m| am|'re| are) (?:no longer|not(?=.+\bany ?(?:more|longer)))"
     rf" (?:working|focus(?:s?ing|s?ed)) on {_ANY_MORE}"),
    ("worked_at", "organisation", r"(?:i|we)(?:'m| am|'re| are) (?:no longer|not(?=.+\bany ?(?:more"
     rf"|longer))) (?:working|employed) (?:at|for|by) {_ANY_MORE}|{WE}(?:'ve| have)?{OFTEN}"
     rf" (?:(?:quit|left)"
     r" my job at|quit(?= (?-i:[A-Z]))|resigned from|retired from|(?:was|were|got) (?:fired"
     r"|laid off) (?:by|from))"
     r" (?P<what2>.+)|(?:my|our) (?:contract|job|position|time|postdoc) (?:at|with)"
     r" (?P<what3>.+?) (?:has"
     r" )?(?:ended|ran out|run out|expired|is over|finished)"),
    ("worked_at", "organisation", rf"(?:{_NO_LONGER} (?:work|study|teach)|{_STOPPED} (?:working"
     rf"|studying|teaching)) (?:at|for) {_ANY_MORE}"),
    ("worked_at", "organisation", r"(?:i'm|i am|we're|we are) no longer (?:at|with|employed"
     r" (?:at|by)|affiliated with) (?P<what>.+)"),
    ("worked_at", "organisation", rf"{_HAVE} left (?P<what>(?:the )?(?-i:[A-Z])[\w.-]*"
     r"(?: (?:of |for )?(?-i:[A-Z])[\w.-]*)*(?: (?:group|lab|institute|collaboration))?)"),
    ("worked_on", "", rf"(?:{_NO_LONGER} (?:work|focus|do research)|{_STOPPED} (?:working|focus"
     rf"s?ing)) on {_ANY_MORE}"),
    ("worked_on", "", rf"(?:{_NO_LONGER} (?:study|research|investigate|model)|{_STOPPED}"
     rf" (?:studying|researching|investigating|modell?ing))(?! (?:at|for|in)\b) {_ANY_MORE}"),
    ("was_interested_in", "", r"(?:i'm|i am|we're|we are) no longer (?:\w+ly )?interested in "
     rf"(?P<what>.+)|{WE}(?:'ve| have)? lost interest in (?P<what2>.+)"),
    # Italian, German, French, Spanish
    ("used_before", "", r"non (?:uso|usiamo|utilizzo|utilizziamo) più (?P<what>.+)|(?:ho|abbiamo)"
     rf" smesso di (?:usare|utilizzare) (?P<what2>.+)|(?:una volta )?{_WAS} (?P<what3>.+)"
     r"|(?:ho|abbiamo) abbandonato (?P<what4>.+)"),
    ("used_before", "", r"(?:ich|wir) (?:benutzen?|verwenden?|nutzen?) (?P<what>.+?) nicht mehr"
     r"|(?:ich habe|wir haben) aufgehört,? (?P<what2>.+?) zu (?:be)?(?:nutzen|verwenden)"
     r"|(?:ich habe|wir haben) (?P<what3>.+?) (?:aufgegeben|abgeschafft)"
     r"|früher (?:habe ich|haben wir) (?P<what4>.+?) (?:be)?(?:nutzt|verwendet)"),
    ("used_before", "", r"(?:je n['’]utilise|nous n['’]utilisons|on n['’]utilise) plus (?P<what>.+)"
     r"|(?:j['’]ai|nous avons|on a) arrêté d['’]utiliser (?P<what2>.+)|(?:j['’]utilisais"
     r"|nous utilisions) (?P<what3>.+)|(?:j['’]ai|nous avons) abandonné (?P<what4>.+)"),
    ("used_before", "", r"ya no (?:uso|usamos|utilizo|utilizamos) (?P<what>.+)|(?:he dejado|dejé"
     r"|dejamos) de (?:usar|utilizar) (?P<what2>.+)|(?:antes )?(?:usaba|usábamos|utilizaba)"
     r" (?P<what3>.+)|(?:abandoné|abandonamos|he abandonado) (?P<what4>.+)"),
    ("worked_at", "organisation", r"non lavoro più (?:presso|al|alla|all['’]|per) ?(?P<what>.+)"
     r"|ich arbeite nicht mehr (?:am|beim|bei|für) (?P<what2>.+)|je ne travaille plus (?:au|à"
     r" l['’]|à la|à|chez|pour) ?(?P<what3>.+)|ya no trabajo (?:en (?=(?:el"
     r" |la )?(?-i:[A-Z]))|para )(?P<what4>.+)"),
    ("worked_on", "", r"(?:non lavoro più|ho smesso di lavorare) su(?:l|lla|lle|i|gli|ll['’])? ?"
     r"(?P<what>.+)|ich arbeite nicht mehr (?:an|zu) (?P<what2>.+)|je ne travaille plus sur"
     r" (?P<what3>.+)|(?:ya no trabajo|dejé de trabajar) (?:en|sobre) (?P<what4>.+)"),
)  # fmt: skip
