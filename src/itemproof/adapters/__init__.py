"""One file a log format; each turns lines into records and knows no scorer."""
