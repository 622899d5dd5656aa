"""Formats are found by name or by their first record; another's adapter is loaded late and never trusted."""

# ruff: noqa: ARG002 (these adapters need not look at what they are given)

from __future__ import annotations

import sys
import types
from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint
from itertools import combinations
from typing import Any

import pytest

from itemproof.adapters import registry
from itemproof.adapters.base import Adapter, LineRefused, Tally
from itemproof.adapters.canonical import CanonicalAdapter
from itemproof.adapters.generation_eval import GenerationEvalAdapter
from itemproof.adapters.harness import HarnessAdapter
from itemproof.adapters.paired import PairedAdapter
from itemproof.core.errors import InvalidInput, invalid
from itemproof.core.findings import Code, Finding, Findings
from itemproof.core.where import Where
from normalising import file_context

MODULE = "adapters_of_another_package"


class Other:
    """Another package's format."""

    name = "other"
    version = 3
    needs = "a key named other"

    def recognises(self, line: Mapping[str, Any]) -> bool:
        return "other" in line

    def normaliser(self, context: Any) -> Any:
        return Working()

    def review(self, context: Any, tally: Any) -> Any:
        return Findings()


class Working:
    """A normaliser without a fault."""

    def records(self, line: dict[str, Any], number: int) -> Any:
        return iter([{**line, "number": number}])

    def take(self) -> Any:
        return Tally(stable=1)


class FailingNormaliser(Other):
    name = "failing-normaliser"

    def normaliser(self, context: Any) -> Any:
        raise ZeroDivisionError("no lines")

    def review(self, context: Any, tally: Any) -> Any:
        return []


class FailingRecords(Other, Working):
    name = "failing-records"

    def normaliser(self, context: Any) -> Any:
        return self

    def records(self, line: dict[str, Any], number: int) -> Any:
        """Fails while its records are taken, not when it is called."""
        if "refused" in line:
            raise LineRefused(Finding(Code("Z001", "own"), "not this one"))
        yield {"number": number}
        yield line["absent"]

    def take(self) -> Any:
        return {"stable": 1}

    def review(self, context: Any, tally: Any) -> Any:
        raise invalid(Code("Z002", "own"), "own refusal")


class Shy(Other):
    name = "shy"

    @property
    def needs(self) -> str:  # type: ignore[override]
        raise RuntimeError("ask me later")


class Greedy(Other):
    name = "greedy"

    def recognises(self, line: Mapping[str, Any]) -> bool:
        return "question_id" in line


class Failing(Other):
    name = "failing"

    def recognises(self, line: Mapping[str, Any]) -> bool:
        return bool(line["absent"])


class NoVersion(Other):
    name = "no-version"
    version = "3"  # type: ignore[assignment]


class NoMethod:
    name = "no-method"
    version = 1
    needs = "nothing"


class NoReview(NoMethod):
    name = "no-review"

    def recognises(self, line: Mapping[str, Any]) -> bool:
        return False

    def normaliser(self, context: Any) -> Any:
        return Working()


class NeedsArguments(Other):
    name = "needs-arguments"

    def __init__(self, folder: str) -> None:
        self.folder = folder


@pytest.fixture(autouse=True)
def _installed() -> Iterator[None]:
    module = types.ModuleType(MODULE)
    others = (FailingNormaliser, FailingRecords, Shy, NoReview)
    for kind in (Other, Greedy, Failing, NoVersion, NoMethod, NeedsArguments, *others):
        setattr(module, kind.__name__, kind)
    module.ready = Other()  # type: ignore[attr-defined]
    sys.modules[MODULE] = module
    yield
    del sys.modules[MODULE]


def plugins(**named: str) -> registry.Plugins:
    """Entry points by name; each value is an attribute of the other package's module, or a whole reference."""
    found = [
        EntryPoint(name.replace("_", "-"), value if ":" in value else f"{MODULE}:{value}", registry.GROUP)
        for name, value in named.items()
    ]
    return lambda: found


def refusal(code: str, call: Any) -> str:
    with pytest.raises(InvalidInput) as refused:
        call()
    assert refused.value.code.id == code
    return refused.value.text


@pytest.mark.parametrize(
    ("name", "kind"), [("canonical", CanonicalAdapter), ("harness", HarnessAdapter), ("paired", PairedAdapter)]
)
def test_the_own_formats_are_there_by_name(name: str, kind: type[Adapter]) -> None:
    found = registry.adapter(name, plugins=plugins())
    assert type(found) is kind
    assert registry.is_builtin(found)


def test_the_names_are_the_own_and_then_the_others() -> None:
    assert registry.names(plugins=plugins(other="Other", greedy="Greedy")) == (
        "canonical",
        "harness",
        "paired",
        "generation-eval",
        "other",
        "greedy",
    )


