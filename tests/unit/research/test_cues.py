"""The words by which authors say that something is disputed or open, and those that only sound so.

The sentences are written for these tests, in the manner of abstracts.
"""

from __future__ import annotations

import pytest

from arxivscout.research.dispute_cues import DISPUTED
from arxivscout.research.open_cues import OPEN

IS_DISPUTED = """
The origin of the plateau is still under debate.
Whether owls sleep in flight is a matter of intense debate.
Reports of the isotope effect are highly controversial.
Our value is in 3.2$\\sigma$ tension with the one of the local distance ladder.
There is a tension between the early and the late measurements of the expansion rate.
Contrary to previous studies, we find no sign of a gap.
Contrary to common belief, larger models are not less calibrated.
This result contradicts earlier claims that the phase is nematic.
Our data challenge the conventional view of how such discs form.
These galaxies challenge standard models of early growth.
The measured slope is at odds with predictions of the cold model.
These findings call into question the use of single-cloud estimates.
Recent surveys cast doubt on the existence of the fifth state.
We refute the claim that depth alone explains the gain.
Experiments have given conflicting results on the sign of the coupling.
There is no consensus on how such texts should be scored.
We give a counterexample to a conjecture on tilted algebras.
The discrepancy between the two lifetimes persists after thirty years.
Studies on the benefit of longer contexts show mixed results.
The interpretation of this signal is disputed.
""".strip().splitlines()

NOT_A_DISPUTE = """
We propose a multi-agent debate framework that improves the answers.
The surface tension of the film is measured at room temperature.
We minimize the maximum mean discrepancy between both domains.
The proof is by contradiction and uses induction on the length.
Our result is not in contradiction with the earlier theorem.
We find no tension between the two data sets.
This poses significant challenges in understanding such scenes.
Reconstruction remains challenging for existing models.
It resolves conflicts between gradients of different tasks.
The method alleviates the discrepancy between training and inference.
We detect contradictions between sentences of a document.
Our results are consistent with previous measurements.
LLMs present a challenge for understanding the intent of their users.
We study the knowledge conflicts between context and memory.
The dataset holds comments on controversial topics.
A wire under tension vibrates at a higher pitch.
""".strip().splitlines()

IS_OPEN = """
The origin of these bursts remains unknown.
Why such networks generalise is still poorly understood.
It is unclear whether the effect survives at higher doping.
How the two mechanisms interact remains an open question.
Whether the bound is tight remains to be seen.
Further observations are needed to confirm the companion.
More data are required to settle the sign of the effect.
Little is known about the winters of owls.
We conjecture that the same holds in every odd degree.
A proof for infinite groups is left for future work.
The mechanism of the transition is not yet understood.
The nature of the second peak is not well understood.
Its exact age is yet to be determined.
Several open problems remain, such as the role of spin.
The cause of the delay warrants further investigation.
Future surveys will clarify whether the signal is real.
""".strip().splitlines()

NOT_OPEN_AT_ALL = """
We solve an open problem of the theory of trees.
This answers an open question on the growth of groups.
Here we resolve a longstanding open question on the gap.
We prove the conjecture for all finite groups.
The code is open source and available at the project's page.
We train on open-ended questions from five domains.
The method estimates an unknown quantum state from few copies.
The well-known model explains the data.
The dataset will facilitate future research on summaries.
We consider an open quantum system coupled to a bath.
The rotation curve remains flat out to large radii.
Applications remain constrained by the scarcity of corpora.
This question has been open since the last century.
Weighing requires additional conditions on the spectrum.
Our framework can handle unknown classes at test time.
""".strip().splitlines()


@pytest.mark.parametrize("sentence", IS_DISPUTED)
def test_a_dispute_is_told(sentence: str) -> None:
    assert DISPUTED.tell(sentence)


@pytest.mark.parametrize("sentence", [*NOT_A_DISPUTE, *IS_OPEN, *NOT_OPEN_AT_ALL])
def test_what_only_sounds_like_a_dispute_is_none(sentence: str) -> None:
    assert not DISPUTED.tell(sentence)


@pytest.mark.parametrize("sentence", IS_OPEN)
def test_an_open_problem_is_told(sentence: str) -> None:
    assert OPEN.tell(sentence)


@pytest.mark.parametrize("sentence", [*NOT_OPEN_AT_ALL, *NOT_A_DISPUTE])
def test_what_only_sounds_open_is_not(sentence: str) -> None:
    assert not OPEN.tell(sentence)
