"""Harness lines become whole records: the producer's values unchanged, null where nothing is known."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness_lines import CHOICES, PROMPT, as_version, choice_line, gen_args, harness_context, text_line
from itemproof.adapters.base import Decisions, FileContext, LineRefused, Tally
from itemproof.adapters.harness import HarnessAdapter
from itemproof.records.record import FIELDS, RecordDict
from normalising import RAW_SHA256, faults, normalised, places
from shared import SHARED, needs_shared

ADAPTER = HarnessAdapter()


def record_of(line: dict[str, Any], **options: Any) -> RecordDict:
    records, _ = normalised(ADAPTER, line, harness_context(**options))
    (record,) = records
    assert list(record)[: len(FIELDS)] == list(FIELDS)
    return record


def tally_of(*lines: dict[str, Any], **options: Any) -> tuple[list[RecordDict], Tally]:
    """The records of the lines of one file, and what they came to."""
    normaliser = ADAPTER.normaliser(harness_context(**options))
    records = [json.loads(json.dumps(list(normaliser.records(line, n)))) for n, line in enumerate(lines, start=1)]
    return [record for (record,) in records], normaliser.take()


def refused(line: dict[str, Any], **options: Any) -> list[tuple[str, str | None]]:
    return places(faults(ADAPTER, line, harness_context(**options)))


def without(line: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in line.items() if key not in keys}


def test_a_multiple_choice_line_gives_a_whole_record() -> None:
    line = choice_line()
    assert record_of(line) == {
        "schema_version": 1,
        "run_id": "run-1",
        "question_id": "q0",
        "variant_id": "original",
        "benchmark": "foxes",
        "script": None,
        "language": None,
        "model": "m",
        "rephrasing_model": None,
        "filter": "none",
        "repeat_id": 0,
        "identity_scope": "stable",
        "input": {"document": line["doc"], "arguments": [[PROMPT, f" {choice}"] for choice in CHOICES]},
        "target": "1",
        "prediction": None,
        "correct": True,
        "scores": {"likelihoods": [-3.5, -0.25, -12.0], "greedy": [False, True, False]},
        "metrics": {"acc": 1.0, "acc_norm": 0.0},
        "response": {"resps": line["resps"], "filtered_resps": line["filtered_resps"]},
        "source": {"path": "runs/run-1/raw/0001-items.jsonl", "line": 7},
        "warnings": [],
    }


@pytest.mark.parametrize("version", ["0.4.0", "0.4.3", "0.4.5", "0.4.13"])
def test_every_version_gives_the_same_record_but_for_what_it_wrote_otherwise(version: str) -> None:
    line = as_version(choice_line(), version)
    newest = record_of(choice_line())
    given = {"target": line["target"], "response": {key: line[key] for key in ("resps", "filtered_resps")}}
    assert record_of(line) == newest | given


def test_a_generation_is_predicted_by_its_filtered_response_alone() -> None:
    record = record_of(text_line(3))
    assert record["prediction"] == "4"
    assert record["scores"] == {}
    assert record["response"] == {"resps": [["it is 4", "dunno"]], "filtered_resps": ["4"]}
    assert (record["filter"], record["correct"]) == ("strict-match", True)


def test_a_line_without_filtered_responses_keeps_its_raw_ones() -> None:
    record = record_of(without(text_line(), "filtered_resps"))
    assert record["response"] == {"resps": [["it is 1", "dunno"]]}
    assert record["prediction"] is None


def test_one_record_is_filled_for_lines_of_changing_shape() -> None:
    lines = [
        choice_line(0, note="n", question="asked?", acc=0.0),
        text_line(1, arguments=gen_args(("p", {}), ("p", {})), filtered_resps=["a", "b"]),
        without(text_line(2), "resps", "arguments", "doc_hash", "prompt_hash", "target_hash"),
        without(choice_line(3), "filtered_resps"),
        choice_line(4),
        without(choice_line(5, question="asked?"), "arguments"),
        choice_line(6),
        choice_line(7) | {"arguments": None},
        choice_line(8),
    ]
    together, _ = tally_of(*lines)
    alone = [tally_of(line)[0][0] for line in lines]
    for number, record in enumerate(alone, start=1):
        record["source"]["line"] = number
        if record["identity_scope"] == "run-local":
            record["question_id"] = f"{RAW_SHA256}:{number}"
    assert together == alone


def test_the_producers_own_keys_follow_the_record_unchanged() -> None:
    own: dict[str, Any] = {"latency_s": 0.5, "id": 7, "tags": ["a", {"b": None}]}
    record = record_of(choice_line(**own))
    assert list(record)[len(FIELDS) :] == ["latency_s", "id", "tags"]
    assert {key: record[key] for key in own} == own
    assert record["question_id"] == "7"


def test_the_keys_of_the_harness_do_not_follow() -> None:
    assert list(record_of(choice_line())) == list(FIELDS)


def test_a_question_on_the_line_goes_to_the_input_before_the_document() -> None:
    record = record_of(choice_line(choices=["x"], question="q?", prompt="p"))
    assert list(record["input"]) == ["question", "prompt", "choices", "document", "arguments"]
    assert list(record) == list(FIELDS)


def test_a_document_that_is_a_text_stays_one() -> None:
    record = record_of(choice_line(doc="a whole text"))
    assert record["input"]["document"] == "a whole text"
    assert (record["question_id"], record["identity_scope"]) == (f"{RAW_SHA256}:7", "run-local")


@pytest.mark.parametrize("target", ["1", 1, None, True, [0, 2], "['a', 'b']", "", 0.5])
def test_the_target_is_never_read(target: Any) -> None:
    assert record_of(choice_line(target=target))["target"] == target


@pytest.mark.parametrize("choices", ["['Theme', 'Style']", ["a"], None])
def test_the_choices_of_a_document_are_not_counted_against_the_requests(choices: Any) -> None:
    record = record_of(choice_line(doc={"id": "x", "choices": choices}))
    assert record["input"]["document"]["choices"] == choices


class TestMetrics:
    """Values are kept as they are, under their names."""

    @pytest.mark.parametrize(
        "value",
        [None, [True, False], "True", "[1. 2.]", [0, 1], {"a": 1}, -8.5, True, 3, [[-30.0, 11]]],
    )
    def test_a_value_of_any_shape_is_kept(self, value: Any) -> None:
        line = choice_line(metrics=["odd"], odd=value)
        record = record_of(without(line, "acc", "acc_norm"))
        assert record["metrics"] == {"odd": value}
        assert record["correct"] is None

    def test_a_name_that_the_line_lacks_has_no_key(self) -> None:
        assert record_of(choice_line(metrics=["acc", "gone"]))["metrics"] == {"acc": 1.0}

    def test_an_object_of_metrics_is_taken_whole(self) -> None:
        line = without(choice_line(metrics={"inst_level": [True, False], "prompt_level": False}), "acc", "acc_norm")
        record = record_of(line)
        assert record["metrics"] == {"inst_level": [True, False], "prompt_level": False}
        assert record["correct"] is None

    def test_names_are_inferred_where_a_version_does_not_list_them(self) -> None:
        line = without(choice_line(id="q", language="en", bleu_acc=1, correct=0.5), "metrics", "filter")
        record = record_of(line)
        assert record["metrics"] == {"acc": 1.0, "acc_norm": 0.0, "bleu_acc": 1, "correct": 0.5}
        assert record["language"] == "en"
        assert list(record)[len(FIELDS) :] == ["id"]

    def test_a_field_that_names_the_question_is_no_inferred_metric(self) -> None:
        line = without(choice_line(uid="u"), "metrics")
        record = record_of(line, id_field=["uid"])
        assert (record["question_id"], record["metrics"]) == ("u", {"acc": 1.0, "acc_norm": 0.0})
        assert record["uid"] == "u"

    def test_key_sets_may_differ_from_line_to_line(self) -> None:
        lines = [without(choice_line(0, a_rate=1), "metrics"), without(choice_line(1, b_rate=2), "metrics")]
        records, tally = tally_of(*lines)
        assert [list(record["metrics"]) for record in records] == [
            ["acc", "acc_norm", "a_rate"],
            ["acc", "acc_norm", "b_rate"],
        ]
        assert tally.sums["foxes", "none", "a_rate"] == (1, 1)

    def test_more_key_sets_than_are_remembered_are_all_read(self) -> None:
        lines = [choice_line(number, metrics=[f"m{number}"], **{f"m{number}": number}) for number in range(300)]
        records, _ = tally_of(*lines)
        assert [record["metrics"] for record in records] == [{f"m{number}": number} for number in range(300)]

    def test_the_same_keys_with_other_names_listed_mean_other_metrics(self) -> None:
        lines = [choice_line(0), choice_line(1, metrics=["acc"]), choice_line(2, metrics={"acc": 0}), choice_line(3)]
        records, _ = tally_of(*lines)
        assert [list(record["metrics"]) for record in records] == [
            ["acc", "acc_norm"],
            ["acc"],
            ["acc"],
            ["acc", "acc_norm"],
        ]
        assert [list(record)[len(FIELDS) :] for record in records] == [[], ["acc_norm"], ["acc", "acc_norm"], []]

    @pytest.mark.parametrize("metrics", ["acc", 1, True, ["acc", 1], [None]])
    def test_metrics_of_no_known_form_are_refused(self, metrics: Any) -> None:
        assert refused(choice_line(metrics=metrics)) == [("H002", "$.metrics")]

    def test_sums_count_numbers_and_booleans_only(self) -> None:
        names = ["f", "b", "s", "n", "l"]
        lines = [
            choice_line(0, metrics=names, f=0.25, b=True, s="1.0", n=None, l=[1]),
            choice_line(1, metrics=names, f=0.5, b=False, s="0.0", n=3, l=[0]),
            choice_line(2, metrics=names, f=10**400, b=True, s="", n=None, l=[]),
        ]
        _, tally = tally_of(*lines)
        assert tally.sums == {
            ("foxes", "none", "f"): (2, 0.75),
            ("foxes", "none", "b"): (3, 2.0),
            ("foxes", "none", "n"): (1, 3.0),
        }


class TestCorrectness:
    """A binary acc or exact_match; nothing is coerced."""

    @pytest.mark.parametrize(
        ("metrics", "due"),
        [
            pytest.param({"acc": 1.0}, True, id="float"),
            pytest.param({"acc": 0}, False, id="integer"),
            pytest.param({"exact_match": True}, True, id="boolean"),
            pytest.param({"acc": 0.02}, None, id="a_share_under_the_name_acc"),
            pytest.param({"acc": "1.0"}, None, id="text"),
            pytest.param({"acc": None, "exact_match": 1}, True, id="null_is_absent"),
            pytest.param({"acc_norm": 1.0, "bleu_acc": 1}, None, id="another_metric"),
            pytest.param({"acc": 1, "exact_match": 1.0}, True, id="both_agree"),
            pytest.param({"acc": 0.5, "exact_match": 1.0}, True, id="only_one_is_binary"),
            pytest.param({"acc": [1]}, None, id="list"),
            pytest.param({}, None, id="none"),
        ],
    )
    def test_correct_follows_from_a_binary_metric_alone(self, metrics: dict[str, Any], due: bool | None) -> None:
        line = without(choice_line(), "acc", "acc_norm") | {"metrics": list(metrics)} | metrics
        assert record_of(line)["correct"] is due

    def test_a_contradiction_leaves_it_unknown_and_says_so(self) -> None:
        line = choice_line(metrics=["acc", "exact_match"], acc=0, exact_match=1)
        (record,), tally = tally_of(line)
        assert record["correct"] is None
        assert record["warnings"] == [
            "acc and exact_match contradict each other; whether the answer is right is unknown"
        ]
        assert tally.warnings == {"H013": 1}

    @pytest.mark.parametrize("chosen", ["acc_norm", {"foxes": "acc_norm"}])
    def test_a_chosen_metric_sets_it_and_nothing_else_does(self, chosen: Any) -> None:
        metadata = {"correctness_metric": chosen}
        assert record_of(choice_line(), metadata=metadata)["correct"] is False
        assert record_of(without(choice_line(), "acc_norm"), metadata=metadata)["correct"] is None

    def test_what_set_it_and_what_cannot_is_counted_for_the_file(self) -> None:
        _, tally = tally_of(choice_line(0), choice_line(1, acc=0.5), text_line(2))
        assert tally.populated == {("foxes", "none", "acc"), ("foxes", "strict-match", "exact_match")}
        assert tally.not_binary == {("foxes", "none", "acc")}

    def test_a_metric_that_is_not_binary_elsewhere_in_the_file_sets_nothing(self) -> None:
        decisions = Decisions(not_binary=frozenset({("foxes", "none", "acc")}))
        assert record_of(choice_line(), decisions=decisions)["correct"] is None


class TestIdentity:
    """Stable where the producer names the question or its document proves itself, else run-local."""

    def test_a_field_asked_for_that_the_line_lacks_leaves_it_run_local_with_a_warning(self) -> None:
        (record,), tally = tally_of(choice_line(), id_field=["doc.uid"])
        assert (record["question_id"], record["identity_scope"]) == (f"{RAW_SHA256}:1", "run-local")
        assert record["warnings"] == [
            "the line lacks the field of --id-field doc.uid; it counts in summaries, not in pairs"
        ]
        assert (tally.stable, tally.run_local, dict(tally.warnings)) == (0, 1, {"I010": 1})

    def test_the_position_in_the_split_is_run_local(self) -> None:
        assert record_of(choice_line(), id_field=["doc_id"])["identity_scope"] == "run-local"

    def test_auto_takes_a_verified_digest_where_no_field_names_the_question(self) -> None:
        line = text_line()
        (record, named), tally = tally_of(line, choice_line(1), id_field=["auto"])
        assert (record["question_id"], record["identity_scope"]) == (line["doc_hash"], "stable")
        assert named["question_id"] == "q1"
        assert (tally.stable, list(tally.content_lines)) == (2, [1])

    @pytest.mark.parametrize("id_field", ["auto", "doc_hash"])
    def test_a_digest_that_cannot_be_made_again_names_nothing(self, id_field: str) -> None:
        (record,), tally = tally_of(text_line() | {"doc_hash": "0" * 64}, id_field=[id_field])
        assert record["identity_scope"] == "run-local"
        assert list(tally.content_lines) == []

    def test_a_digest_can_be_asked_for_by_name(self) -> None:
        line = choice_line()
        assert record_of(line, id_field=["doc_hash"])["question_id"] == line["doc_hash"]

    def test_without_being_asked_a_digest_is_no_identity(self) -> None:
        assert record_of(text_line())["identity_scope"] == "run-local"

    def test_a_digest_that_two_documents_share_names_neither(self) -> None:
        line = text_line()
        decisions = Decisions(ambiguous=frozenset({("foxes", "strict-match", 0, line["doc_hash"])}))
        (record, other), tally = tally_of(line, text_line(1), id_field=["auto"], decisions=decisions)
        assert (record["question_id"], record["identity_scope"]) == (f"{RAW_SHA256}:1", "run-local")
        assert record["warnings"] == ["another line has the same document, so its digest names neither of them"]
        assert other["identity_scope"] == "stable"
        assert (tally.stable, tally.run_local, tally.ambiguous, dict(tally.warnings)) == (1, 1, 1, {"H014": 1})

    def test_a_document_twice_without_a_filter_is_refused(self) -> None:
        normaliser = ADAPTER.normaliser(harness_context())
        lines = [without(text_line(n, filtered_resps=[f]), "filter") for f in ("a", "b") for n in (0, 1)]
        for number, line in enumerate(lines, start=1):
            normaliser.records(line, number)
        findings = ADAPTER.review(harness_context(), normaliser.take())
        assert [(one.code.id, one.where.line, one.where.path) for one in findings] == [
            ("H004", 3, "$.doc_id"),
            ("H004", 4, "$.doc_id"),
        ]
        assert "Several filters" in findings.kept[0].text

    def test_a_document_once_for_each_filter_is_two_records(self) -> None:
        records, _ = tally_of(text_line(), text_line(filter="flexible-extract"))
        assert [record["filter"] for record in records] == ["strict-match", "flexible-extract"]

    def test_repeats_and_variants_of_a_document_need_no_filter(self) -> None:
        line = without(text_line(), "filter")
        tally_of(line, line | {"repeat_id": 1}, line | {"variant_id": "b"}, line | {"benchmark": "other"})


class TestCommonFields:
    """What lines and documents say, what options fill, and what the task's name is for."""

    def test_fields_of_the_document_are_read(self) -> None:
        doc = {
            "id": 1,
            "language": "es",
            "script": "Latn",
            "benchmark": "b",
            "variant_id": "v",
            "rephrasing_model": "r",
        }
        record = record_of(choice_line(doc=doc))
        assert {key: record[key] for key in list(doc)[1:]} == {key: doc[key] for key in list(doc)[1:]}

    def test_the_task_is_the_benchmark_when_nothing_else_names_it(self) -> None:
        assert record_of(choice_line())["benchmark"] == "foxes"
        assert record_of(choice_line(), benchmark="b")["benchmark"] == "b"
        assert record_of(choice_line(), metadata={"benchmark": "run"})["benchmark"] == "run"
        assert refused(choice_line(), task=None) == [("R003", "$.benchmark")]

    def test_every_line_after_the_first_is_read_for_itself(self) -> None:
        lines = [choice_line(0), choice_line(1, language="eu"), choice_line(2, filter="f"), choice_line(3)]
        records, _ = tally_of(*lines)
        assert [(record["language"], record["filter"]) for record in records] == [
            (None, "none"),
            ("eu", "none"),
            (None, "f"),
            (None, "none"),
        ]

    def test_all_faults_of_a_line_are_listed(self) -> None:
        line = choice_line(arguments=gen_args((PROMPT, " a"))) | {
            "arguments": "p",
            "model": "other",
            "doc": {"id": True},
            "warnings": "w",
            "metrics": 1,
        }
        assert refused(line) == [
            ("H002", "$.metrics"),
            ("H001", "$.arguments"),
            ("R002", "$.model"),
            ("R001", "$.warnings"),
            ("I002", "$.doc.id"),
        ]

    def test_a_refused_line_leaves_no_trace_in_the_next_record(self) -> None:
        normaliser = ADAPTER.normaliser(harness_context())
        normaliser.records(choice_line(0, note=1), 1)
        with pytest.raises(LineRefused):
            normaliser.records(choice_line(1, arguments=gen_args((PROMPT, " a"))) | {"arguments": 0}, 2)
        (record,) = normaliser.records(choice_line(2), 3)
        assert (list(record), record["source"]["line"], record["warnings"]) == (list(FIELDS), 3, [])
        assert normaliser.take().stable == 2

    def test_null_warnings_are_none(self) -> None:
        assert record_of(choice_line() | {"warnings": None})["warnings"] == []

    def test_more_filters_than_are_remembered_are_all_kept_apart(self) -> None:
        records, _ = tally_of(*(choice_line(0, filter=f"f{number}") for number in range(300)))
        assert [record["filter"] for record in records] == [f"f{number}" for number in range(300)]

    @pytest.mark.parametrize("filter_", [1, True, "", " ", ["none"], {}])
    def test_a_filter_that_is_no_text_is_refused(self, filter_: Any) -> None:
        assert refused(choice_line(filter=filter_)) == [("R001", "$.filter")]


