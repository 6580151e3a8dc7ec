"""The words of a text that name something: what is left without small words and those that ask."""

from __future__ import annotations

import re

_I = re.IGNORECASE
_WORD = re.compile(r"[^\W_][\w+#]*(?:[-.'’][\w+#]+)*")
_ELIDED = re.compile(r"^(?:[ldjnmts]|qu|dell|nell|all|sull|un|c)['’]", _I)
_CLITIC = re.compile(r"['’](?:s|re|ve|d|ll|m)$", re.I)
# Small words, and those that ask: what is left names what is asked about.
_SMALL = frozenset(
    """a an the this that these those my our mine ours me us myself i we it its to of for in on at
    by with from as and or not no so then than now still yet ever already also always any some
    all before after since until formerly previously originally earlier initially first past
    during again anymore more longer instead about into up over there here do does did have had
    has be been is are was were am what which who when where why how whether if use used using
    uses work working worked rely run running get decide decided choose chose chosen drop
    dropped switch switched switching move moved change changed stop stopped start started
    allowed permitted supposed entitled authorized may tell remind remember know project
    projects purpose years year week weeks month months day days time today yesterday last next
    il lo la gli le un una uno l di del dello della dei degli delle da dal dalla nel nella con
    per su sul sulla tra e o ed non che chi cosa quando dove perché ancora già mai prima dopo al
    alla ai mio mia miei mie nostro nostra usare usato utilizzare lavorare lavorato smesso
    passato passata deciso scelto abbandonato lasciato cambiato accesso permesso più anche
    adesso ora der die das den dem des ein eine einen einem einer mein meine meinen meinem
    meiner unser unsere und oder nicht noch schon immer mehr auch jetzt vor nach seit für mit
    auf im bei zu zum zur von vom aus um über ich wir es benutzt verwendet genutzt benutzen
    verwenden nutzen gearbeitet aufgegeben aufgehört gewechselt umgestiegen ersetzt angefangen
    begonnen entschieden beschlossen gewählt verworfen verlassen zugang zugriff erlaubnis
    berechtigt vorher davor zuvor früher ursprünglich eigentlich les une du de d au aux dans sur
    sous pour par avec sans et ou ne pas plus encore toujours déjà jamais avant après depuis mon
    ma mes notre nos ce cette ces y en que qui je j nous se utiliser utilisé travailler décidé
    choisi abandonné changé arrêté quitté commencé passé passée auparavant droit accès à el los
    las unos unas sin por para u ya aún todavía nunca siempre antes después desde hasta mi mis
    nuestro nuestra usar usado utilizar utilizado trabajar dejado decidido elegido cambiado
    abandonado permiso acceso derecho más también ahora sobre ho hai ha hanno abbiamo sono sei è
    era ero ti ci si io tu noi come qual quale quali quanto quanta quanti quante posto invece
    tuo tua suo sua loro questo questa ogni warum weshalb wieso wann wo wer wen wem wie wofür
    womit woran welche welcher welches welchen habe hatte haben bin war sind ist darf kann statt
    pourquoi quand où quoi quel quelle quels quelles est-ce est ai-je suis sommes ont comment
    combien lieu cuándo dónde quién cuál cuáles cómo cuánto he hemos soy tengo estoy lugar vez
    far made make making take taken
    could would should can shall will him her them they she you your whom whose just really
    actually kind kinds sort sorts type types thing things else currently please against toward
    towards say said says mention
    """.split()
)


def words_about(text: str) -> tuple[str, ...]:
    """The words of a text that name something, in small letters, each once."""
    words = (_ELIDED.sub("", _CLITIC.sub("", word)) for word in _WORD.findall(text))
    named = (word for word in words if _is_name(word) or word.casefold() not in _SMALL)
    return tuple(dict.fromkeys(word.casefold() for word in named if word))


def _is_name(word: str) -> bool:
    """MIT is no German preposition."""
    return len(word) > 1 and word.isupper()
