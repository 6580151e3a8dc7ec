"""Which language a question is in, by its script and its smallest words.

For telling somebody that an English embedder won't find much for it; so what is not clear counts as
English: a title, a name, a formula, two words. Of 106 lines in twelve languages and 16 English ones
(`test_language.py`) all whole questions are told right, and 82 % of topics, which have few small
words.
"""

from __future__ import annotations

import re
from collections import Counter

# What to switch to for questions in other languages.
MULTILINGUAL_EMBEDDER = "huggingface:sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"

# First letters of each script's part of Unicode, and what is written in it.
_SCRIPTS = (
    (0x0370, 0x03FF, "Greek"),
    (0x0400, 0x052F, "Russian or another language in Cyrillic"),
    (0x0530, 0x058F, "Armenian"),
    (0x0590, 0x05FF, "Hebrew"),
    (0x0600, 0x077F, "Arabic or Persian"),
    (0x0900, 0x0DFF, "an Indian language"),
    (0x0E00, 0x0E7F, "Thai"),
    (0x10A0, 0x10FF, "Georgian"),
    (0x3040, 0x30FF, "Japanese"),
    (0x4E00, 0x9FFF, "Chinese"),
    (0xAC00, 0xD7AF, "Korean"),
)
OTHER = "another language than English"
# Of its letters, from which on a text is in another script: English questions have Greek symbols.
_LEAST_SHARE = 0.4

# Words that stand in most questions of a language, and in English ones seldom; `weak` ones are
# parts of names too (von Neumann, de la Cruz), and tell nothing alone.
_WORDS = {
    "Italian": """
        il gli che è cosa come quali quale sono della delle degli dello nella nelle negli sulla
        sulle con per una uno perché quando dove si può ci articoli dell nell sull tra fra viene
        vengono qual cos quanto dei nel sul anche più ad alla alle allo ai agli dai dalle dalla
        esiste tramite
        ciao salve buongiorno buonasera mi parli parlami parla dimmi dirmi spiegami puoi
        potresti sai
        """,
    "French": """
        les des une est que quoi quels quelles quel quelle sur dans pour avec comment pourquoi qu
        sont et aux entre où pas cette ces ce au par peut à y t il elle leurs sans
        bonjour bonsoir salut parlez parle dis dites peux pouvez
        """,
    "German": """
        das ist sind und über wie warum welche welcher welches welchen ein eine einer eines einen
        für mit gibt dem zur zum nicht auf bei wird werden kann wo wann zwischen durch aus im
        können was zu ohne woher kommt gegen ihre bekannt
        hallo guten erzähl erzähle kannst
        """,
    "Spanish": """
        los las qué que es son sobre cómo por para una cuáles cuál dónde cuándo y entre con en hay
        más cuánto puede sin desde sus
        hola buenos buenas háblame cuéntame puedes
        """,
    "Portuguese": """
        os são é sobre dos como por para com uma um quais qual na não entre em mais pelo pela onde
        quando que ao pode sem
        olá oi bom fale fala conte diga pode
        """,
    "Dutch": """
        het een zijn wat hoe waarom welke voor met niet op tussen wordt worden kan deze naar bij
        ook er waar zonder door om hun bekend aan uit
        hallo hoi vertel mij kun kunt
        """,
    "Swedish": """
        och är det som för med hur vad vilka vilken varför av till på inte mellan kan ett från när
        """,
    "Danish or Norwegian": """
        og er det som med hvordan hva hvad hvilke hvilken hvorfor af av til på ikke mellem mellom
        kan et fra når hvor
        """,
    "Polish": """
        jest są jak co jakie jaki jaka dlaczego w z na czy nie dla przez między się od kiedy można
        przy bez które który która skąd gdzie
        """,
    "Czech": "je jsou jak co jaké jaký jaká proč v na pro mezi se které kdy lze ve",
    "Turkish": "ve bir nedir nasıl neden için ile hangi bu arasındaki mi mı nelerdir olarak ne",
    "Romanian": "este sunt ce cum care și în pentru cu între cele sau din pe ale",
    "Hungarian": "az és hogyan mi miért milyen egy mik között van hogy mit hol lehet",
    "Finnish": "on ovat mikä miten miksi mitä ja kuinka välillä mitkä voidaan missä",
    "Indonesian": "apa bagaimana yang dan dengan untuk dari adalah mengapa pada saja itu antara",
    "Vietnamese": "là gì như thế nào của và trong các tại sao có được giữa những",
}
# Parts of names too (von Neumann, de la Cruz), or of English phrases (et al., per capita): alone
# they tell nothing.
_WEAK = frozenset(
    """de la le di da del do du der die das van von el lo i o a un en des dos al et per con pro para
    est ne son sur se man co as os""".split()
)
_STRONG = {name: frozenset(words.split()) - _WEAK for name, words in _WORDS.items()}
_ENGLISH = frozenset(
    """the of and to is are was were what which how why when where who for with from by in on at as
    an be been do does did can could has have had that this these those it its their there between
    about into using under over not or than more most papers paper any find show me""".split()
)
# How longer words end that English has not so.
_ENDINGS = re.compile(
    r"[^\W\d_]{3,}(?:zione|zioni|mento|menti|ità|logici|ato|ción|ciones|miento|dades?|ção|ções"
    r"|ungen|ung|keit|heit|ische[nrs]?|lichen?|isatoren|toren|heid|iques?|ité|eren|ingen|elijke|baarheid|stelsels"
    r"|ości|ość|nych|anie|enie|owych|iczne|jne|owe|ami|ach|ých|ování|het|ande|ningar)"
)
_ACCENT = re.compile(r"[^\x00-\x7f]")
_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH_NOT = re.compile(r"n['’]t\b", re.IGNORECASE)  # its t is none of "y a-t-il"


def language_of(text: str) -> str | None:
    """The language that `text` is clearly in, if that is not English."""
    letters = [ord(letter) for letter in text if letter.isalpha()]
    scripts = Counter(
        name for letter in letters for first, last, name in _SCRIPTS if first <= letter <= last
    )
    if len(letters) > 1 and sum(scripts.values()) > _LEAST_SHARE * len(letters):
        # Japanese is written with Chinese signs as well.
        return "Japanese" if scripts["Japanese"] else scripts.most_common(1)[0][0]
    words = _WORD.findall(_ENGLISH_NOT.sub(" not", text))
    # Names carry accents in English texts too, but begin with a capital.
    odd = sum(
        word[0].islower() and bool(_ACCENT.search(word) or _ENDINGS.fullmatch(word))
        for word in words
    )
    words = [word.lower() for word in words]
    english = sum(word in _ENGLISH for word in words)
    counts = {name: sum(word in known for word in words) for name, known in _STRONG.items()}
    name = max(counts, key=lambda language: counts[language])
    evidence = counts[name] + odd + min(1, sum(word in _WEAK for word in words))
    if not counts[name]:
        return OTHER if odd >= 2 and not english else None
    if list(counts.values()).count(counts[name]) > 1:
        name = OTHER
    return name if evidence >= 2 and evidence > english else None


def without_small_words(text: str) -> str:
    """`text` of a language that is not English, without the smallest words of any."""
    words = text.split()
    return " ".join(word for word in words if not _is_small(word.strip("¿?¡!.,;:").lower()))


def _is_small(word: str) -> bool:
    return not word or word in _WEAK or any(word in known for known in _STRONG.values())
