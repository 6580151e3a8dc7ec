"""`python -m arxivscout` is `arxivscout`."""

from __future__ import annotations

from arxivscout.cli import main

if __name__ == "__main__":
    main()