def test_an_installed_package_is_asked_for_its_entry_points() -> None:
    assert set(registry.names()) >= {"canonical", "harness", "paired"}


@pytest.mark.parametrize("value", ["Other", "ready"])
def test_anothers_format_may_be_a_class_or_an_object_and_is_not_trusted(value: str) -> None:
    found = registry.adapter("other", plugins=plugins(other=value))
    assert (found.name, found.version) == ("other", 3)
    assert not registry.is_builtin(found)


def test_a_name_that_nobody_has_is_refused_with_those_there_are() -> None:
    text = refusal("R030", lambda: registry.adapter("inspect", plugins=plugins(other="Other")))
    assert (
        text == "--format 'inspect' is not known; the formats are canonical, harness, paired, generation-eval, other."
    )


def test_a_broken_adapter_does_not_disturb_a_format_asked_for_by_name() -> None:
    assert registry.adapter("paired", plugins=plugins(broken="nowhere:at_all")).name == "paired"


@pytest.mark.parametrize(
    ("plugin", "reason"),
    [
        pytest.param(
            {"broken": "nowhere_at_all:X"}, "ModuleNotFoundError: No module named 'nowhere_at_all'", id="module"
        ),
        pytest.param({"broken": "Absent"}, "AttributeError: ", id="attribute"),
        pytest.param({"needs_arguments": "NeedsArguments"}, "TypeError: ", id="arguments"),
        pytest.param({"no_version": "NoVersion"}, "its version is no int", id="version"),
        pytest.param({"no_method": "NoMethod"}, "it has no method recognises", id="method"),
        pytest.param({"no_review": "NoReview"}, "it has no method review", id="review"),
        pytest.param({"shy": "Shy"}, "RuntimeError: ask me later", id="property"),
        pytest.param({"alias": "Other"}, "it calls itself 'other'", id="name"),
    ],
)
def test_an_adapter_that_does_not_work_is_named(plugin: dict[str, str], reason: str) -> None:
    (name,) = (name.replace("_", "-") for name in plugin)
    text = refusal("R033", lambda: registry.adapter(name, plugins=plugins(**plugin)))
    assert text.startswith(f"the adapter {name!r} (")
    assert f"does not work: {reason}" in text
    assert refusal("R033", lambda: registry.detect({"other": 1}, plugins=plugins(**plugin))) == text


def test_an_adapter_that_fails_to_look_at_a_record_is_named() -> None:
    text = refusal("R033", lambda: registry.detect({"other": 1}, plugins=plugins(failing="Failing")))
    assert text.startswith("the adapter 'failing' does not work: KeyError: 'absent'. ")


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda both: registry.names(plugins=both), id="listing"),
        pytest.param(lambda both: registry.adapter("paired", plugins=both), id="by name"),
        pytest.param(lambda both: registry.detect({}, plugins=both), id="by record"),
    ],
)
def test_an_adapter_with_the_name_of_an_own_format_is_refused(call: Any) -> None:
    text = refusal("R034", lambda: call(plugins(paired="Other")))
    assert text == (
        f"the adapter 'paired' ({MODULE}:Other) has the name of a format of itemproof; uninstall it or have it renamed."
    )


def test_two_adapters_with_one_name_are_refused() -> None:
    twice = [EntryPoint("other", f"{MODULE}:{value}", registry.GROUP) for value in ("Other", "ready")]
    text = refusal("R034", lambda: registry.names(plugins=lambda: twice))
    assert text == (
        f"the adapter 'other' ({MODULE}:Other) and the adapter 'other' ({MODULE}:ready) have one name; "
        "uninstall one of them."
    )


LINES: dict[str, dict[str, Any]] = {
    "canonical": {"question_id": "q", "variant_id": "v", "correct": True},
    "harness": {"doc_id": 0, "doc": {"id": 1}, "target": "", "resps": [[""]], "filtered_resps": [""]},
    "paired": {"question_id": "q", "original": {}, "rephrased": {}},
    "other": {"other": 1},
}


@pytest.mark.parametrize(("name", "line"), LINES.items(), ids=LINES)
def test_the_first_record_tells_the_format_and_why(name: str, line: dict[str, Any]) -> None:
    found, why = registry.detect(line, plugins=plugins(other="Other"))
    assert found.name == name
    assert why == f"its first record has {found.needs}"


@pytest.mark.parametrize("name", ["canonical", "harness", "paired"])
def test_a_question_and_a_variant_on_another_formats_line_confuse_nobody(name: str) -> None:
    line = {"question_id": "q", "variant_id": "v", **LINES[name]}
    assert registry.detect(line, plugins=plugins())[0].name == name


