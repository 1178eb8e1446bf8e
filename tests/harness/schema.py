# SPDX-License-Identifier: MIT
"""Whether a value is what a tool's schema promises, in the words our schemas
use; a word that is not known here fails, so that none goes unchecked."""

KNOWN = {"type", "properties", "required", "items", "enum", "minimum",
         "maximum", "minItems", "additionalProperties", "description",
         "default", "title"}
TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and
    not isinstance(v, bool),
    "null": lambda v: v is None,
}


def meets(value, schema, path="answer"):
    """Raises AssertionError with the path of what does not."""
    unknown = set(schema) - KNOWN
    assert not unknown, f"{path}: this check does not know {unknown}"
    types = schema.get("type", list(TYPES))
    types = [types] if isinstance(types, str) else types
    assert any(TYPES[t](value) for t in types), f"{path}: no {types}: {value!r}"
    if "enum" in schema:
        assert value in schema["enum"], f"{path}: {value!r}"
    if isinstance(value, (int, float)):
        low, high = schema.get("minimum"), schema.get("maximum")
        assert low is None or value >= low, f"{path}: {value} < {low}"
        assert high is None or value <= high, f"{path}: {value} > {high}"
    if isinstance(value, dict):
        _members(value, schema, path)
    if isinstance(value, list):
        assert len(value) >= schema.get("minItems", 0), f"{path}: too few"
        for i, item in enumerate(value):
            meets(item, schema.get("items", {}), f"{path}[{i}]")


def _members(value, schema, path):
    known = schema.get("properties", {})
    for name in schema.get("required", ()):
        assert name in value, f"{path}: {name} is missing"
    for name, member in value.items():
        is_open = schema.get("additionalProperties", True)
        assert name in known or is_open, f"{path}: {name} is not known"
        meets(member, known.get(name, {}), f"{path}.{name}")
