"""What a model is told of a tool, in OpenAI's form: without what says nothing, or in short."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arxivscout.papers.sentences import split_sentences

_TELLING = ("type", "enum", "items", "anyOf", "$ref")  # of an argument's schema, however short


def plain(schema: Any) -> Any:
    """A JSON schema without what costs tokens only: titles, empty defaults, "or null", and lengths
    that no model comes near (who does is told so)."""
    if isinstance(schema, list):
        return [plain(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    options = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    if len(options) == 1 and len(schema["anyOf"]) == 2:
        schema = {**options[0], **{key: each for key, each in schema.items() if key != "anyOf"}}
    return {
        key: plain(each)
        for key, each in schema.items()
        if not (key == "title" and isinstance(each, str))
        and not (key == "default" and each in (None, "", []))
        and not (key == "maxLength" and isinstance(each, int))
    }


def in_short(definition: dict[str, Any], essential: Sequence[str]) -> dict[str, Any]:
    """A definition in as few words as a call can be made by.

    The first sentence of the description stays, and the arguments that are required or `essential`:
    where one's permitted values tell what it is, without its description.
    """
    function = definition["function"]
    schema = function.get("parameters") or {}
    required = list(schema.get("required") or ())
    arguments = {
        name: {
            key: value
            for key, value in argument.items()
            if key in _TELLING or (key == "description" and "enum" not in argument)
        }
        for name, argument in (schema.get("properties") or {}).items()
        if name in required or name in essential
    }
    parameters = {"type": "object", "properties": arguments, "required": required}
    # Definitions that these arguments refer to stay with them.
    parameters |= {"$defs": schema["$defs"]} if "$defs" in schema else {}
    told = next(iter(split_sentences(function.get("description") or "")), "")
    return {
        "type": "function",
        "function": {"name": function["name"], "description": told, "parameters": parameters},
    }
