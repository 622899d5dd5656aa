"""What must come of each folder of the real logs when it is added to an empty archive."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DEMO", "FOLDERS", "Due"]


@dataclass(frozen=True, kw_only=True)
class Due:
    """What adding a folder comes to: its run, or the codes it is refused with.

    Attributes:
        run_id: The run; None where the folder is refused.
        records: By task.
        run_local: By task, where there are any.
        agree: Values of the harness's own table that the lines give.
        differ: The others, as metric and filter.
        warnings: By code.
        notices: How many there are.
        refused: The code, and the line where it has one, of each fault.
    """

    run_id: str | None = None
    records: dict[str, int] | None = None
    run_local: dict[str, int] | None = None
    agree: int = 0
    differ: tuple[str, ...] = ()
    warnings: dict[str, int] | None = None
    notices: int = 0
    refused: tuple[tuple[str, int | None], ...] = ()


_BELIEF = Due(
    run_id="Qwen__Qwen3-8B",
    records={"negotiationtom_belief": 20},
    run_local={"negotiationtom_belief": 20},
    agree=1,
    notices=1,
)
_EN, _EU = "truthfulqa-multi_gen_en", "truthfulqa-multi_gen_eu"
DEMO = {
    "demo_bleu": 4,
    "demo_gen": 8,
    "demo_ll": 3,
    "demo_mc_f1": 6,
    "demo_mc_pmi": 5,
    "demo_multi": 3,
    "demo_roll": 3,
}
_DEMO_LOCAL = {"demo_bleu": 4, "demo_gen": 8, "demo_ll": 3, "demo_roll": 3}
_ONE_EACH = ("boolq", "multirc", "record", "squadv2", "truthfulqa_mc1", "truthfulqa_mc2", "wikitext")

FOLDERS: dict[str, Due] = {
    "real/davinci-002-hellaswag": Due(
        run_id="davinci-002", records={"hellaswag": 101}, run_local={"hellaswag": 101}, agree=2, notices=1
    ),
    "real/davinci-002-mixed": Due(
        run_id="davinci-002",
        records=dict.fromkeys(_ONE_EACH, 1),
        run_local={task: 1 for task in _ONE_EACH if task != "squadv2"},
        agree=6,
        notices=7,
    ),
    "real/davinci-002-tiny": Due(refused=(("H004", 2),)),
    "real/khayyam-gemma-2-9b-it": Due(
        run_id="google__gemma-2-9b-it",
        records={"khayyam-challenge": 10},
        run_local={"khayyam-challenge": 10},
        agree=2,
        notices=1,
    ),
    "real/masakhaner-one-line": Due(refused=(("W023", None),)),
    "real/negotiationtom-belief-rerun1": _BELIEF,
    "real/negotiationtom-belief-rerun2": _BELIEF,
    "real/negotiationtom-belief-rerun3": _BELIEF,
    "real/old-write-out-0.3": Due(refused=(("H025", None),)),
    "real/pyfade-gsm8k-a": Due(
        run_id="gemma3__12b-u1",
        records={"gsm8k": 3},
        run_local={"gsm8k": 3},
        differ=("exact_match,strict-match",),
        notices=2,
    ),
    "real/pyfade-gsm8k-b": Due(
        run_id="gemma3__12b-it-q4_K_M",
        records={"gsm8k": 3},
        run_local={"gsm8k": 3},
        differ=("exact_match,strict-match",),
        notices=2,
    ),
    "real/truthfulqa-en-llama-3.1-8b": Due(run_id="meta-llama__Llama-3.1-8B", records={_EN: 817}, agree=3),
    "real/truthfulqa-en-llama-3.1-8b-instruct": Due(
        run_id="meta-llama__Llama-3.1-8B-Instruct", records={_EN: 817}, agree=3
    ),
    "real/truthfulqa-eu-llama-3.1-8b-instruct": Due(
        run_id="meta-llama__Llama-3.1-8B-Instruct", records={_EU: 817}, agree=3
    ),
    "generated/0.4.0": Due(refused=(("H024", None),) * 7),
    "generated/0.4.3": Due(refused=tuple(("H004", number) for number in (5, 6, 7, 8))),
    "generated/0.4.8": Due(
        run_id="acme__tiny-demo", records=DEMO, run_local=_DEMO_LOCAL, agree=8, warnings={"H011": 5}
    ),
    "generated/0.4.13": Due(run_id="acme__tiny-demo", records=DEMO, run_local=_DEMO_LOCAL, agree=8),
    "generated/0.4.13-nan": Due(refused=tuple(("J003", number) for number in (1, 2, 3))),
}
