"""Has lm-evaluation-harness write the logs below `logs/`: two small models, on the tasks below `tasks/`.

By hand, with Python 3.11 or newer, from this folder:

    python3 -m venv .venv-harness && .venv-harness/bin/pip install lm_eval==0.4.13
    .venv-harness/bin/python make_logs.py

Only the first needs a network. The second replaces the logs: with the same Python the samples stay the same byte for
byte, and in the results files only `date` and `total_evaluation_time_seconds` differ.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
MODELS = ("demo/ngram-3", "demo/ngram-8")
TASKS = ["everyday", "word_sums"]
SEED = 1234

#: Put in place of the harness's time stamp, so that the files' names stay when the logs are made again.
STAMP = "2026-11-30T14-00-00.000001"


def evaluate(model: str) -> None:
    """Has the harness evaluate one model and save its results and samples, in the order its own command does."""
    from lm_eval import simple_evaluate
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager
    from lm_eval.utils import make_table

    arguments = {"pretrained": model}
    tracker = EvaluationTracker(output_path="logs")
    results = simple_evaluate(
        model="ngram",
        model_args=arguments,
        tasks=TASKS,
        task_manager=TaskManager(include_path="tasks", include_defaults=False, metadata=arguments),
        evaluation_tracker=tracker,
        batch_size=1,
        log_samples=True,
        fewshot_as_multiturn=False,
        random_seed=SEED,
        numpy_random_seed=SEED,
        torch_random_seed=SEED,
        fewshot_random_seed=SEED,
    )
    samples = results.pop("samples")
    tracker.save_results_aggregated(results=results, samples=samples)
    for task in results["configs"]:
        tracker.save_results_samples(task_name=task, samples=samples[task])
    for path in Path("logs", tracker.general_config_tracker.model_name_sanitized).iterdir():
        path.rename(path.with_name(path.name.replace(tracker.date_id, STAMP)))
    print(model, make_table(results), make_table(results, "groups"), sep="\n")


def main() -> None:
    """Makes all logs again, from within this folder: the harness logs the paths it is given, and these are relative."""
    os.chdir(HERE)
    shutil.rmtree("logs", ignore_errors=True)
    sys.dont_write_bytecode = True
    with tempfile.TemporaryDirectory() as cache:
        # Without a repository to describe, the harness logs no commit: the one it would find is not its own.
        os.environ.update(HF_HOME=cache, HF_HUB_OFFLINE="1", GIT_DIR=cache)
        import ngram_lm  # noqa: F401 (registers the model)

        for model in MODELS:
            evaluate(model)


if __name__ == "__main__":
    main()
