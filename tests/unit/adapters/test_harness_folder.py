"""Folders of logs: sample files with the results of the same evaluation, and nothing taken that is no log."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import zstandard

from harness_lines import choice_line
from itemproof.adapters.harness_choice import LATEST, choose
from itemproof.adapters.harness_folder import Discovery, Evaluation, discover, passed_over
from itemproof.adapters.harness_names import file_name
from itemproof.core.errors import InvalidInput, Unavailable

EARLY = "2024-10-30T14-52-16.573379"
LATE = "2024-10-30T14-52-17"


def results(*tasks: str, model: str = "acme/m", **more: Any) -> str:
    named = {task: {"acc,none": 1.0} for task in tasks}
    return json.dumps({"results": named, "configs": {task: {} for task in tasks}, "model_name": model, **more})


def put(path: Path, content: str | bytes = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return path


LINE = json.dumps(choice_line()) + "\n"


def log(folder: Path, task: str, stamp: str | None = EARLY, suffix: str = ".jsonl") -> Path:
    return put(folder / (f"samples_{task}{'' if stamp is None else '_' + stamp}{suffix}"), LINE)


def found(discovery: Discovery) -> list[tuple[str | None, str | None, str, str | None]]:
    return [
        (one.task, one.timestamp, one.samples.name, None if one.results is None else one.results.name)
        for one in discovery.evaluations
    ]


def codes(discovery: Discovery) -> list[tuple[str, str | None]]:
    return [(finding.code.id, Path(finding.where.file or "").name) for finding in discovery.refused]


@pytest.mark.parametrize(
    ("name", "due"),
    [
        (f"samples_gsm8k_{EARLY}.jsonl", ("gsm8k", EARLY, True)),
        (f"samples_truthfulqa-multi_gen_en_{LATE}.jsonl", ("truthfulqa-multi_gen_en", LATE, True)),
        (f"samples_group::sub_task_{EARLY}.jsonl.gz", ("group::sub_task", EARLY, True)),
        (f"samples_t_{EARLY}.jsonl.zst", ("t", EARLY, True)),
        (f"samples_t_{EARLY}.json", ("t", EARLY, True)),
        ("samples_t_2024-10-30T14:52:16.jsonl", ("t", "2024-10-30T14:52:16", True)),
        ("samples_demo_bleu.jsonl", ("demo_bleu", None, True)),
        (f"samples_{EARLY}.jsonl", (EARLY, None, True)),
        (f"results_{EARLY}.json", (None, EARLY, False)),
        (f"mine_{LATE}.json", (None, LATE, False)),
        ("results.json", (None, None, False)),
        ("pretrained__acme__tiny_demo.jsonl", (None, None, False)),
        ("samples_.jsonl", (None, None, False)),
        ("samples_t.jsonl.bak", (None, None, False)),
    ],
)
def test_a_file_name_is_read_from_the_right(name: str, due: tuple[Any, ...]) -> None:
    assert tuple(file_name(name)) == due


def test_the_time_stamp_joins_logs_to_their_results(tmp_path: Path) -> None:
    for stamp in (EARLY, LATE):
        put(tmp_path / f"results_{stamp}.json", results("a", "b", model=f"m-{stamp}"))
        log(tmp_path, "a", stamp)
    log(tmp_path, "b", "2020-01-01T00-00-00")
    discovery = discover([tmp_path])
    assert found(discovery) == [
        ("a", EARLY, f"samples_a_{EARLY}.jsonl", f"results_{EARLY}.json"),
        ("a", LATE, f"samples_a_{LATE}.jsonl", f"results_{LATE}.json"),
        ("b", "2020-01-01T00-00-00", "samples_b_2020-01-01T00-00-00.jsonl", None),
    ]
    assert [one.model for one in discovery.evaluations] == [f"m-{EARLY}", f"m-{LATE}", None]
    assert (discovery.left_out, codes(discovery), discovery.notices) == ([], [], [])


def test_the_results_of_a_named_output_file_are_found(tmp_path: Path) -> None:
    put(tmp_path / f"mine_{EARLY}.json", results("a"))
    log(tmp_path, "a")
    assert found(discover([tmp_path])) == [("a", EARLY, f"samples_a_{EARLY}.jsonl", f"mine_{EARLY}.json")]


def test_of_two_results_files_of_one_stamp_the_one_that_names_the_task_counts(tmp_path: Path) -> None:
    put(tmp_path / f"one_{EARLY}.json", results("a"))
    put(tmp_path / f"two_{EARLY}.json", results("b"))
    log(tmp_path, "a")
    log(tmp_path, "b")
    log(tmp_path, "c")
    assert [one[3] for one in found(discover([tmp_path]))] == [f"one_{EARLY}.json", f"two_{EARLY}.json", None]


def test_logs_without_a_stamp_belong_to_results_without_one(tmp_path: Path) -> None:
    put(tmp_path / "results.json", results("a", "tiny_a"))
    log(tmp_path, "a", None)
    log(tmp_path, "z", None)
    put(tmp_path / "pretrained__acme__m_tiny_a.jsonl", LINE)
    assert found(discover([tmp_path])) == [
        ("tiny_a", None, "pretrained__acme__m_tiny_a.jsonl", "results.json"),
        ("a", None, "samples_a.jsonl", "results.json"),
        ("z", None, "samples_z.jsonl", None),
    ]


def test_compressed_logs_are_looked_into(tmp_path: Path) -> None:
    put(tmp_path / "samples_a.jsonl.gz", gzip.compress(LINE.encode()))
    put(tmp_path / "samples_b.jsonl.zst", zstandard.compress(LINE.encode()))
    put(tmp_path / "samples_c.jsonl.gz", gzip.compress(b"[\n{}]"))
    put(tmp_path / "samples_d.jsonl.gz", b"plain")
    put(tmp_path / "other.jsonl.gz", gzip.compress(b'{"a": 1}\n'))
    discovery = discover([tmp_path])
    assert [one.task for one in discovery.evaluations] == ["a", "b"]
    assert codes(discovery) == [("H024", "samples_c.jsonl.gz"), ("J021", "samples_d.jsonl.gz")]
    assert [path.name for path in discovery.left_out] == ["other.jsonl.gz"]


def test_what_is_no_log_is_left_out_and_listed(tmp_path: Path) -> None:
    put(tmp_path / "a" / "notes.txt")
    put(tmp_path / "a" / "other.json", '{"results": []}')
    put(tmp_path / "a" / "canonical.jsonl", '{"question_id": "q", "doc": 1}\n')
    put(tmp_path / "a" / "empty.jsonl")
    put(tmp_path / "a" / "list.jsonl", "[1, 2]")
    put(tmp_path / "b" / "renamed.jsonl", LINE)
    (tmp_path / "b" / "link.jsonl").symlink_to(tmp_path / "b" / "renamed.jsonl")
    (tmp_path / "c").symlink_to(tmp_path / "b")
    discovery = discover([tmp_path])
    assert found(discovery) == [(None, None, "renamed.jsonl", None)]
    names = ["canonical.jsonl", "empty.jsonl", "list.jsonl", "notes.txt", "other.json", "link.jsonl", "c"]
    assert [path.name for path in discovery.left_out] == names
    assert codes(discovery) == []


def test_a_first_line_longer_than_the_head_is_judged_by_its_beginning(tmp_path: Path) -> None:
    put(tmp_path / "x.jsonl", '{"doc_id": 0, "doc": {"text": "' + "x" * (2 << 20) + '"}, "resps": []}\n')
    assert found(discover([tmp_path])) == [(None, None, "x.jsonl", None)]


def test_a_byte_order_mark_and_blank_lines_hide_no_log(tmp_path: Path) -> None:
    put(tmp_path / "x.jsonl", "\ufeff \n\n" + LINE)
    assert found(discover([tmp_path])) == [(None, None, "x.jsonl", None)]


def test_logs_of_forms_that_are_not_read_are_refused_with_the_way_out(tmp_path: Path) -> None:
    put(tmp_path / "pretrained__m_a.jsonl", '[\n {\n "doc_id": 0,\n "doc": {}')
    put(tmp_path / "samples_b.jsonl", "\n [")
    put(tmp_path / f"samples_c_{EARLY}.json", "[{}]")
    put(tmp_path / f"samples_d_{EARLY}.json", LINE)
    put(tmp_path / "e_write_out_info.json", '[{"doc_id": 0, "prompt_0": "p", "logit_0": 1}]')
    discovery = discover([tmp_path])
    assert codes(discovery) == [
        ("H025", "e_write_out_info.json"),
        ("H024", "pretrained__m_a.jsonl"),
        ("H024", "samples_b.jsonl"),
        ("H024", f"samples_c_{EARLY}.json"),
    ]
    assert [one.task for one in discovery.evaluations] == ["d"]
    array = tmp_path / "samples_b.jsonl"
    assert f"itemproof convert {array} -o LINES/samples_b.jsonl" in discovery.refused.kept[2].text


@pytest.mark.parametrize(
    "content",
    ["", "{", "[" * 100_000, '{"results": [' + "[" * 100_000, '{"results": {}}', b'{"results": "\xff"}', "NaN"],
    ids=["empty", "cut", "deep", "deep_results", "no_results", "no_utf8", "nan"],
)
def test_a_results_file_that_cannot_be_read_is_said_and_stops_nothing(tmp_path: Path, content: str | bytes) -> None:
    path = put(tmp_path / f"results_{EARLY}.json", content)
    log(tmp_path, "a")
    discovery = discover([tmp_path])
    assert found(discovery) == [("a", EARLY, f"samples_a_{EARLY}.jsonl", None)]
    assert discovery.notices == [f"{path}: no results file that can be read; its facts are left out."]
    assert discovery.left_out == [path]


def test_a_number_that_is_not_finite_is_null_in_the_parsed_results(tmp_path: Path) -> None:
    put(
        tmp_path / f"results_{EARLY}.json", '{"results": {"a": {"acc,none": NaN, "b,none": -Infinity}}, "versions": {}}'
    )
    log(tmp_path, "a")
    (one,) = discover([tmp_path]).evaluations
    assert one.results_data == {"results": {"a": {"acc,none": None, "b,none": None}}, "versions": {}}


def test_a_file_given_by_itself_is_taken_whatever_its_name(tmp_path: Path) -> None:
    put(tmp_path / "results.json", results("a"))
    given = [put(tmp_path / "what.txt", '{"x": 1}\n'), put(tmp_path / "m_a.jsonl", LINE), tmp_path / "results.json"]
    assert found(discover(given)) == [
        (None, None, "what.txt", "results.json"),
        ("a", None, "m_a.jsonl", "results.json"),
    ]


def test_a_damaged_file_given_by_itself_is_refused(tmp_path: Path) -> None:
    discovery = discover([put(tmp_path / "x.jsonl.gz", b"plain")])
    assert (found(discovery), codes(discovery)) == ([], [("J021", "x.jsonl.gz")])


def test_a_file_is_taken_once_however_often_it_is_named(tmp_path: Path) -> None:
    path = log(tmp_path, "a")
    assert len(discover([tmp_path, path, tmp_path / "." / path.name, tmp_path]).evaluations) == 1


def test_every_path_that_leads_nowhere_is_listed(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as refused:
        discover([tmp_path / "a", tmp_path, tmp_path / "b"])
    assert [(finding.code.id, finding.where.file) for finding in refused.value.findings] == [
        ("H026", str(tmp_path / "a")),
        ("H026", str(tmp_path / "b")),
    ]


def evaluation(
    task: str | None, stamp: str | None, folder: str = "out", model: str | None = "m", **more: Any
) -> Evaluation:
    return Evaluation(task=task, timestamp=stamp, samples=Path(folder) / f"{task}-{stamp}", model=model, **more)


class TestChoice:
    """Evaluations of one task by one model are never taken together unasked."""

    def test_one_evaluation_of_each_task_needs_no_choice(self) -> None:
        given = [
            evaluation("a", EARLY),
            evaluation("b", EARLY),
            evaluation("a", LATE, model="n"),
            evaluation("a", None, folder="elsewhere", model=None),
            evaluation(None, None),
        ]
        assert choose(given) == given

    def test_two_are_refused_with_their_stamps_and_the_ways_out(self) -> None:
        given = [evaluation("a", LATE), evaluation("b", LATE), evaluation("a", EARLY)]
        with pytest.raises(InvalidInput) as refused:
            choose(given)
        (finding,) = refused.value.findings
        assert (finding.code.id, finding.where.file, refused.value.outcome) == ("H022", "out", "Nothing was imported.")
        assert finding.text == (
            f"a was evaluated 2 times by m: {EARLY} (out/a-{EARLY}); {LATE} (out/a-{LATE}). Take one with"
            f" --timestamp latest or --timestamp {EARLY}, or keep all as repeats with --as-repeats."
        )

    def test_every_task_with_two_is_listed(self) -> None:
        given = [evaluation(task, stamp) for task in "ab" for stamp in (EARLY, LATE)]
        with pytest.raises(InvalidInput) as refused:
            choose(given)
        assert [finding.code.id for finding in refused.value.findings] == ["H022", "H022"]

    def test_without_results_the_folder_stands_for_the_model(self) -> None:
        apart = [evaluation("a", EARLY, "x", None), evaluation("a", EARLY, "y", None)]
        assert choose(apart) == apart
        with pytest.raises(InvalidInput):
            choose([evaluation("a", EARLY, "x", None), evaluation("a", LATE, "x", None)])

    def test_the_latest_of_each_task_is_taken_when_asked_for(self) -> None:
        given = [evaluation("a", LATE), evaluation("a", EARLY), evaluation("b", EARLY), evaluation("a", None)]
        assert choose(given, timestamp=LATEST) == [given[0], given[2]]

    def test_a_whole_second_comes_before_its_fractions(self) -> None:
        given = [evaluation("a", "2024-01-01T00-00-00.000001"), evaluation("a", "2024-01-01T00-00-00")]
        assert choose(given, timestamp=LATEST) == [given[0]]

    def test_one_stamp_keeps_its_evaluations_alone(self) -> None:
        given = [evaluation("a", LATE), evaluation("a", EARLY), evaluation("b", LATE)]
        assert choose(given, timestamp=EARLY) == [given[1]]

    def test_a_stamp_that_none_has_is_refused_with_those_there_are(self) -> None:
        with pytest.raises(InvalidInput) as refused:
            choose([evaluation("a", LATE), evaluation("b", EARLY)], timestamp="2020")
        assert refused.value.code.id == "H023"
        assert refused.value.text == f"no evaluation has the time stamp 2020; there are {EARLY}, {LATE}."

    def test_two_of_the_asked_stamp_are_refused_still(self) -> None:
        with pytest.raises(InvalidInput) as refused:
            choose([evaluation("a", EARLY, "x"), evaluation("a", EARLY, "y")], timestamp=EARLY)
        assert refused.value.code.id == "H022"

    def test_repeats_are_numbered_in_the_order_of_time(self) -> None:
        given = [evaluation("a", LATE), evaluation("b", LATE), evaluation("a", EARLY)]
        chosen = choose(given, as_repeats=True)
        assert [(one.task, one.timestamp, one.repeat_id) for one in chosen] == [
            ("a", LATE, 1),
            ("b", LATE, None),
            ("a", EARLY, 0),
        ]

    def test_equal_stamps_are_ordered_by_the_moment_in_the_results(self) -> None:
        given = [evaluation("a", None, f, results_data={"date": date}) for f, date in (("x", 20.5), ("y", 10))]
        assert [one.repeat_id for one in choose(given, as_repeats=True)] == [1, 0]

    def test_a_stamp_and_repeats_exclude_each_other(self) -> None:
        with pytest.raises(ValueError, match="chooses one"):
            choose([], timestamp=LATEST, as_repeats=True)

    def test_nothing_gives_nothing(self) -> None:
        assert choose([]) == []


@pytest.mark.parametrize("date", [10**400, -(10**400), float("inf"), True, "today", [1]])
def test_a_date_that_is_no_moment_orders_nothing_and_fails_nowhere(tmp_path: Path, date: Any) -> None:
    for name, moment in (("b", 5.0), ("a", date)):
        one = Evaluation(
            task="t", timestamp=EARLY, samples=tmp_path / name, results_data={"date": moment}, model="acme/m"
        )
        other = Evaluation(
            task="t", timestamp=EARLY, samples=tmp_path / "c", results_data={"date": 4.0}, model="acme/m"
        )
        latest = choose([one, other], timestamp=LATEST)
        assert [each.samples.name for each in latest] == ["b" if name == "b" else "c"]


def test_a_results_file_given_by_itself_is_no_log_and_is_remembered(tmp_path: Path) -> None:
    beside = put(tmp_path / f"results_{EARLY}.json", results("a"))
    alone = discover([beside])
    assert (alone.evaluations, alone.results) == ([], [beside])
    both = discover([beside, log(tmp_path, "a")])
    assert (found(both), both.results) == ([("a", EARLY, f"samples_a_{EARLY}.jsonl", beside.name)], [beside])


@pytest.mark.parametrize(
    ("beside", "why"),
    [
        pytest.param({}, [], id="nothing"),
        pytest.param({"notes.json": "{}"}, [], id="no_results_file"),
        pytest.param(
            {f"results_{LATE}.json": results("a")},
            [f"results_{LATE}.json has the time stamp {LATE}, the log has the time stamp {EARLY}"],
            id="another_stamp",
        ),
        pytest.param(
            {"results.json": results("a")},
            [f"results.json has no time stamp, the log has the time stamp {EARLY}"],
            id="no_stamp",
        ),
        pytest.param(
            {f"results_{EARLY}.json": results("a"), f"acme_{EARLY}.json": results("a")},
            [f"acme_{EARLY}.json is one of several that fit", f"results_{EARLY}.json is one of several that fit"],
            id="two",
        ),
        pytest.param(
            {f"results_{EARLY}.json": results("b"), f"acme_{EARLY}.json": results("c")},
            [f"acme_{EARLY}.json names no task 'a'", f"results_{EARLY}.json names no task 'a'"],
            id="other_tasks",
        ),
        pytest.param(
            {f"results_{EARLY}.json": results("a", model="")},
            [f"results_{EARLY}.json names no model"],
            id="no_model",
        ),
    ],
)
def test_it_is_said_why_a_results_file_beside_a_log_does_not_name_the_model(
    tmp_path: Path, beside: dict[str, str], why: list[str]
) -> None:
    for name, content in beside.items():
        put(tmp_path / name, content)
    (evaluation,) = discover([log(tmp_path, "a")]).evaluations
    assert evaluation.model is None
    assert passed_over(evaluation) == why


def test_a_results_file_that_cannot_be_read_is_named_in_text_that_utf8_can_hold(tmp_path: Path) -> None:
    folder = tmp_path / "caf\udce9"
    put(folder / f"results_{EARLY}.json", '{"results": ')
    log(folder, "a")
    (notice,) = discover([folder]).notices
    assert (
        notice.encode("utf-8").decode("utf-8").endswith(": no results file that can be read; its facts are left out.")
    )
    assert "caf\\udce9/results_" in notice


def test_a_path_that_the_system_refuses_is_said_and_no_crash(tmp_path: Path) -> None:
    with pytest.raises(Unavailable) as refused:
        discover([tmp_path / ("x" * 300)])
    assert (refused.value.code.id, refused.value.text) == ("D004", "File name too long.")
