"""The immutable archive: layout, transactions, ingest, seal, validate, recover."""
