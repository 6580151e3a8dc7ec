"""Jobs from YAML: a list of jobs, or a mapping of `defaults:` and `jobs:`.

The parser's events are read rather than the objects it would build: they have lines, nothing is
unfolded, nothing is made of a tag, and a file may be as deep as it likes without harm.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import yaml

from arxivscout.batch.entries import Entry, Given, Read

_DEEPEST = 8
_STR = "tag:yaml.org,2002:str"
# The parser in C is twenty times as fast; it comes with most builds of the package.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_RESOLVER = yaml.resolver.Resolver()


@dataclass(slots=True)
class _Node:
    line: int
    kind: str  # scalar, list, mapping
    value: Any = None
    inside: list[_Node] = field(default_factory=list)  # of a mapping: name, value, name, value, …
    whole: bool = True  # false for what is left open where reading ended

    def pairs(self) -> list[tuple[_Node, _Node]]:
        return list(zip(self.inside[::2], self.inside[1::2], strict=False))

    def plain(self) -> Any:
        """The value as JSON; the node is nested `_DEEPEST` levels at most."""
        if self.kind == "list":
            return [each.plain() for each in self.inside]
        if self.kind == "mapping":
            return {str(name.plain()): each.plain() for name, each in self.pairs()}
        return self.value


def read_yaml(text: str) -> Read:
    """What a YAML text holds; what comes behind broken syntax is not looked at."""
    read = Read()
    root = _compose(text, read)
    if root is None or (root.kind == "scalar" and root.value is None):
        return read
    if root.kind == "mapping":
        _both(root, read)
    elif root.kind == "list":
        _jobs(root, read)
    else:
        read.wrong(root.line, "a list of jobs is expected: `- ` before each")
    return read


def _both(root: _Node, read: Read) -> None:
    seen = set()
    for name, node in root.pairs():
        if name.value in seen:
            read.wrong(name.line, f"`{name.value}:` is given twice")
        elif name.value == "jobs" and node.kind == "list":
            _jobs(node, read)
        elif name.value == "jobs":
            read.wrong(node.line, "`jobs:` must be a list: `- ` before each job")
        elif name.value == "defaults" and node.kind == "mapping":
            read.defaults = _entry(node, read) or read.defaults
        elif name.value == "defaults":
            read.wrong(node.line, "`defaults:` must be fields and their values")
        elif name.value == "question":
            read.wrong(name.line, "a list of jobs is expected: `- ` before each")
            return
        else:
            shown = repr(name.plain())[:60]
            read.wrong(name.line, f"{shown} is neither `defaults:` nor `jobs:`")
        if name.kind == "scalar":
            seen.add(name.value)


def _jobs(node: _Node, read: Read) -> None:
    for each in node.inside:
        entry = _entry(each, read)
        if entry is not None and not read.add(entry):
            return


def _entry(node: _Node, read: Read) -> Entry | None:
    if not node.whole:
        return None
    if node.kind == "list" or (node.kind == "scalar" and node.value is None):
        what = "a list" if node.kind == "list" else "nothing"
        read.wrong(node.line, f"a job must be a question or fields with values, not {what}")
        return None
    if node.kind == "scalar":
        return Entry(node.line, {"question": Given(node.line, node.value)})
    entry = Entry(node.line)
    for name, each in node.pairs():
        if name.kind != "scalar" or not isinstance(name.value, str):
            read.wrong(name.line, f"a field's name must be text, not {repr(name.plain())[:60]}")
        elif name.value in entry.fields:
            read.wrong(name.line, f"{name.value} is given twice")
        else:
            entry.fields[name.value] = Given(each.line, each.plain())
    return entry


def _compose(text: str, read: Read) -> _Node | None:
    """The document's root, as far as it goes until the first thing that can't be read."""
    root: _Node | None = None
    stack: list[_Node] = []
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            if isinstance(event, yaml.CollectionEndEvent):
                stack.pop()
                continue
            if not isinstance(event, yaml.NodeEvent):
                if isinstance(event, yaml.DocumentStartEvent) and root is not None:
                    read.wrong(event.start_mark.line + 1, "a second document begins; one is read")
                    return root
                continue
            line = event.start_mark.line + 1
            if why := _refused(event, len(stack)):
                read.wrong(line, why)
                return root
            if isinstance(event, yaml.ScalarEvent):
                node = _Node(line, "scalar", _scalar(event))
            else:
                mapping = isinstance(event, yaml.MappingStartEvent)
                node = _Node(line, "mapping" if mapping else "list")
            if stack:
                stack[-1].inside.append(node)
            else:
                root = node
            if node.kind != "scalar":
                stack.append(node)
    except yaml.YAMLError as error:
        read.wrong(*_broken(error, text))
    finally:
        for node in stack:
            node.whole = False
    return root


def _refused(event: yaml.NodeEvent, depth: int) -> str | None:
    if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
        return "anchors and aliases (&name, *name) are not read; what all share goes to `defaults:`"
    tag = getattr(event, "tag", None)
    if tag not in (None, "!", _STR):
        return f"tags ({tag[:60]}) are not read"
    return f"nested deeper than {_DEEPEST} levels" if depth >= _DEEPEST else None


def _scalar(event: yaml.ScalarEvent) -> Any:
    """Text, null, boolean or number as written; what is no plain number (007, 1:30) is text."""
    value: str = event.value
    if event.style or event.tag:
        return value
    kind = _RESOLVER.resolve(yaml.ScalarNode, value, (True, False)).rpartition(":")[2]
    if kind == "null":
        return None
    if kind == "bool":
        return value.lower() in ("yes", "true", "on")
    if kind == "int" and len(value) < 20 and str(int(value) if value.isdecimal() else "") == value:
        return int(value)
    if kind == "float":
        try:
            return float(value)
        except ValueError:
            return value
    return value


def _broken(error: yaml.YAMLError, text: str) -> tuple[int, str]:
    what = getattr(error, "problem", None) or getattr(error, "reason", None) or "it can't be read"
    mark = getattr(error, "problem_mark", None)
    begun = getattr(error, "context_mark", None)
    last = text.rstrip().count("\n")
    if mark is not None and begun is not None and mark.line > last:
        mark = begun  # what is never closed is looked for to the end
    if mark is not None:
        return min(mark.line, last) + 1, f"broken YAML: {what}"
    at = getattr(error, "position", 0) or 0
    return text.count("\n", 0, at) + 1, f"broken YAML: {what}"
