"""The words of remarks on an answer, English and Italian: closed classes, each with what it says.

A clause is a remark if all its words stand here. What a question is about never does.
"""

from __future__ import annotations

from arxivscout.reflection.remark_spelling import spelled_out

SHORT, LONG, PLAIN, TECHNICAL = "short", "long", "plain", "technical"
BULLETS, PROSE, FORMULAS = "bullets", "prose", "formulas"

_CLITICS = (
    "melo", "mela", "meli", "mele", "celo", "lo", "la", "li", "le", "mi", "ti", "ci", "ne",
)  # fmt: skip


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# The manner that a word names by itself.
STRONG = {
    BULLETS: _words("inbullets bullets"),
    PROSE: _words("inprose prose prosa"),
    FORMULAS: _words("mathematical matematico"),
    PLAIN: _words(
        "plain plainer simple simpler simply simplify easy easier inplainwords basic"
        " elementary shallow trivial clearer clearly semplice semplici semplicemente semplifica"
        " semplificare facile facili elementare banale basilare"
    ),
    TECHNICAL: _words(
        "technical complicated complex difficult hard advanced rigorous formal dense academic"
        " cryptic tecnico tecnica tecnici tecniche complicato complicata complesso complessa"
        " difficile difficili avanzato avanzata rigoroso rigorosa formale"
    ),
    LONG: _words(
        "long longer lengthy lengthier verbose wordy detailed thorough thoroughly elaborate"
        " expand deep deeper indepth exhaustive extensive comprehensive specific lungo lunga"
        " lunghi lunghe prolisso prolissa prolissi verboso verbosa dettagliato dettagliata"
        " dettagliati dettagliate approfondito approfondita approfondisci approfondire allunga"
        " dilungarti dilungare esteso estesa elabora specifico specifica esaustivo esauriente"
    ),
    SHORT: _words(
        "short shorter shorten brief briefer briefly concise concisely succinct succinctly"
        " terse compact condense condensed abridge trim gist essentials tldr totheend summarise"
        " summarize superficial vague general generic breve brevi brevemente corto corta corti"
        " corte conciso concisa concisi sintetico sintetica sintetici sintetiche stringato"
        " stringata succinto succinta accorcia accorciare abbrevia abbreviare riassumi"
        " riassumere sintetizza sintetizzare condensa condensare essenziale superficiale"
        " superficiali vago vaga generico generica"
    ),
}
# And with how much of it there is to be: "more detail", "too many words", "no formulas".
WEAK = {
    BULLETS: _words("bullet list lists elenco elenchi lista liste"),
    PROSE: _words("paragraphs paragrafi"),
    FORMULAS: _words(
        "formula formulas formulae equation equations math maths mathematics formule equazione"
        " equazioni matematica"
    ),
    TECHNICAL: _words("jargon gergo tecnicismi terminology terminologia"),
    LONG: _words(
        "detail details dettaglio dettagli text words information info writing testo parole"
        " informazioni depth profondità talk talked wrote write parli scrivi"
    ),
}
UNCLEAR = _words("unclear confusing incomprehensible confuso confusa incomprensibile")
WORDY = _words("wallsoftext")
COMPARATIVES = _words(
    "shorter briefer shorten longer lengthier deeper elaborate expand simpler easier plainer"
    " clearer simplify accorcia accorciare approfondisci approfondire semplifica semplificare"
)
UNITS = _words(
    "sentence sentences line lines word words paragraph paragraphs frase frasi riga righe"
    " parola parole paragrafo"
)
NUMBERS = _words(
    "1 2 3 4 5 6 7 8 9 10 one two three four five six few couple single un una uno due tre"
    " quattro cinque poche pochi sola"
)
AT_MOST = _words(
    "to in max maximum most just only enough do massimo solo bastano basta abbastanza suffice"
)

