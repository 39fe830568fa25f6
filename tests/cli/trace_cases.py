# SPDX-License-Identifier: MIT
"""Cases of traces and graphs."""

from __future__ import annotations

import json
import subprocess
import sys

from shell import BAD_REQUEST, SOD, SUCCESS, Command, Shell

LONG_SOD = ["run", "sod.toml", "time.max_steps=16", "trace.steps=[10,14]"]  # with regrids in it

COMMANDS = {
    "trace_steps_in_reverse": Command(
        [*SOD, "trace.steps=[5,5]"], BAD_REQUEST, ["trace.steps = [5, 5]", "first"], makes_not=["sod"]
    ),
    "trace_of_one_number": Command([*SOD, "trace.steps=[5]"], BAD_REQUEST, ["trace.steps = [5]"]),
    "trace_of_a_rank_that_is_not_there": Command(
        [*SOD, "trace.steps=[1,2]", "trace.ranks=[0,2]"],
        BAD_REQUEST,
        ["trace.ranks", "no rank 2", "has 2"],
        ranks=2,
        makes_not=["sod"],
    ),
    "trace_alone": Command(["trace"], BAD_REQUEST, ["summary", "export"]),
    "trace_summary_of_nothing": Command(
        ["trace", "summary", "none.pftrace"], BAD_REQUEST, ["'none.pftrace'", "no such file"]
    ),
    "trace_summary_of_a_folder_without_one": Command(
        ["trace", "summary", "."], BAD_REQUEST, ["'./trace.pftrace'", "no such file", "trace.steps"]
    ),
    "trace_summary_of_a_deck": Command(
        ["trace", "summary", "sod.toml"], BAD_REQUEST, ["'sod.toml'", "no trace", "trace.steps"]
    ),
    "trace_export_to_nowhere": Command(
        ["trace", "export", "sod.toml", "--format", "gif"], BAD_REQUEST, ["'gif'", "chrome", "otf2"]
    ),
    "trace_summary_on_two_ranks": Command(
        ["trace", "summary", "none.pftrace"], BAD_REQUEST, ["trace on 2 ranks", "without mpirun"], ranks=2
    ),
    "trace_export_on_two_ranks": Command(
        ["trace", "export", "none.pftrace", "--format", "chrome"], BAD_REQUEST, ["trace on 2 ranks"], ranks=2
    ),
    "graph_on_two_ranks": Command(["graph", "sod.toml", "--ranks", "2"], BAD_REQUEST, ["graph on 2 ranks"], ranks=2),
    "graph_of_a_program": Command(
        ["graph", "hpccg", "4", "4", "4", "--ranks", "2"], BAD_REQUEST, ["graph hpccg (it is a command", "decks only", "predict --help"]
    ),
    "graph_of_an_empty_rank": Command(
        ["graph", "sod.toml", "--ranks", "2", "--rank", ""], BAD_REQUEST, ["--rank '' (no value); give one"]
    ),
    "graph_without_ranks": Command(["graph", "sod.toml"], BAD_REQUEST, ["--ranks"]),
    "graph_of_many_ranks": Command(
        ["graph", "sod.toml", "--ranks", "1000", "--rank", "0", "-o", "g.dot"], SUCCESS, ["looking at 1000 ranks"], makes=["g.dot"]
    ),
    "graph_on_no_ranks": Command(
        ["graph", "sod.toml", "--ranks", "0"], BAD_REQUEST, ["--ranks 0", "1 to 262144"]
    ),
    "graph_of_a_rank_that_is_not_there": Command(
        ["graph", "sod.toml", "--ranks", "2", "--rank", "2"], BAD_REQUEST, ["--rank 2", "0 to 1"]
    ),
    "graph_of_no_deck": Command(
        ["graph", "none.toml", "--ranks", "2"], BAD_REQUEST, ["'none.toml'", "no such file"]
    ),
    "graph_of_a_wrong_deck": Command(
        ["graph", "sod.toml", "mesh.block_cells=9", "--ranks", "2"], BAD_REQUEST, ["block_cells = 9"]
    ),
    "graph_in_two_formats": Command(
        ["graph", "sod.toml", "--ranks", "2", "--dot", "--json"], BAD_REQUEST, ["--dot"]
    ),
}


