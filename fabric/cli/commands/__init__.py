"""The commands; a file is a command, a folder is a group of commands."""
