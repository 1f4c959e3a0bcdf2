"""One YAML file to a verified RoCEv2 fabric."""

__version__ = "0.1.0"
