"""Words that name no subject, and such as name one only beside another word."""

from __future__ import annotations

import re

from arxivscout.llm.terms import stem

# Words of every abstract, in any field: they name no subject. Beside the stop words of questions.
GENERIC = frozenset(
    map(
        stem,
        """gev mev tev kev mpc kpc hz khz mhz ghz thz nm
        upper probe probes constrain constrains forward thin hybrid monitor ability able
        absence accordingly account accuracy accurate achieve achieved across act actual
        actually adapt add addition additional additionally additive address adopt advance
        advanced advancement advancements advantage advent affect against agree agreement
        aim al alleviate allow allowed allowing allows almost alone alternative amid among
        amongst amount analyse analysis analytical analytically analyze annual apparent
        appear application applied apply approach appropriate approximate approximately
        arbitrary area argue arise arising aspect assess assisted assume assumption attain
        attempt attribute available average aware away back bad base based based-on
        baseline basic basis bear become behave behavior behaviour believe benchmark
        benefit besides best better beyond big bottleneck bottlenecks bottom bridge bring
        brings broad broader build calculate calculation called candidate capability
        capable capture carry case category cause central certain challenge challenging
        change characteristic characterize choice choose clear clearly close code collect
        combination combine common commonly community comparable compare comparison
        complete completely complex complexity component comprehensive comprise comprises
        compute concept concerning conclude conclusion condition conduct confirm
        consequence consequently consider considerable considered consist consistent
        constitute construct construction contain content context contrast contribute
        contribution conventional converged core cores correct correlation correspond
        corresponding count counts cover create critical crucial current currently cut
        data dataset date day days deal decrease deeper define definition degree demand
        demonstrate depend dependence dependent derive describe description design
        desirable despite detail detailed detect detection determine develop development
        difference different difficult difficulty direct directly disclose discuss
        discussed discussing display distinct distinguish distinguishing domain done down
        dozens drive driven drop e.g easily easy effect effective effectively
        effectiveness efficiency efficient effort eight eliminate emerge emerging employ
        enable enabled enables encourage enhance enhanced ensure entire entirely equal era
        especially essential establish estimate et etc evaluate evaluation even evidence
        evolve exact examine example exceed excellent exhibit exist existence existing
        expect expected experiment experimental explain explanation explicit exploit
        explore explosion express extend extended extensive extensively extent extract
        extreme extremely face facilitate fact factor factual fail failure failures fairly
        fall family far fast feasible feature field fifth fill final finally finding fine
        finite first first-principles-based firstly fit five focus fold follow following
        form formal former four fourth fraction framework free front full fully function
        fundamental furthermore future gain gap gaps general generalization generalize
        generally generate github give given gives global goal good great greatly grounded
        group grow half hand handle hard heavily hence hereafter herein hidden high higher
        highly hinder hindered hold however huge hundred hurdle i.e idea ideal identify
        illustrate impact impede implement implementation implication implicit implies
        imply importance improve improved improvement include included including
        incorporate incorrect increase increasingly indeed independent indicate individual
        induced industry infinite influence information insight inspire inspired instance
        instead integrate interesting interplay interpretable introduce introduction
        investigate investigated investigation involve involving issue key known labeled
        lack landscape large largely larger last lastly latter lead leading leads least
        leave left length less let level leverage leverages lie lies likely limit
        limitation limited little local localize long loose low lower made mainly maintain
        major majority making manner many map maps mean meanwhile measure measurement
        mechanism meet mention merely method methodology mild million minor mitigate
        mitigation mixed model modeling modelling models moderate modern modest modify
        monitored moreover mostly motivate motivation multi multiple named namely natural
        nature near nearly necessary need negligible nevertheless new newer newly next
        nice nine non normal notable notably note notion novel novelty number numerical
        numerically numerous object objective observation observe obtain obtained occur
        offer old older one ongoing onto open order oriented original originate otherwise
        outcome outline outperform overall overcome own paired paradigm parameter part
        particular particularly past peak people per percent perform performance
        perspective phenomenon pipeline place platform play playing plays point poor
        popular pose possibility possible possibly post potential potentially power
        powerful practical practice pre precise predict prediction preliminary presence
        presented preserve previous previously principle prior problem procedure process
        produce progress prominent promising promote proof proper property proportion
        proposal propose proposed prove provide providing publicly pure purpose quality
        quantify quantity question quick quite raise range rapid rapidly rare rate rather
        ratio ratios reach real realistic realize realm reason reasonable receive
        reconstruct recover reduce refer reflect regard regarding regime region relate
        related relation relationship relative relatively release relevant reliable relies
        rely relying remain remains remarkable remarkably remedy report represent
        representative require requirement resolve resource respect respective
        respectively respond rest restrict resulting retain reveal review reviewed rich
        richly right rise robust robustness role roughly run sample satisfy scenario
        scheme scope second secondly seek seem seemingly seems select selection self sense
        separate series serve set setting seven several severe shape share sharp short
        side significance significant significantly similar simple simply simulation
        simultaneously single situation six size slightly slow small smaller solution
        solve source special specific specifically stage standard start state
        state-of-the-art step still straightforward strategy strength strong strongly
        structure sub subject substantial substantially subtle success successful
        successfully suffer sufficient suggest suggesting suggests suitable summarize
        summary superior support surge surpass survey synthesize system systematic
        systematically tackle tailor tailored take target task technique ten tend term
        test theoretical theory thereby therein third thorough thoroughly three thus tight
        time tiny today today's tool toolkit top total toward towards trade-off trade-offs
        tradeoff traditional treat treatment trend trillion true trustworthy try turn two
        type typical typically ubiquitous ultimately unable unclear underlying understand
        understanding understood unequal unexpected unified unify unique unit universal
        unknown unlike up upcoming upon usage used using usual usually utilize valid
        validate valuable value variant variety various vary vast version via view vital
        vs way ways weak well-known whereby whole whose wide widely within world worst
        year years yield zero
        """.split(),
    )
)
# They name a thing only beside another word: "Hubble constant", "language model".
ONLY_IN_PHRASE = frozenset(
    map(
        stem,
        """fast slow large global local exact strong weak high low long short deep model
        models data system systems theory structure function field state states energy
        method simulation simulations observation observations measurement detection image
        images network networks learning training language rate space time length scale
        region process source potential group constant analysis problem code codes set
        sets task tasks design context information attention power parameter parameters
        object objects feature features force property properties material materials
        surface signal light mass line lines order distribution dynamics formation
        evolution efficiency generation selection representation performance benchmark
        dataset algorithm algorithms architecture framework application number class
        classes category categories value point points base error errors limit question
        answer document documents text user users
        """.split(),
    )
)
NEVER = GENERIC - ONLY_IN_PHRASE

