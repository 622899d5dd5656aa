"""The CogLang language front-end: tree, canonical text, static checks, preflight; knows no file and no record."""
