"""The only floor that joins parts of the product."""
