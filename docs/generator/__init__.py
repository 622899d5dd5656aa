"""Makes the reference pages from the code: each module gives one page."""
