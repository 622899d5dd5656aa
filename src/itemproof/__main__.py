"""`python -m itemproof` is the command `itemproof`."""

from itemproof.cli.main import run

if __name__ == "__main__":
    run()