def test_a_record_that_nobody_knows_is_refused_with_what_each_needs() -> None:
    place = Where(file="events.jsonl", line=2)
    with pytest.raises(InvalidInput) as refused:
        registry.detect({"event": "spec", "run": 1}, where=place, plugins=plugins(other="Other"))
    assert (refused.value.code.id, refused.value.where) == ("R031", place)
    assert refused.value.text == (
        f"found an object with the keys event, run, which no format knows: canonical needs {CanonicalAdapter.needs}; "
        f"harness needs {HarnessAdapter.needs}; paired needs {PairedAdapter.needs}; generation-eval needs "
        f"{GenerationEvalAdapter.needs}; other needs a key named other. "
        "If it is one of these all the same, name it with --format."
    )


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        pytest.param({}, "no keys", id="none"),
        pytest.param(
            {f"k{n}": n for n in range(14)}, "14 keys (k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, …)", id="many"
        ),
    ],
)
def test_a_refusal_shows_some_of_the_keys(line: dict[str, Any], shown: str) -> None:
    text = refusal("R031", lambda: registry.detect(line, plugins=plugins()))
    assert text.startswith(f"found an object with {shown}, which no format knows")


def test_a_record_that_several_know_is_refused() -> None:
    text = refusal("R032", lambda: registry.detect(LINES["canonical"], plugins=plugins(greedy="Greedy")))
    assert text == "found what fits canonical, greedy; name the format with --format."


def test_no_record_fits_two_of_the_own_formats() -> None:
    telling: dict[str, Any] = {
        **dict.fromkeys(("question_id", "variant_id", "identity_scope"), "x"),
        **{key: {} for key in ("doc", "resps", "filtered_resps", "original", "rephrased")},
    }
    own = [registry.adapter(name, plugins=plugins()) for name in ("canonical", "harness", "paired")]
    for size in range(len(telling) + 1):
        for names in combinations(telling, size):
            line = {name: telling[name] for name in names}
            assert sum(candidate.recognises(line) for candidate in own) <= 1, line


def other(kind: str) -> Adapter:
    """The other package's adapter of this class, as the registry gives it."""
    name = "".join(f"-{char.lower()}" if char.isupper() else char for char in kind).strip("-")
    return registry.adapter(name, plugins=plugins(**{name.replace("-", "_"): kind}))


def test_an_adapter_that_works_is_passed_through() -> None:
    adapter, context = other("Other"), file_context()
    normaliser = adapter.normaliser(context)
    assert normaliser.records({"other": 1}, 7) == [{"other": 1, "number": 7}]
    assert normaliser.take() == Tally(stable=1)
    assert list(adapter.review(context, Tally())) == []
    assert adapter.recognises({"other": 1})


_WAY_OUT = " Mend or uninstall it, or name one of itemproof's formats with --format."


def test_what_an_adapter_raises_on_a_line_refuses_the_line_by_the_adapter_s_name() -> None:
    normaliser = other("FailingRecords").normaliser(file_context())
    with pytest.raises(LineRefused) as refused:
        normaliser.records({}, 3)
    text = f"the adapter 'failing-records' does not work: KeyError: 'absent'.{_WAY_OUT}"
    assert [(one.code.id, one.text) for one in refused.value.findings] == [("R033", text)]


def test_an_adapter_s_own_refusals_stay_as_they_are() -> None:
    adapter, context = other("FailingRecords"), file_context()
    with pytest.raises(LineRefused) as refused:
        adapter.normaliser(context).records({"refused": 1}, 3)
    assert [one.code.id for one in refused.value.findings] == ["Z001"]
    assert refusal("Z002", lambda: adapter.review(context, Tally())) == "own refusal"


@pytest.mark.parametrize(
    ("kind", "call", "reason"),
    [
        pytest.param(
            "FailingNormaliser",
            lambda adapter: adapter.normaliser(file_context()),
            "ZeroDivisionError: no lines",
            id="normaliser",
        ),
        pytest.param(
            "FailingNormaliser",
            lambda adapter: adapter.review(file_context(), Tally()),
            "its review gives no Findings",
            id="review",
        ),
        pytest.param(
            "FailingRecords",
            lambda adapter: adapter.normaliser(file_context()).take(),
            "it counts in something else than a Tally",
            id="tally",
        ),
    ],
)
def test_what_an_adapter_does_wrong_beside_the_lines_is_refused_by_its_name(kind: str, call: Any, reason: str) -> None:
    adapter = other(kind)
    text = refusal("R033", lambda: call(adapter))
    assert text == f"the adapter {adapter.name!r} does not work: {reason}.{_WAY_OUT}"