class TestWarnings:
    """What a reader should know stands on the record and is counted."""

    def test_supplied_warnings_are_kept_in_front(self) -> None:
        (record,), tally = tally_of(choice_line(warnings=["theirs"]) | {"doc_hash": "0" * 64})
        assert record["warnings"] == [
            "theirs",
            "doc_hash cannot be made again: edited or cut after the harness wrote it",
        ]
        assert tally.warnings == {"H010": 1}

    def test_a_likelihood_that_is_not_finite_is_null_and_said(self) -> None:
        leaves = [["-inf", "False"], ["-0.5", "True"], ["nan", "False"]]
        (record,), tally = tally_of(choice_line(filtered_resps=leaves))
        assert record["scores"] == {"likelihoods": [None, -0.5, None], "greedy": [False, True, False]}
        assert record["warnings"] == ["a likelihood is -inf, nan, no finite number; its score is null"]
        assert record["response"]["filtered_resps"] == leaves
        assert tally.warnings == {"H012": 1}

    @pytest.mark.parametrize(
        ("results", "metadata", "due"),
        [
            pytest.param({"lm_eval_version": "0.4.5"}, {}, 1, id="0.4.5"),
            pytest.param({"lm_eval_version": "0.4.8"}, {}, 1, id="0.4.8"),
            pytest.param({"lm_eval_version": "0.4.9"}, {}, 0, id="0.4.9"),
            pytest.param({"lm_eval_version": "0.4.13.dev0"}, {}, 0, id="0.4.13"),
            pytest.param({}, {"producer": {"name": "lm-eval", "version": "0.4.4"}}, 0, id="producer_0.4.4"),
            pytest.param(None, {"producer": {"name": "lm-eval", "version": "0.4.7"}}, 1, id="producer_0.4.7"),
            pytest.param({"lm_eval_version": None}, {}, 1, id="null"),
            pytest.param({"lm_eval_version": "main"}, {}, 1, id="no_number"),
            pytest.param(None, {}, 1, id="unknown"),
        ],
    )
    def test_mutual_information_of_doubtful_versions_is_said(self, results: Any, metadata: Any, due: int) -> None:
        line = choice_line(metrics=["acc", "acc_mutual_info"], acc_mutual_info=1.0)
        (record,), tally = tally_of(line, results=results, metadata=metadata)
        assert tally.warnings["H011"] == len(record["warnings"]) == due

    def test_a_key_with_the_name_of_a_made_field_is_said_to_stay_behind(self) -> None:
        (record,), tally = tally_of(choice_line(prediction="mine", response="mine"))
        assert record["warnings"] == [
            "the line's own 'prediction' stays in the raw file: the record makes it of other keys",
            "the line's own 'response' stays in the raw file: the record makes it of other keys",
        ]
        assert (record["prediction"], tally.warnings) == (None, {"H015": 2})

    def test_a_plain_line_has_none(self) -> None:
        (record,), tally = tally_of(choice_line())
        assert (record["warnings"], dict(tally.warnings)) == ([], {})


