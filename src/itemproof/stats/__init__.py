"""Statistics over plain numbers; knows no record."""
