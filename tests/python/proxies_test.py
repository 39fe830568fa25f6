# SPDX-License-Identifier: MIT
"""The proxy applications from Python: what the program prints, on any ranks, threads and model; errors."""

import os
import re

import pytest
import thalweg
from support import program, python

# Words of a small run, and the facts that the program prints as lines.
RUNS = {
    "hpccg": (
        ["8", "8", "8", "--max_iter", "20", "--fingerprint", "--digits", "17"],
        {
            "residuals_hash": r"^residuals (\w{16})$",
            "solution_hash": r"^solution (\w{16})$",
            "n_iterations": r"^Number of iterations: (\d+)$",
            "residual": r"^Final residual: (\S+)$",
        },
    ),
    "lulesh": (
        ["-s", "6", "-i", "10", "--hash"],
        {"hash": r"^hash (\w{16})$", "n_cycles": r"Iteration count +=\s+(\d+)$"},
    ),
    "cholesky": (["--n", "256", "--tile", "64", "--fingerprint"], {"hash": r"^factor (\w{16})$"}),
    "taskbench": (
        ["-steps", "4", "-width", "4", "-type", "stencil_1d"],
        {"n_tasks": r"^Total Tasks (\d+)$", "n_dependencies": r"^Total Dependencies (\d+)$"},
    ),
}
MINIAMR = ["--num_refine", 2, "--num_tsteps", 4, "--stages_per_ts", 4, "--num_vars", 4, "--init_x", 2, "--checksum_freq", 2]
MINIAMR += ["--num_objects", 1, "--object", 2, 0, 0.2, 0.5, 0.5, 0.03, 0, 0, 0.15, 0.15, 0.15, 0, 0, 0]


@pytest.mark.parametrize("name", RUNS)
def test_facts_are_those_that_the_program_prints(name, tmp_path):
    words, lines = RUNS[name]
    words = [*words, *(["--out", tmp_path] if name == "hpccg" else [])]
    done = program(name, *words)
    assert done.returncode == 0, done.stderr
    option = "-threads" if name == "taskbench" else "--threads"
    for threads in (1, 2):
        facts = thalweg.run(name, *words, option, threads)
        for fact, line in lines.items():
            printed = re.search(line, done.stdout, re.MULTILINE)[1]
            assert type(facts[fact])(printed) == facts[fact], fact


def test_lines_are_printed_where_they_are_asked_for(capfd):
    words = ("taskbench", "-steps", 4, "-width", 4)
    thalweg.run(*words)
    assert capfd.readouterr().out == ""
    thalweg.run(*words, log=True)
    assert "Total Tasks 16" in capfd.readouterr().out


def test_miniamr_has_the_sums_of_the_program_in_every_model():
    expected = thalweg.run("miniamr", *MINIAMR)
    printed = re.findall(r"^4 var \d sum (\S+)", program("miniamr", *MINIAMR, "--report_diffusion").stdout, re.MULTILINE)
    assert printed[-4:] == [f"{value:.6f}" for value in expected["checksums"]]
    assert expected["n_refinements"] >= 1 and expected["total_blocks"] > 2 * expected["n_stages"]
    for model in ("bulk", "forkjoin", "phase"):
        facts = thalweg.run("miniamr", *MINIAMR, "--model", model, "--threads", 1 if model == "bulk" else 2)
        for fact in ("checksums", "first_checksums", "total_blocks", "time"):
            assert facts[fact] == expected[fact], (model, fact)


def test_what_checks_find_are_facts():
    assert thalweg.run("cholesky", "--n", 64, "--tile", 16, "--check")["is_good"] is True
    bad = thalweg.run("cholesky", "--n", 64, "--tile", 16, "--bump", -100)
    assert bad["is_good"] is False and bad["info"] == 1


@pytest.mark.parametrize(
    "words, message",
    [
        (["hpcg", 8], "no application 'hpcg' .* hpccg"),
        (["hpccg", 8], "ny is required"),
        (["lulesh", "-s", -3], "-s -3 .*1..800"),
        (["miniamr", "--num_refin", 1], "--num_refin"),
        (["taskbench", "-steps"], "-steps has no value"),
        (["taskbench", "-runtime", "openmp"], "thalweg-taskbench"),
        (["hpccg", "--help"], "thalweg hpccg --help"),
    ],
)
def test_what_is_wrong_with_words_is_a_value_error(words, message):
    with pytest.raises(ValueError, match=message):
        thalweg.run(*words)
    assert thalweg.run("taskbench", "-steps", 2)["n_tasks"] == 8  # and others go on


def test_other_types_are_refused_by_name():
    with pytest.raises(TypeError, match=r"^name = 3 \(must be a string\)"):
        thalweg.run(3)
    for words in ([8, 8, 8], None, {"n": 8}):
        with pytest.raises(TypeError, match=r"^word 2 = .*\(must be a string, a Python number or a path"):
            thalweg.run("hpccg", 8, words)
    with pytest.raises(TypeError, match="^communicator = 3 "):
        thalweg.run("hpccg", 8, 8, 8, communicator=3)


def test_words_may_be_paths_of_any_kind(tmp_path):
    (tmp_path / "out").mkdir()
    (entry,) = os.scandir(tmp_path)
    thalweg.run("hpccg", 8, 8, 8, "--max_iter", 5, "--out", entry)
    assert any((tmp_path / "out").iterdir())
    (of_bytes,) = os.scandir(os.fsencode(tmp_path))
    with pytest.raises(TypeError, match=r"^word 2 = <DirEntry b'out'> \(must be a path\)"):
        thalweg.run("hpccg", "--out", of_bytes)


def test_a_failure_of_a_run_is_a_runtime_error():
    with pytest.raises(RuntimeError, match="max_blocks"):
        thalweg.run("miniamr", *MINIAMR, "--max_blocks", 3)


@pytest.mark.parametrize("ranks", [2, 3])
def test_ranks_have_the_bits_of_one(ranks):
    factor = thalweg.run("cholesky", "--n", 256, "--tile", 64, "--fingerprint")["hash"]
    done = python(f"""
        facts = thalweg.run("cholesky", "--n", 256, "--tile", 64, "--fingerprint", "--threads", 2)
        assert facts["hash"] == {factor!r}
        print("same")
        """, ranks=ranks)
    assert done.returncode == 0 and done.stdout.count("same") == ranks, done.stderr


def test_what_is_wrong_on_ranks_is_raised_on_all():
    done = python("""
        for words in (["lulesh"], ["hpccg", 8], ["cholesky", "--n", 32 + thalweg.Simulation(DECK).rank]):
            try:
                thalweg.run(*words)
            except ValueError as problem:
                print("raised:", problem)
        """, ranks=2)
    assert done.returncode == 0 and done.stdout.count("raised:") == 6, done.stdout + done.stderr


def test_a_failure_ends_all_ranks():
    words = [*MINIAMR, "--npx", 2, "--max_blocks", 3]
    done = python(f'thalweg.run("miniamr", *{words})\nprint("went on")\n', ranks=2)
    assert done.returncode != 0 and "max_blocks" in done.stderr and "went on" not in done.stdout