class TestTally:
    """What a stretch of lines came to."""

    def test_the_digests_are_joined_line_by_line(self) -> None:
        lines = [choice_line(0), text_line(1)]
        _, tally = tally_of(*lines)
        assert tally.hashes == [line["doc_hash"] + line["prompt_hash"] + line["target_hash"] for line in lines]
        assert tally.unhashed == 0

    def test_the_benchmarks_of_the_records_are_named(self) -> None:
        _, tally = tally_of(choice_line(0), choice_line(1, benchmark="other"), choice_line(2, metrics=[]))
        assert tally.benchmarks == {"foxes", "other"}

    def test_a_line_without_digests_is_counted(self) -> None:
        _, tally = tally_of(as_version(choice_line(), "0.4.0"))
        assert (tally.hashes, tally.unhashed) == ([], 1)

    def test_taking_begins_again_and_loses_nothing(self) -> None:
        normaliser = ADAPTER.normaliser(harness_context())
        normaliser.records(choice_line(0), 1)
        first = normaliser.take()
        normaliser.records(choice_line(1), 2)
        second = normaliser.take()
        assert (
            first.sums == second.sums == {("foxes", "none", "acc"): (1, 1.0), ("foxes", "none", "acc_norm"): (1, 0.0)}
        )
        assert (first.stable, second.stable, len(second.hashes)) == (1, 1, 1)
        assert normaliser.take() == Tally()