def trace_summary_adds_up(shell: Shell) -> None:
    for model in ["bulk", "forkjoin", "phase", "dataflow"]:
        shell.succeed(*LONG_SOD, "--threads", "2", "--model", model, "--out", model, ranks=3)
        summary = json.loads(shell.succeed("trace", "summary", f"{model}/trace.pftrace", "--json"))
        assert summary["model"] == model and summary["dropped"] == 0
        assert len(summary["workers"]) == (3 if model == "bulk" else 6)
        for worker in summary["workers"]:
            parts = [worker[f"{part}_ns"] for part in ["work", "overhead", "between_runs"]]
            assert min(parts) >= 0
            assert sum(parts) + sum(worker["idle_ns"].values()) == summary["wall_ns"], worker
            assert worker["idle_ns"]["not_traced"] == 0
        assert summary["critical_path"]["length_ns"] <= summary["wall_ns"]
        assert summary["ideal_network_ns"] <= summary["wall_ns"]
        said = shell.succeed("trace", "summary", f"{model}/trace.pftrace")
        assert "steps 10 to 13" in said and "critical path" in said and "advance" in said


def trace_of_some_ranks(shell: Shell) -> None:
    shell.succeed(*LONG_SOD, "trace.ranks=[2,0]", "--out", "a", ranks=3)
    summary = json.loads(shell.succeed("trace", "summary", "a/trace.pftrace", "--json"))
    assert (summary["ranks"], summary["ranks_traced"]) == (3, 2)
    assert [worker["rank"] for worker in summary["workers"]] == [0, 2]
    assert set(summary["efficiencies"].values()) == {None}
    assert summary["critical_path"]["length_ns"] is None
    assert "2 of 3 ranks" in shell.succeed("trace", "summary", "a/trace.pftrace")


def trace_with_little_room_says_what_it_lacks(shell: Shell) -> None:
    said = shell.succeed(*LONG_SOD, "trace.max_events=400", "--out", "a")
    assert "trace lacks" in said and "trace.max_events" in said
    assert "no room" in shell.succeed("trace", "summary", "a/trace.pftrace")


def trace_is_exported(shell: Shell) -> None:
    shell.succeed(*LONG_SOD, "--out", "a", ranks=2)
    assert shell.succeed("trace", "export", "a", "--format", "chrome") == "a/trace.json\n"
    assert shell.succeed("trace", "summary", "a") == shell.succeed("trace", "summary", "a/trace.pftrace")
    events = json.loads((shell.folder / "a/trace.json").read_text())["traceEvents"]
    assert {event["pid"] for event in events} == {0, 1}


def trace_export_knows_steps_and_regrids(shell: Shell) -> None:
    shell.succeed(*LONG_SOD, "--out", "a")
    summary = json.loads(shell.succeed("trace", "summary", "a/trace.pftrace", "--json"))
    shell.succeed("trace", "export", "a/trace.pftrace", "--format", "chrome")
    export = json.loads((shell.folder / "a/trace.json").read_text())
    head = export["otherData"]
    for key in ["model", "ranks", "ranks_traced", "steps", "wall_ns"]:
        assert head[key] == summary[key], key
    assert summary["steps"] == [10, 14] and summary["step_ns"] > 0
    first_us, last_us = head["window_us"]
    assert abs(1000 * (last_us - first_us) - head["wall_ns"]) < 1
    tasks = [event["args"] for event in export["traceEvents"] if event.get("cat") == "task"]
    assert 5 < min(task["step"] for task in tasks if "step" in task)  # neighbours of step 10, too
    assert any("step" not in task for task in tasks)  # of regrids


