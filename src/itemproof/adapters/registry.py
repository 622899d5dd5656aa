"""Which formats there are, and which one a file has: exactly one recogniser must say yes to its first record.

The adapters of this package are listed here, so that they are there without an installation; those of others are found
under the entry point group `itemproof.adapters` and loaded only when they are needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from itemproof.adapters.base import Adapter, FileContext, LineRefused, Normaliser, Tally
from itemproof.adapters.canonical import CanonicalAdapter
from itemproof.adapters.generation_eval import GenerationEvalAdapter
from itemproof.adapters.harness import HarnessAdapter
from itemproof.adapters.paired import PairedAdapter
from itemproof.core.errors import InvalidInput, ItemproofError, invalid
from itemproof.core.findings import Code, Finding, Findings
from itemproof.core.where import NOWHERE, Where
from itemproof.records.record import RecordDict

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["GROUP", "Plugins", "adapter", "detect", "installed_plugins", "is_builtin", "names"]

UNKNOWN_FORMAT: Final = Code("R030", "there is no format of that name")
NO_FORMAT_FITS: Final = Code("R031", "a file's first record has the shape of no format")
SEVERAL_FIT: Final = Code("R032", "a file's first record has the shape of several formats")
BROKEN_PLUGIN: Final = Code("R033", "an installed adapter does not work")
NAME_CLASH: Final = Code("R034", "two adapters have one name")

#: The entry point group of adapters that other packages bring.
GROUP: Final = "itemproof.adapters"

#: Gives the entry points of the group.
Plugins = Callable[[], Sequence["EntryPoint"]]

_BUILTIN: Final[Mapping[str, Adapter]] = {
    own.name: own for own in (CanonicalAdapter(), HarnessAdapter(), PairedAdapter(), GenerationEvalAdapter())
}
_SHOWN_KEYS: Final = 12
_METHODS: Final = ("recognises", "normaliser", "review")


def installed_plugins() -> Sequence[EntryPoint]:
    """The entry points of the installed packages, by name."""
    from importlib.metadata import entry_points

    return sorted(entry_points(group=GROUP), key=lambda plugin: (plugin.name, plugin.value))


def names(*, plugins: Plugins = installed_plugins) -> tuple[str, ...]:
    """The names for `--format`: those of this package, then the others', each in alphabetical order.

    Raises:
        InvalidInput: Two adapters have one name (R034).
    """
    return (*_BUILTIN, *_listed(plugins))


def adapter(name: str, *, plugins: Plugins = installed_plugins) -> Adapter:
    """The adapter of a name.

    Raises:
        InvalidInput: There is none (R030), it does not work (R033), or two have the name (R034).
    """
    others = _listed(plugins)
    if name in _BUILTIN:
        return _BUILTIN[name]
    if name in others:
        return _loaded(others[name])
    known = ", ".join((*_BUILTIN, *others))
    raise invalid(UNKNOWN_FORMAT, f"--format {name!r} is not known; the formats are {known}.")


def detect(
    line: Mapping[str, Any], *, where: Where = NOWHERE, plugins: Plugins = installed_plugins
) -> tuple[Adapter, str]:
    """The one adapter that recognises a file's first record, and why it was chosen, in words.

    Args:
        line: The parsed record.
        where: Its file and line, for the refusal.
        plugins: Gives the adapters of others.

    Raises:
        InvalidInput: None recognises it (R031) or several do (R032); an installed one fails (R033), or has a name
            that another has (R034).
    """
    known: list[Adapter] = [*_BUILTIN.values(), *(_loaded(plugin) for plugin in _listed(plugins).values())]
    fitting = [candidate for candidate in known if candidate.recognises(line)]
    if len(fitting) == 1:
        return fitting[0], f"its first record has {fitting[0].needs}"
    if fitting:
        both = ", ".join(candidate.name for candidate in fitting)
        raise invalid(SEVERAL_FIT, f"found what fits {both}; name the format with --format.", where)
    needs = "; ".join(f"{candidate.name} needs {candidate.needs}" for candidate in known)
    text = f"found an object with {_keys(line)}, which no format knows: {needs}."
    raise invalid(NO_FORMAT_FITS, f"{text} If it is one of these all the same, name it with --format.", where)


def is_builtin(adapter: Adapter) -> bool:
    """Whether the adapter is one of this package's own; every record of another's must be checked."""
    return type(adapter) in map(type, _BUILTIN.values())


def _listed(plugins: Plugins) -> dict[str, EntryPoint]:
    listed: dict[str, EntryPoint] = {}
    for plugin in plugins():
        if plugin.name in _BUILTIN:
            text = f"{_shown(plugin)} has the name of a format of itemproof; uninstall it or have it renamed."
            raise invalid(NAME_CLASH, text)
        if plugin.name in listed:
            text = f"{_shown(listed[plugin.name])} and {_shown(plugin)} have one name; uninstall one of them."
            raise invalid(NAME_CLASH, text)
        listed[plugin.name] = plugin
    return listed


def _loaded(plugin: EntryPoint) -> Adapter:
    """The adapter of an entry point, which names a class without arguments or an object; guarded."""
    with _guard(_shown(plugin)):
        loaded = plugin.load()
        loaded = loaded() if isinstance(loaded, type) else loaded
        found: dict[str, Any] = {name: getattr(loaded, name, None) for name in ("name", "version", "needs", *_METHODS)}
    for attribute, kind in (("name", str), ("version", int), ("needs", str)):
        if not isinstance(found[attribute], kind):
            raise _broken(_shown(plugin), f"its {attribute} is no {kind.__name__}")
    for method in _METHODS:
        if not callable(found[method]):
            raise _broken(_shown(plugin), f"it has no method {method}")
    if found["name"] != plugin.name:
        raise _broken(_shown(plugin), f"it calls itself {found['name']!r}")
    return _Guarded(loaded, plugin.name, version=found["version"], needs=found["needs"])


class _Guarded:
    """Another's adapter: whatever it raises is a refusal that names it.

    Args:
        adapter: The adapter.
        name: Its name.
        version: Its version.
        needs: What it says that a line must have.
    """

    def __init__(self, adapter: Adapter, name: str, *, version: int, needs: str) -> None:
        self._adapter = adapter
        self._shown = f"the adapter {name!r}"
        self.name = name
        self.version = version
        self.needs = needs

    def recognises(self, line: Mapping[str, Any]) -> bool:
        """As the adapter says.

        Raises:
            InvalidInput: It fails (R033).
        """
        with _guard(self._shown):
            return bool(self._adapter.recognises(line))

    def normaliser(self, context: FileContext) -> Normaliser:
        """The adapter's normaliser, guarded like it.

        Raises:
            InvalidInput: It fails (R033).
        """
        with _guard(self._shown):
            return _GuardedNormaliser(self._adapter.normaliser(context), self._shown)

    def review(self, context: FileContext, tally: Tally) -> Findings:
        """What the adapter finds.

        Raises:
            InvalidInput: It fails, or gives something else (R033).
        """
        with _guard(self._shown):
            found: object = self._adapter.review(context, tally)
        if not isinstance(found, Findings):
            raise _broken(self._shown, "its review gives no Findings")
        return found


class _GuardedNormaliser:
    """Another's normaliser."""

    def __init__(self, normaliser: Normaliser, shown: str) -> None:
        self._normaliser = normaliser
        self._shown = shown

    def records(self, line: dict[str, Any], number: int) -> Sequence[RecordDict]:
        """The records of a line.

        Raises:
            LineRefused: The adapter refuses the line, or fails on it (R033).
        """
        try:
            return list(self._normaliser.records(line, number))
        except LineRefused:
            raise
        except Exception as error:  # another's code may fail in any way; it is named, not hidden
            raise LineRefused(Finding(BROKEN_PLUGIN, _failure(self._shown, error))) from error

    def take(self) -> Tally:
        """The tally.

        Raises:
            InvalidInput: The adapter fails, or gives something else (R033).
        """
        with _guard(self._shown):
            found: object = self._normaliser.take()
        if not isinstance(found, Tally):
            raise _broken(self._shown, "it counts in something else than a Tally")
        return found


@contextmanager
def _guard(shown: str) -> Iterator[None]:
    """Within the block another's code runs: a refusal of its own passes, any other failure is named.

    Raises:
        InvalidInput: It failed (R033).
    """
    try:
        yield
    except ItemproofError:
        raise
    except Exception as error:  # another's code may fail in any way; it is named, not hidden
        raise _broken(shown, error) from error


def _broken(shown: str, reason: object) -> InvalidInput:
    return invalid(BROKEN_PLUGIN, _failure(shown, reason))


def _failure(shown: str, reason: object) -> str:
    said = f"{type(reason).__name__}: {reason}" if isinstance(reason, Exception) else reason
    return f"{shown} does not work: {said}. Mend or uninstall it, or name one of itemproof's formats with --format."


def _shown(plugin: EntryPoint) -> str:
    package = f" of the package {plugin.dist.name}" if plugin.dist is not None else ""
    return f"the adapter {plugin.name!r}{package} ({plugin.value})"


def _keys(line: Mapping[str, Any]) -> str:
    shown = ", ".join(list(line)[:_SHOWN_KEYS])
    if len(line) > _SHOWN_KEYS:
        return f"{len(line)} keys ({shown}, …)"
    return f"the keys {shown}" if line else "no keys"
