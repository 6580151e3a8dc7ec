"""Mathematics in foreign text: where it stands, and which of it may go on to LaTeX as it is.

LaTeX reads files, runs programs and redefines itself by commands, in mathematics too. Only those
known to print something pass: what a list of bad ones forgets would pass.
"""

from __future__ import annotations

import re

# Pandoc's rule keeps prices out: no blank inside of either dollar, no digit behind the second.
MATHS = re.compile(r"(?<!\\)\$(?!\s)((?:\\.|[^$\\])+?)(?<!\s)\$(?!\d)")
_COMMAND = re.compile(r"\\([A-Za-z]+|[^A-Za-z]|$)")
_SIGNS = frozenset(" !,:;>{}|_%$#&")
_PRINTING = frozenset(
    """
    alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa varkappa lambda mu
    nu xi pi varpi rho varrho sigma varsigma tau upsilon phi varphi chi psi omega digamma
    Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega
    aleph beth gimel daleth hbar hslash imath jmath ell wp Re Im partial infty nabla emptyset
    varnothing forall exists nexists neg lnot angle triangle square Box diamond Diamond lozenge
    bigstar flat natural sharp clubsuit diamondsuit heartsuit spadesuit prime backprime surd top bot
    complement eth mho dag ddag dagger ddagger S P pounds degree checkmark
    pm mp times div ast star circ bullet cdot cap cup uplus sqcap sqcup vee wedge lor land setminus
    smallsetminus wr amalg oplus ominus otimes oslash odot bigcirc ltimes rtimes Join bowtie
    boxtimes boxplus dotplus triangleleft triangleright bigtriangleup bigtriangledown intercal
    le leq leqslant leqq ge geq geqslant geqq ll gg lll ggg prec preceq succ succeq sim simeq approx
    approxeq cong equiv doteq propto varpropto asymp neq ne lesssim gtrsim lessapprox gtrapprox
    lessgtr gtrless subset subseteq subsetneq supset supseteq supsetneq sqsubset sqsubseteq sqsupset
    sqsupseteq in notin ni owns perp parallel mid nmid models vdash dashv vDash Vdash smile frown
    trianglelefteq trianglerighteq not nless ngtr nleq ngeq nsim ncong nsubseteq nsupseteq
    leftarrow rightarrow to gets leftrightarrow Leftarrow Rightarrow Leftrightarrow uparrow
    downarrow updownarrow Uparrow Downarrow mapsto longmapsto longrightarrow longleftarrow
    longleftrightarrow Longrightarrow Longleftarrow Longleftrightarrow hookrightarrow hookleftarrow
    rightharpoonup rightharpoondown leftharpoonup leftharpoondown rightleftharpoons
    rightsquigarrow leadsto nearrow searrow swarrow nwarrow twoheadrightarrow rightarrowtail iff
    implies impliedby
    sum prod coprod int iint iiint oint bigcap bigcup bigsqcup bigvee bigwedge bigoplus bigotimes
    bigodot biguplus
    hat widehat check breve acute grave tilde widetilde bar overline underline vec overrightarrow
    overleftarrow dot ddot dddot mathring overbrace underbrace
    frac dfrac tfrac cfrac binom dbinom tbinom choose over atop sqrt root of stackrel overset
    underset
    left right big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr middle
    langle rangle lbrace rbrace lbrack rbrack lfloor rfloor lceil rceil vert Vert lvert rvert lVert
    rVert backslash ulcorner urcorner
    ldots cdots vdots ddots dots dotsc dotsb dotsm colon quad qquad enspace thinspace negthinspace
    nonumber limits nolimits displaystyle textstyle scriptstyle scriptscriptstyle scriptsize
    mathrm mathbf mathit mathsf mathtt mathcal mathbb mathfrak mathscr mathbbm mathds mathop mathbin
    mathrel mathord boldsymbol bm pmb operatorname text textrm textit textbf textsf texttt textsc
    textup textnormal textsuperscript textsubscript emph mbox rm bf it sf tt sl sc cal frak Bbb
    arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf
    limsup ln log max min Pr sec sin sinh sup tan tanh mod bmod pmod pod
    AA aa AE ae OE oe O o L l ss
    """.split()
)


def only_prints(maths: str) -> bool:
    """Does this mathematics print something and nothing else, whoever renders it?"""
    if "^^" in maths:  # TeX reads any character out of it, a backslash too
        return False
    return all(
        name in _PRINTING or name in _SIGNS or name == "\\" for name in _COMMAND.findall(maths)
    )
