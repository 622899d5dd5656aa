"""Which formats there are, and which one a file has: exactly one recogniser must say yes to its first record.

The adapters of this package are listed here, so that they are there without an installation; those of others are found
under the entry point group `itemproof.adapters` and loaded only when they are needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from itemproof.adapters.base import Adapter
from itemproof.adapters.canonical import CanonicalAdapter
from itemproof.adapters.harness import HarnessAdapter
from itemproof.adapters.paired import PairedAdapter
from itemproof.core.errors import InvalidInput, invalid
from itemproof.core.findings import Code
from itemproof.core.where import NOWHERE, Where

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
    own.name: own for own in (CanonicalAdapter(), HarnessAdapter(), PairedAdapter())
}
_SHOWN_KEYS: Final = 12


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
    known = [*_BUILTIN.values(), *(_loaded(plugin) for plugin in _listed(plugins).values())]
    fitting = [candidate for candidate in known if _recognises(candidate, line)]
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
    """The adapter of an entry point, which names a class without arguments or an object."""
    try:
        loaded = plugin.load()
        loaded = loaded() if isinstance(loaded, type) else loaded
    except Exception as error:  # another's code may fail in any way; it is named, not hidden
        raise _broken(_shown(plugin), error) from error
    found: Adapter = loaded
    for attribute, kind in (("name", str), ("version", int), ("needs", str)):
        if not isinstance(getattr(found, attribute, None), kind):
            raise _broken(_shown(plugin), f"its {attribute} is no {kind.__name__}")
    for method in ("recognises", "normaliser"):
        if not callable(getattr(found, method, None)):
            raise _broken(_shown(plugin), f"it has no method {method}")
    if found.name != plugin.name:
        raise _broken(_shown(plugin), f"it calls itself {found.name!r}")
    return found


def _recognises(candidate: Adapter, line: Mapping[str, Any]) -> bool:
    if is_builtin(candidate):
        return candidate.recognises(line)
    try:
        return bool(candidate.recognises(line))
    except Exception as error:  # as above
        raise _broken(f"the adapter {candidate.name!r}", error) from error


def _broken(shown: str, reason: object) -> InvalidInput:
    said = f"{type(reason).__name__}: {reason}" if isinstance(reason, Exception) else reason
    text = f"{shown} does not work: {said}. Mend or uninstall it, or name one of itemproof's formats with --format."
    return invalid(BROKEN_PLUGIN, text)


def _shown(plugin: EntryPoint) -> str:
    package = f" of the package {plugin.dist.name}" if plugin.dist is not None else ""
    return f"the adapter {plugin.name!r}{package} ({plugin.value})"


def _keys(line: Mapping[str, Any]) -> str:
    shown = ", ".join(list(line)[:_SHOWN_KEYS])
    if len(line) > _SHOWN_KEYS:
        return f"{len(line)} keys ({shown}, …)"
    return f"the keys {shown}" if line else "no keys"
