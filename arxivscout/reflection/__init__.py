"""What turns teach, found by rule in what was asked, done, and said of it.

    what the person says next ──noticing──► feedback on the answer before
    episodes ──likeness──► groups of like requests ──distilling──► drafts of lessons
    a lesson's statement ──statements──► what the next plan leaves out and does instead

Pure: a chat model may find more, but these rules work with none at hand.
"""