@pytest.mark.parametrize(
    ("line", "due"),
    [
        pytest.param({"doc": {}, "resps": []}, True, id="resps"),
        pytest.param({"doc": "text", "filtered_resps": []}, True, id="filtered_resps"),
        pytest.param({"doc": {}}, False, id="no_answers"),
        pytest.param({"doc": None, "resps": []}, False, id="no_document"),
        pytest.param({"doc": {}, "resps": [], "original": {}, "rephrased": {}}, False, id="a_pair"),
        pytest.param({"doc": {}, "resps": [], "identity_scope": "stable"}, False, id="a_finished_record"),
    ],
)
def test_a_harness_line_is_known_by_its_document_and_answers(line: dict[str, Any], due: bool) -> None:
    assert ADAPTER.recognises(line) is due


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(without(choice_line(), "doc"), id="no_document"),
        pytest.param(choice_line() | {"doc": None}, id="a_null_document"),
        pytest.param(without(choice_line(), "resps", "filtered_resps"), id="no_answers"),
    ],
)
def test_a_line_that_is_none_of_the_harness_is_refused(line: dict[str, Any]) -> None:
    assert refused(line) == [("H003", "$")]


def test_a_null_document_is_refused_behind_lines_of_the_same_keys() -> None:
    normaliser = ADAPTER.normaliser(harness_context())
    normaliser.records(choice_line(doc="text"), 1)
    with pytest.raises(LineRefused):
        normaliser.records(choice_line(1) | {"doc": None}, 2)


