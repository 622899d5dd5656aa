"""The three digests of a harness line, made again from what stands on it: they tell a log that was edited afterwards.

`doc_hash` is of the document as indented JSON, `prompt_hash` of the first argument of the first request, `target_hash`
of the target as Python writes it. All are SHA-256 of UTF-8 text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final, TypeAlias

import orjson

__all__ = ["HASHES", "HarnessHashes", "LineHashes"]

#: The fields in the order in which the harness joins them.
HASHES: Final = ("doc_hash", "prompt_hash", "target_hash")

#: The characters of a digest.
_LENGTH: Final = 64

#: How many target digests are remembered, and how long a remembered target may be in characters.
_REMEMBERED: Final = 4096
_REMEMBERED_LENGTH: Final = 200


#: The three digests of what stands on a line, joined as the harness does, or None if it carries fewer; the document's
#: digest if it was made again and agrees, else None; the fields that disagree, with commas, or an empty text.
LineHashes: TypeAlias = tuple[str | None, str | None, str]

_ABSENT: Final = (None, None, None)
_NONE: Final[LineHashes] = (None, None, "")


class HarnessHashes:
    """Makes the digests of each line of one file again; remembers what repeats."""

    def __init__(self) -> None:
        self._targets: dict[str, str] = {}
        self._prompt = ""
        self._prompt_hash = _digest("")

    def check(self, line: Mapping[str, Any], arguments: list[list[Any]] | None) -> LineHashes:
        """The digests of a line beside those that it carries; what cannot be made again is taken as given."""
        try:
            doc_hash, prompt_hash = line["doc_hash"], line["prompt_hash"]
            given = doc_hash + prompt_hash + line["target_hash"]
            # The lengths say where the joined text is cut; without them a digest could lend characters to the next.
            is_cut_right = len(doc_hash) == len(prompt_hash) == _LENGTH
            if arguments and is_cut_right and given == self._joined(line["doc"], arguments[0], line["target"]):
                return given, doc_hash, ""
        except (IndexError, KeyError, TypeError):
            pass
        return self._compare(line, arguments)

    def _joined(self, doc: Any, request: list[Any], target: Any) -> str | None:
        """The three digests of the commonest line, joined; None, or an error of type or index, for another line."""
        prompt = request[0]
        if type(prompt) is not str or type(target) is not str or len(request) > 2:
            return None
        if prompt != self._prompt:
            self._prompt, self._prompt_hash = prompt, _digest(prompt)
        doc_hash = sha256(orjson.dumps(doc, option=orjson.OPT_INDENT_2)).hexdigest()
        return doc_hash + self._prompt_hash + (self._targets.get(target) or self._target(target))

    def _compare(self, line: Mapping[str, Any], arguments: list[list[Any]] | None) -> LineHashes:
        get = line.get
        given = (get("doc_hash"), get("prompt_hash"), get("target_hash"))
        if given == _ABSENT:
            return _NONE
        # The digest of a picture or a sound hangs on its place in memory: it cannot be made again.
        is_plain = not arguments or len(arguments[0]) < 3
        doc_hash = self._doc(get("doc"), given[0]) if is_plain else given[0]
        target = get("target")
        target_hash = self._targets.get(target) if type(target) is str else None
        made: tuple[Any, ...] = (doc_hash, self._prompt_of(arguments, given[1]), target_hash or self._target(target))
        wrong = "" if made == given else _disagreeing(given, made)
        try:
            joined = None if None in given else "".join(made)
        except TypeError:
            joined = None
        return joined, doc_hash if is_plain and doc_hash == given[0] else None, wrong

    def _doc(self, doc: Any, given: Any) -> str:
        try:
            digest = sha256(orjson.dumps(doc, option=orjson.OPT_INDENT_2)).hexdigest()
            if digest == given:
                return digest
        except orjson.JSONEncodeError:
            pass
        # Floats and integers that orjson spells in another way, or cannot write, need the harness's own writer.
        return _digest(json.dumps(doc, indent=2, ensure_ascii=False))

    def _prompt_of(self, arguments: list[list[Any]] | None, given: Any) -> Any:
        """The digest of the prompt; the given one where the line does not hold the prompt as the harness had it."""
        prompt = arguments[0][0] if arguments and arguments[0] else None
        if prompt == self._prompt:
            return self._prompt_hash
        if type(prompt) is list and len(prompt) == 1:
            prompt = prompt[0]
        if type(prompt) is not str:
            return given
        self._prompt, self._prompt_hash = prompt, _digest(prompt)
        return self._prompt_hash

    def _target(self, target: Any) -> str:
        text = target if type(target) is str else str(target)
        digest = _digest(text)
        if len(text) <= _REMEMBERED_LENGTH and len(self._targets) < _REMEMBERED:
            self._targets[text] = digest
        return digest


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8")).hexdigest()


def _disagreeing(given: tuple[Any, ...], made: tuple[Any, ...]) -> str:
    rows = zip(HASHES, given, made, strict=True)
    return ", ".join(name for name, found, due in rows if found is not None and found != due)
