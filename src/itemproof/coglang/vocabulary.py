"""The 49 heads of the language as data: kind, arity, effects, and what each is for. No logic.

`arity` is what validation checks, `spec_arity` what the language's specification asks for (None: any number). Where the
two differ, validation follows the language's reference tool, and the difference is a diagnostic.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

__all__ = ["COMPOSE", "EFFECT_ORDER", "OPAQUE", "PURE", "TRAVERSE", "VOCABULARY", "Arity", "Head"]

#: The least and the greatest number of arguments, None for no upper end.
Arity: TypeAlias = tuple[int, int | None]

PURE: Final = "pure"

#: The order in which effects are listed. `host.policy` and `human.review` come last instead when a review adds them.
EFFECT_ORDER: Final = (
    PURE,
    "graph.read",
    "graph.traverse",
    "graph.write",
    "graph.delete",
    "graph.unify",
    "meta.trace",
    "host.submit",
    "host.policy",
    "human.review",
    "external.tool",
    "external.io",
)

TRAVERSE: Final = "Traverse"
COMPOSE: Final = "Compose"

#: Nothing inside their arguments is looked at: they are terms, not expressions to be run.
OPAQUE: Final = frozenset({"Unify", "Match"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """One head.

    Attributes:
        name: Case-sensitive.
        kind: operator, reserved, data, tag, truth, absence, state or error.
        arity: What validation checks; None checks nothing.
        spec_arity: What the specification asks for; None where it asks for nothing.
        effects: What running it may do, in the listed order; empty is pure.
        possible_error: The error that running it may end in, or None.
        meaning: For a reader.
    """

    name: str
    kind: str
    meaning: str
    arity: Arity | None = None
    spec_arity: Arity | None = None
    effects: tuple[str, ...] = ()
    possible_error: str | None = None


_READ: Final = ("graph.read",)
_WRITE: Final = ("graph.write",)
_TRACE: Final = ("meta.trace",)
_TOOL: Final = ("external.tool",)
_UNIFY: Final = ("graph.unify",)
_STUB: Final = "StubError"
_BRANCHES: Final = "UnificationBranchLimitExceeded"

_ZERO: Final[Arity] = (0, 0)
_ONE: Final[Arity] = (1, 1)
_TWO: Final[Arity] = (2, 2)
_THREE: Final[Arity] = (3, 3)
_FOUR: Final[Arity] = (4, 4)


def _core(name: str, meaning: str, spec: Arity, effects: tuple[str, ...] = (), *, checked: Arity | None = None) -> Head:
    return Head(name=name, kind="operator", meaning=meaning, arity=checked, spec_arity=spec, effects=effects)


def _unify(name: str, meaning: str) -> Head:
    return Head(name=name, kind="operator", meaning=meaning, spec_arity=_TWO, effects=_UNIFY, possible_error=_BRANCHES)


def _tool(name: str, meaning: str, spec: Arity | None = None) -> Head:
    return Head(name=name, kind="reserved", meaning=meaning, spec_arity=spec, effects=_TOOL, possible_error=_STUB)


def _plain(kind: str, name: str, meaning: str, spec: Arity | None = None) -> Head:
    return Head(name=name, kind=kind, meaning=meaning, spec_arity=spec)


_HEADS: Final = (
    _core("Abstract", "forms a prototype from a list of instances", _ONE),
    _core("AllNodes", "every node that can be seen", _ZERO, _READ),
    _core("Assert", "notes whether a condition holds, with a message, and goes on", _TWO, _TRACE, checked=(1, 2)),
    _core("Compare", "says how two values differ", _TWO, _TRACE),
    _core("Compose", "names a new operator: its name, its parameters, its body", _THREE, checked=_THREE),
    _core("Create", "adds a node, or an edge", _TWO, _WRITE),
    _core("Delete", "removes a node, or an edge", (1, 2), ("graph.write", "graph.delete")),
    _core("Do", "takes steps in order and gives the last one's value", (1, None), checked=(1, None)),
    _core("Equal", "whether two values are the same", _TWO),
    _core("ForEach", "one result for each element of a list", _THREE, checked=_THREE),
    _core("Get", "an entry of a dict, an element of a list, or a field of a node", _TWO, _READ),
    _core("If", "one of two branches", _THREE, checked=_THREE),
    _core("IfFound", "goes on with a value if there is one, else falls back", _FOUR, checked=_FOUR),
    _unify("Match", "another name of Unify"),
    _core("Query", "the nodes for which a condition holds", (2, 3), _READ, checked=(2, 3)),
    _core("Trace", "runs an expression and keeps a record of it", _ONE, _TRACE),
    Head(
        name=TRAVERSE,
        kind="operator",
        meaning="where one relation leads from a node",
        spec_arity=_TWO,
        effects=("graph.read", "graph.traverse"),
        possible_error="TraversalLimitExceeded",
    ),
    _unify("Unify", "the bindings that make two terms the same"),
    _core("Update", "changes fields of a node", _TWO, _WRITE),
    Head(name="Explain", kind="reserved", meaning="tells what would be done", spec_arity=_ONE, effects=_TRACE),
    Head(
        name="Send",
        kind="reserved",
        meaning="a message to somebody else",
        effects=("host.submit",),
        possible_error=_STUB,
    ),
    _tool("Inspect", "the parts of an object", _ONE),
    _tool("Instantiate", "makes an instance of a template"),
    _tool("Probe", "tries rules out in a context"),
    _tool("Explore", "looks around a topic"),
    _tool("Estimate", "guesses what something would cost"),
    _tool("Decompose", "cuts a task into parts"),
    _tool("Defer", "puts a task off"),
    _tool("Resume", "takes a task up again"),
    _tool("Merge", "makes one of two values"),
    _plain("data", "List", "a sequence"),
    _plain("tag", "Entity", "a node that stands for a thing"),
    _plain("tag", "Relation", "a node that stands for a relation"),
    _plain("tag", "Attribute", "a node that stands for a property"),
    _plain("tag", "Operation", "a node that stands for an operator"),
    _plain("tag", "Rule", "a node that stands for a rule"),
    _plain("tag", "LogicRule", "a node that stands for a rule of logic"),
    _plain("tag", "SelfRef", "a node that stands for the graph's owner"),
    _plain("truth", "True", "true", _ZERO),
    _plain("truth", "False", "false", _ZERO),
    _plain("absence", "NotFound", "there is none", _ZERO),
    _plain("state", "Deferred", "put off"),
    _plain("state", "Draft", "not final"),
    _plain("state", "Published", "final"),
    _plain("error", "TypeError", "a value of the wrong type", _FOUR),
    _plain("error", "ParseError", "a text that is no expression", _TWO),
    _plain("error", "PermissionError", "not allowed", _TWO),
    _plain("error", "StubError", "not built yet", _TWO),
    _plain("error", "RecursionError", "nested too deep to run", _THREE),
)

#: All heads by name.
VOCABULARY: Final[Mapping[str, Head]] = {head.name: head for head in _HEADS}
