"""Questions in other languages are told from English ones, and from names, titles and formulas."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arxivscout.papers.language import language_of

ENGLISH = """
What is known about quantum teleportation of neutral mesons?
How do galaxies rotate without dark matter?
Which papers explain attention in transformers?
Why does the proton not decay?
neural networks that translate between languages
entropy formula for the Ricci flow
evidence for black holes in the centre of galaxies
Is there an upper bound on the mass of the neutrino?
federated learning on mobile devices
How can graph neural networks predict the properties of molecules?
superconductivity at high pressure
What limits the lifetime of perovskite solar cells?
Compare methods to detect exoplanets by their transits.
Where do cosmic rays of the highest energy come from?
topological insulators and Majorana fermions
When did the first stars form?
""".strip().splitlines()

# The same sixteen, by a person; the keywords of the fifth and so on stay keywords.
OTHERS = {
    "Italian": """
Che cosa si sa del teletrasporto quantistico dei mesoni neutri?
Come ruotano le galassie senza materia oscura?
Quali articoli spiegano l'attenzione nei transformer?
Perché il protone non decade?
reti neurali che traducono tra le lingue
formula dell'entropia per il flusso di Ricci
prove dei buchi neri al centro delle galassie
Esiste un limite superiore alla massa del neutrino?
apprendimento federato sui dispositivi mobili
Come possono le reti neurali su grafi prevedere le proprietà delle molecole?
superconduttività ad alta pressione
Che cosa limita la durata delle celle solari a perovskite?
Confronta i metodi per rivelare esopianeti con i loro transiti.
Da dove vengono i raggi cosmici di energia più alta?
isolanti topologici e fermioni di Majorana
Quando si sono formate le prime stelle?
""",
    "French": """
Que sait-on de la téléportation quantique des mésons neutres ?
Comment tournent les galaxies sans matière noire ?
Quels articles expliquent l'attention dans les transformers ?
Pourquoi le proton ne se désintègre-t-il pas ?
réseaux de neurones qui traduisent entre les langues
formule de l'entropie pour le flot de Ricci
preuves de trous noirs au centre des galaxies
Y a-t-il une limite supérieure à la masse du neutrino ?
apprentissage fédéré sur les appareils mobiles
Comment les réseaux de neurones sur graphes prédisent-ils les propriétés des molécules ?
supraconductivité à haute pression
Qu'est-ce qui limite la durée de vie des cellules solaires à pérovskite ?
Compare les méthodes pour détecter les exoplanètes par leurs transits.
D'où viennent les rayons cosmiques de plus haute énergie ?
isolants topologiques et fermions de Majorana
Quand les premières étoiles se sont-elles formées ?
""",
    "German": """
Was ist über die Quantenteleportation neutraler Mesonen bekannt?
Wie rotieren Galaxien ohne dunkle Materie?
Welche Arbeiten erklären die Aufmerksamkeit in Transformern?
Warum zerfällt das Proton nicht?
neuronale Netze, die zwischen Sprachen übersetzen
Entropieformel für den Ricci-Fluss
Belege für schwarze Löcher im Zentrum von Galaxien
Gibt es eine obere Schranke für die Masse des Neutrinos?
föderiertes Lernen auf mobilen Geräten
Wie können neuronale Netze auf Graphen die Eigenschaften von Molekülen vorhersagen?
Supraleitung bei hohem Druck
Was begrenzt die Lebensdauer von Solarzellen aus Perowskit?
Vergleiche Methoden, mit denen man Exoplaneten durch ihre Transits findet.
Woher kommt die kosmische Strahlung der höchsten Energie?
topologische Isolatoren und Majorana-Fermionen
Wann sind die ersten Sterne entstanden?
""",
    "Spanish": """
¿Qué se sabe sobre la teleportación cuántica de mesones neutros?
¿Cómo giran las galaxias sin materia oscura?
¿Qué artículos explican la atención en los transformers?
¿Por qué no se desintegra el protón?
redes neuronales que traducen entre idiomas
fórmula de la entropía para el flujo de Ricci
pruebas de agujeros negros en el centro de las galaxias
¿Hay un límite superior para la masa del neutrino?
aprendizaje federado en los dispositivos móviles
¿Cómo predicen las redes neuronales de grafos las propiedades de las moléculas?
superconductividad a alta presión
¿Qué limita la vida de las celdas solares de perovskita?
Compara los métodos para detectar exoplanetas por sus tránsitos.
¿De dónde vienen los rayos cósmicos de mayor energía?
aislantes topológicos y fermiones de Majorana
¿Cuándo se formaron las primeras estrellas?
""",
    "Dutch": """