# Endings of adjectives and participles, and the nouns that end like one: a name ends in a noun.
_NO_NOUN = re.compile(
    r".+(?:[^aeiou]al|ic|ous|ive|ed|able|ible|ful|less|ary|ian|dimensional|ing"
    r"|(?:ul|ell|ol|an|ine|cle)ar)$",
    re.IGNORECASE,
)
_NOUNS = frozenset(
    """signal crystal material potential metal fractal interval retrieval removal dispersal
    logic topic metric traffic arithmetic public ceramic heuristic statistic characteristic plastic
    archive drive perspective derivative additive native
    seed feed speed weed bed variable table cable library boundary binary secondary dictionary
    summary vocabulary itinerary lagrangian hamiltonian jacobian laplacian guardian
    learning training spring string ring king lensing mixing doping sequencing clustering scaling
    splatting imaging coupling pairing timing tracking tilting binding scattering bending
    encoding decoding coding computing engineering reasoning prompting planning quenching ordering
    cooling heating shearing splitting spacing broadening screening forcing packing coating
    tunneling tunnelling embedding sampling matching modeling modelling rendering processing
    programming pruning wing turing grounding tuning fine-tuning pre-training pretraining
    fingerprinting networking switching hopping braiding lasing branching
    ferromagnetic""".split()
)


def ends_a_name(word: str) -> bool:
    """Whether `word` may be the noun that a term ends with, told by its ending."""
    last = word.lower().rpartition("-")[2]
    return last in _NOUNS or word.isupper() or _NO_NOUN.fullmatch(last) is None