def real_logs() -> list[Any]:
    folder = SHARED / "data" / "lm-eval" / "real"
    return [pytest.param(path, id=path.parent.name + "/" + path.name[:40]) for path in sorted(folder.glob("*/*.jsonl"))]


@needs_shared
@pytest.mark.shared
@pytest.mark.parametrize("path", real_logs())
def test_real_logs_give_records_whose_digests_agree(path: Any) -> None:
    context: FileContext = harness_context(task="t")
    normaliser = ADAPTER.normaliser(context)
    lines = [json.loads(text) for text in path.read_bytes().split(b"\n") if text]
    for number, line in enumerate(lines, start=1):
        normaliser.records(line, number)
    tally = normaliser.take()
    assert ADAPTER.review(context, tally).count == (1 if "tinyGSM8k" in path.name else 0)
    assert len(tally.hashes) == tally.stable + tally.run_local == len(lines)
    assert not tally.warnings


class TestAfterARefusedLine:
    """A refused line leaves nothing behind for the lines after it."""

    @staticmethod
    def normaliser() -> Any:
        return ADAPTER.normaliser(harness_context(id_field=["doc.id"]))

    @staticmethod
    def faulty(**more: Any) -> dict[str, Any]:
        return text_line(doc={"id": None}) | more

    def test_its_own_keys_are_not_missed(self) -> None:
        normaliser = self.normaliser()
        for _ in range(2):
            with pytest.raises(LineRefused) as refused:
                normaliser.records(self.faulty(tag="x"), 1)
            assert places(list(refused.value.findings)) == [("I002", "$.doc.id")]
        assert normaliser.records(text_line(), 2)[0] == self.normaliser().records(text_line(), 2)[0]

    def test_a_line_of_the_same_layout_is_whole(self) -> None:
        normaliser = self.normaliser()
        with pytest.raises(LineRefused):
            normaliser.records(self.faulty(tag="x"), 1)
        sound = text_line(doc={"id": "q"}) | {"tag": "y"}
        (record,) = normaliser.records(sound, 2)
        assert (record["question_id"], record["tag"]) == ("q", "y")
        assert record == self.normaliser().records(sound, 2)[0]

    def test_the_keys_of_the_line_before_it_go(self) -> None:
        normaliser = self.normaliser()
        normaliser.records(text_line() | {"tag": "x"}, 1)
        with pytest.raises(LineRefused):
            normaliser.records(self.faulty(other="x"), 2)
        (record,) = normaliser.records(text_line(), 3)
        assert record.keys() == {*FIELDS}
