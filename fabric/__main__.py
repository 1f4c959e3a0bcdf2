"""Run the command line with ``python -m fabric``."""

from fabric.cli.main import main

main()
