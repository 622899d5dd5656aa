"""One rule a file: a code, whether an application breaks it, and what to say then."""
