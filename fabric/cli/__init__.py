"""One file per command under ``commands/``: options -> workflow -> report -> exit code."""