TOO = _words("too troppo troppa troppi troppe overly excessively")
LESS = _words("less fewer meno")
MORE = _words("more più")
ENOUGH = _words("enough abbastanza sufficiently sufficient sufficiente")
A_BIT = _words("bit little rather quite pretty fairly somewhat po")
NO = _words("no nope nah")
NOT = _words(
    "not no never none nothing nor neither without cannot non nessuno nessuna nessun niente"
    " nulla senza mai né hardly barely nobody stop avoid evita smetti"
)
LEAVE_OUT = _words("skip omit drop remove cut spare leave ometti togli elimina lascia salta")
_HOLD = _words(
    "with show include add give want need use as con mostra mostrare includi includere"
    " aggiungi dammi voglio usa fammi metti make put into come per many much all wheretofind"
)
DEGREES = TOO | LESS | MORE | ENOUGH | LEAVE_OUT | _HOLD
IS = _words("is are was were looks sounds seems feels è era erano sono sembra pare")
CAN = _words("can may puoi")
WOULD = CAN | _words(
    "would should could might will please sarebbe dovrebbe potrebbe potresti potete vorrei"
)

FAILED = _words("failed")
BAD = _words(
    "contradictory unreliable untrustworthy incoherent inconsistent incomplete half"
    " inaffidabile incompleto incompleta wrong wrongly incorrect false untrue mistaken"
    " inaccurate misleading outdated obsolete irrelevant useless unhelpful nonsense nonsensical"
    " rubbish garbage bad terrible awful poor horrible bullshit crap disappointing sbagliato"
    " sbagliata sbagliati sbagliate errato errata errati errate falso falsa falsi inesatto"
    " inesatta impreciso imprecisa irrilevante irrilevanti inutile inutili pessimo pessima"
    " assurdo assurda sciocchezza sciocchezze fuorviante fuorvianti scorretto scorretta"
    " deludente obsoleto obsoleta"
)
# Of you, not of somebody else.
FAULTS = _words(
    "skipped overlooked neglected mistake mistakes error errors misunderstood misunderstand"
    " misunderstanding misread misquoted misinterpreted ignored missed missing confuse"
    " hallucinated hallucinating invented inventing forgot lying lie sbagliando sbagli"
    " sbagliate errore errori sbaglio frainteso equivocato ignorato inventato saltato"
)
MIXED_UP = _words("confused confusing confondendo")
RIGHT = _words(
    "reliable trustworthy credible convincing consistent complete affidabile affidabili"
    " convincente convincenti completo completa esiste esistono exist exists right correct true"
    " relevant helpful useful accurate valid pertinent appropriate giusto giusta giusti giuste"
    " corretto corretta corretti corrette vero vera veri vere rilevante rilevanti pertinente"
    " pertinenti utile utili esatto esatta esatti esatte preciso precisa serve servono"
)
NO_WORD_ALONE = _words(
    "complete consistent exist exists esiste esistono right vero vera veri vere true serve"
    " servono valid"
)  # as praise
FINE = _words("good great okay buono buona buoni bene")
GREAT = _words(
    "super great good perfect perfectly excellent awesome nice brilliant wonderful fantastic"
    " amazing superb lovely impressive interesting neat clear exactly spoton cool ottimo ottima"
    " ottimi perfetto perfetta perfetti eccellente eccellenti bravo brava bravissimo fantastico"
    " fantastica bello bella bellissimo buono buona grande chiaro chiara chiarissimo"
    " chiarissima utilissimo interessante esattamente"
)
LIKED = _words(
    "satisfied convincono convinci like liked love loved enjoy helps helped help piace"
    " piaciuta piaciuto aiuta aiutato convince"
)
PLEASES = _words("piace piaciuta piaciuto")
WANTED = _words(
    "wanted asked ask asking meant mean want needed need searched sought requested chiesto"
    " chiedevo chiedo inteso intendevo intendo volevo voluto cercavo cercato cerco desideravo"
    " serviva richiesto"
)
JUST_WHAT = _words("exactly precisely what quello esattamente proprio ciò")
OTHER = _words("else other different another altro altra altri altre diverso diversa")
ANSWERED = _words(
    "rispondendo risponda answering reread answer answered answers address addressed addresses"
    " understand understood respond responded risposto rispondi risponde capito capisci"
    " compreso comprendi risposta"
)
KNOW = _words(
    "aware been read know knew known seen heard familiar told said mentioned cited so sapevo"
    " saputo conosco conoscevo letto letta letti lette visto vista visti viste sentito detto"
    " citato"
)
ALREADY = _words("already già before")
OLD_NEWS = _words("oldnews")

