"""The intent file: the YAML loader with positions, and the pydantic models of what the user wrote."""