def trace_is_not_replaced_by_its_export(shell: Shell) -> None:
    shell.succeed(*LONG_SOD, "--out", "a")
    trace = shell.folder / "a" / "trace.pftrace"
    (shell.folder / "link").symlink_to(trace)
    (shell.folder / "b" / "traces").mkdir(parents=True)
    inner = shell.folder / "b" / "traces" / "trace.pftrace"
    before = trace.read_bytes()
    inner.write_bytes(before)
    for of, kind, to in [
        ("a/trace.pftrace", "chrome", "a/trace.pftrace"),
        ("a/trace.pftrace", "chrome", "a/../a/trace.pftrace"),
        ("a/trace.pftrace", "chrome", "link"),
        ("a/trace.pftrace", "otf2", "a/trace.pftrace"),
        ("b/traces/trace.pftrace", "otf2", "b"),
    ]:
        code, said = shell.run(["trace", "export", of, "--format", kind, "-o", to, "--force"])
        assert code == BAD_REQUEST and f"'{to}' is the trace" in said, (code, said)
        assert trace.read_bytes() == before and inner.read_bytes() == before


def report_of_a_run_on_several_ranks_reads_its_trace(shell: Shell) -> None:
    # Its program is started by a rank, and is none itself.
    start = "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:]))"
    shell.succeed(*LONG_SOD, "--out", "a")
    command = [sys.executable, "-c", start, shell.program, "trace", "summary", "a/trace.pftrace"]
    done = subprocess.run([shell.mpiexec, "-n", "2", *command], cwd=shell.folder, capture_output=True, text=True)
    assert done.returncode == SUCCESS and done.stdout.count("critical path") == 2, done.stderr


def graph_is_written_without_running(shell: Shell) -> None:
    ask = ["graph", "sod.toml", "--ranks", "3"]
    graphs = json.loads(shell.succeed(*ask, "--json"))
    assert [graph["rank"] for graph in graphs] == [0, 1, 2]
    assert all(graph["model"] == "dataflow" and graph["nodes"] for graph in graphs)
    # Each message has both its ends.
    ends = [
        (kind, *(ends if kind == "send" else ends[::-1]), message["tag"], message["bytes"])
        for graph in graphs
        for message in graph["messages"]
        for kind, ends in [(message["kind"], (graph["rank"], message["peer"]))]
    ]
    sends, receives = ({end[1:] for end in ends if end[0] == kind} for kind in ["send", "recv"])
    assert sends == receives and sends
    assert json.loads(shell.succeed(*ask, "--json", "--rank", "1")) == graphs[1]
    assert shell.succeed(*ask, "-o", "step.dot", "--rank", "2", "--model", "bulk") == ""
    dot = (shell.folder / "step.dot").read_text()
    assert dot.startswith("digraph") and "barrier" in dot
    assert shell.succeed(*ask).count("digraph") == 3
    assert not (shell.folder / "sod").exists()


def trace_stays_where_a_run_goes_on_behind_it(shell: Shell) -> None:
    deck = ["run", "sod.toml", "trace.steps=[1,2]", "checkpoint.interval=2", "--out", "out"]
    shell.succeed(*deck, "time.max_steps=4")
    trace = (shell.folder / "out" / "trace.pftrace").read_bytes()
    text = shell.succeed("run", "--restart", "latest", "--out", "out", "time.max_steps=6")
    assert "no trace: trace.steps = [1, 2] has none of the run's steps, 5 to 6" in text
    assert (shell.folder / "out" / "trace.pftrace").read_bytes() == trace


FUNCTIONS = [
    trace_summary_adds_up,
    trace_stays_where_a_run_goes_on_behind_it,
    trace_of_some_ranks,
    trace_with_little_room_says_what_it_lacks,
    trace_is_exported,
    trace_export_knows_steps_and_regrids,
    trace_is_not_replaced_by_its_export,
    report_of_a_run_on_several_ranks_reads_its_trace,
    graph_is_written_without_running,
]