ME = _words(
    "i me my we us our io mi mio mia ho ci noi avevo chiedevo chiedo intendevo intendo volevo"
    " cercavo cerco desideravo"
)
YOU = _words("you your yours tu ti tuo tua tue tuoi hai sei stai")
THAT = _words(
    "that this it these those they them questo questa questi queste quello quella quelli"
    " quelle ciò lo la li le"
)
SUBJECTS = IS | YOU | THAT | _words("i we he she tu io")
SAID = _words(
    "answer answers reply replies response explanation explanations version summary risposta"
    " risposte spiegazione spiegazioni versione riassunto"
)
OF_YOU = YOU | SAID | _words("there this that c")
QUESTIONS = _words("question questions domanda domande")
PAPERS = _words(
    "paper papers article articles result results reference references source sources citation"
    " citations study studies articolo articoli risultato risultati riferimento riferimenti"
    " fonte fonti citazione citazioni studio studi"
)
RECORD = _words(
    "author authors title titles date dates year years number numbers figure figures topic"
    " subject field id link name person place order unit units value values autore autori"
    " titolo data anno numero numeri argomento tema materia nome valore valori"
)
ABOUT = _words("about su sul sulla")
# "No bullet points" denies; "no, that's wrong" doesn't.
AFTER_NO = frozenset().union(*WEAK.values(), *STRONG.values(), MORE, _words("need so such"))

_SMALL = _words(
    "part lost original only half same darmi dare novels thing stick i am me my mine we us you"
    " your yours he she the a an of to for about with in on at from by as and but so such if"
    " than then do does did done doing have has had having let pls thanks thank ok okay well hm"
    " hmm um uh oh ah sorry actually really very just simply plainly still yet again now here"
    " there next time times today future onwards even all both any some completely totally"
    " absolutely entirely partly mostly basically super extremely think disagree agree believe"
    " afraid feel guess find found says say tell gave given get got getting kept keep made"
    " makes using explain explained describe rewrite rephrase redo try repeat way much many"
    " what which how why who when where whether last previous first second third fourth every"
    " each own be been yes yeah yep lot down up out expert beginner student something anything"
    " everything prefer cite better best improve improved worse reading point things stuff one"
    " ones instead ha hanno vi si se e ed o ma di da per tra fra al allo alla ai agli alle del"
    " dello della dei degli delle nel nella il gli che chi cui come quanto anche ancora davvero"
    " veramente molto molti molte tanto tutto tutta tutti tutte soltanto invece adesso ora poi"
    " prossima volta favore grazie scusa scusami purtroppo infatti realtà sì beh mah così fai"
    " fa dimmi spiega spiegare rispondi rispondere sii sia usare modo maniera termini stato"
    " stata parla esprimiti riprova era l dell nell quest t d un terms language english inglese"
    " italiano meglio peggio preferisco preferirei possible possibile cosa cose punto essere c"
    " go far into format put dire dimmelo affatto fatto commesso male ugh argh stesso stessa"
    " follow grasp seguo seguire seguirti capisco capire riesco comprendo afferro"
)

VOCABULARY = frozenset().union(
    *STRONG.values(), *WEAK.values(), UNCLEAR, WORDY, COMPARATIVES, UNITS, NUMBERS, AT_MOST, A_BIT,
    NO, NOT, DEGREES, IS, WOULD, FAILED, BAD, FAULTS, MIXED_UP, RIGHT, FINE, GREAT, LIKED, WANTED,
    JUST_WHAT, OTHER, ANSWERED, KNOW, ALREADY, OLD_NEWS, ME, YOU, THAT, SAID, QUESTIONS, PAPERS,
    RECORD, ABOUT, _SMALL,
)  # fmt: skip


def words_of(clause: str) -> list[str]:
    """The words of a clause as they stand here, phrases as one word; others as they are."""
    return [word if word in VOCABULARY else _without_clitics(word) for word in spelled_out(clause)]


def _without_clitics(word: str) -> str:
    """An Italian verb without what hangs on it: "spiegamelo" is "spiega", "dirlo" is "dire"."""
    for clitics in _CLITICS:
        if word.endswith(clitics):
            stem = word.removesuffix(clitics)
            for verb in (stem, f"{stem}e"):
                if verb in VOCABULARY:
                    return verb
    return word