Wat is er bekend over kwantumteleportatie van neutrale mesonen?
Hoe draaien sterrenstelsels zonder donkere materie?
Welke artikelen verklaren de aandacht in transformers?
Waarom vervalt het proton niet?
neurale netwerken die tussen talen vertalen
entropieformule voor de Ricci-stroming
bewijs voor zwarte gaten in het centrum van sterrenstelsels
Is er een bovengrens voor de massa van het neutrino?
gefedereerd leren op mobiele apparaten
Hoe kunnen neurale netwerken op grafen de eigenschappen van moleculen voorspellen?
supergeleiding bij hoge druk
Wat beperkt de levensduur van zonnecellen van perovskiet?
Vergelijk methoden om exoplaneten door hun transits te vinden.
Waar komt kosmische straling van de hoogste energie vandaan?
topologische isolatoren en Majorana-fermionen
Wanneer zijn de eerste sterren ontstaan?
""",
    "Polish": """
Co wiadomo o kwantowej teleportacji neutralnych mezonów?
Jak obracają się galaktyki bez ciemnej materii?
Jakie prace wyjaśniają uwagę w transformerach?
Dlaczego proton się nie rozpada?
sieci neuronowe, które tłumaczą między językami
wzór na entropię dla przepływu Ricciego
dowody na czarne dziury w centrach galaktyk
Czy jest górna granica dla masy neutrina?
uczenie federacyjne na urządzeniach mobilnych
Jak sieci neuronowe na grafach przewidują własności cząsteczek?
nadprzewodnictwo przy wysokim ciśnieniu
Co ogranicza czas życia ogniw z perowskitu?
Porównaj metody, którymi wykrywa się planety pozasłoneczne.
Skąd są promienie kosmiczne o najwyższej energii?
izolatory topologiczne i fermiony Majorany
Kiedy się utworzyły pierwsze gwiazdy?
""",
    "Chinese": "中性介子的量子隐形传态有哪些已知结果？\n没有暗物质，星系如何旋转？\n高压下的超导",
    "Japanese": "中性中間子について何が知られていますか？\n高圧下の超伝導は？",
    "Russian or another language in Cyrillic": """
Что известно о квантовой телепортации нейтральных мезонов?
сверхпроводимость при высоком давлении
""",
    "Greek": "Τι είναι γνωστό για τη σκοτεινή ύλη;",
    "Korean": "암흑 물질 없이 은하는 어떻게 회전합니까?",
    "Arabic or Persian": "كيف تدور المجرات بدون مادة مظلمة؟",
}


@pytest.mark.parametrize("question", ENGLISH)
def test_english_is_english(question: str) -> None:
    assert language_of(question) is None


@pytest.mark.parametrize(
    "text",
    [
        "von Neumann entropy",
        "de la Cruz 2015",
        "van der Waals forces in thin films",
        "Di Francesco conformal field theory",
        "Schrödinger",
        "α decay of ²³⁸U",
        "$\\Lambda$CDM",
        "arXiv:0712.2288",
        "les Houches lectures on strings",
        "Poincaré",
        "per capita",
        "H₂O",
        "",
        "?!",
        "die casting of aluminium",
        "Yu Shi 2007",
        "in situ and ex vivo",
        "il",
    ],
)
def test_names_titles_and_formulas_are_no_other_language(text: str) -> None:
    assert language_of(text) is None


def test_questions_in_other_languages_are_told() -> None:
    lines = [(name, line) for name, lines in OTHERS.items() for line in lines.strip().splitlines()]
    questions = [(name, line) for name, line in lines if line.endswith(("?", "？", "؟", ";"))]
    assert _share(language_of(line) is not None for _, line in lines) >= 0.9
    assert _share(language_of(line) is not None for _, line in questions) >= 0.97
    assert _share(language_of(line) == name for name, line in questions) >= 0.95


def _share(right: Iterable[bool]) -> float:
    told = list(right)
    return sum(told) / len(told)


@given(st.text(max_size=200))
def test_any_text_has_one_or_none(text: str) -> None:
    assert language_of(text) is None or language_of(text)


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("ciao, mi parli della materia oscura?", "Italian"),
        ("Buongiorno! Puoi dirmi qualcosa sulla materia oscura?", "Italian"),
        ("Bonjour, parle-moi de la matière noire", "French"),
        ("Hallo, kannst du etwas über dunkle Materie erzählen?", "German"),
        ("Hola, háblame de la materia oscura", "Spanish"),
        ("ciao, what is dark matter?", None),
        ("Hi, tell me about dark matter", None),
        ("Bonjour! Which papers are about dark matter?", None),
    ],
)
def test_a_greeting_hides_no_language(question: str, language: str | None) -> None:
    assert language_of(question) == language
