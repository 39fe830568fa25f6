# SPDX-License-Identifier: MIT
"""Cases of runs that go on: from where, what they say of what is there, what they leave of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable

from safety_cases import CHECKPOINTED, digest
from shell import BAD_REQUEST, Command, Shell

COMMANDS: dict[str, Command] = {
    "restart_in_a_folder_whose_name_is_no_text": Command(
        ["run", "--restart", "latest", "--out", "caf\udce9"], BAD_REQUEST, ["output.folder", "not UTF-8"]
    ),
}


def names_in(shell: Shell, pattern: str) -> list[str]:
    return sorted(path.name for path in shell.folder.glob(pattern))


def restart_says_what_it_replaces_and_where_nothing_is_left(shell: Shell) -> None:
    shell.succeed(*CHECKPOINTED, "--out", "a")
    said = shell.succeed("run", "--restart", "a/chk00008", ranks=2)
    assert "nothing to do: time.max_steps = 8" in said and "superseded" not in said, said
    before = digest(shell.folder / "a")
    said = shell.succeed("run", "--restart", "a/chk00004", "time.max_steps=4")
    assert "nothing to do: time.max_steps = 4" in said and digest(shell.folder / "a") == before, said
    said = shell.succeed("run", "--restart", "a/chk00004", "time.cfl=0.2", ranks=2)
    assert "goes on from step 4: what it wrote after that before (a/chk00008, a/plt00006 to a/plt00008) has names" in said, said
    assert "nothing to do" not in said, said
    shell.succeed("run", "--restart", "a/chk00004", "output.plot_interval=4", "time.max_steps=6")
    assert names_in(shell, "a/plt*")[-3:] == ["plt00004", "plt00006", "plt00008.superseded"]
    assert names_in(shell, "a/chk*") == ["chk00004", "chk00006", "chk00008.superseded"]


def restart_says_which_levels_it_leaves_out_and_what_ended_it(shell: Shell) -> None:
    shell.succeed(*CHECKPOINTED, "time.end=0.01", "time.max_steps=100", "--out", "a")
    said = shell.succeed("run", "--restart", "latest", "--out", "a")
    assert "there is nothing to do: time.end = 0.01 of the checkpoint has been reached; give a later one" in said, said
    go_on = ["run", "--restart", "a/chk00004", "time.max_steps=5", "--out", "b", "--force"]
    assert "levels up to" not in shell.succeed(*go_on)  # there are as many as the deck allows
    said = shell.succeed(*go_on, "mesh.max_level=1")
    assert "'a/chk00004' has levels up to 2: those above mesh.max_level = 1 are left out, and the means of their cells stay" in said, said


def restart_after_one_that_went_back_and_left_no_checkpoint_goes_on_with_that(shell: Shell) -> None:
    shell.succeed(*CHECKPOINTED, "time.max_steps=12", "--out", "a")
    series = (shell.folder / "a/series.csv").read_bytes()
    last = shell.succeed("hash", "a/plt00012")
    for ranks in [0, 2]:
        shell.succeed("run", "--restart", "a/chk00004", "time.max_steps=7", "time.cfl=0.1", "checkpoint.interval=0", ranks=ranks)
        assert names_in(shell, "a/chk*") == ["chk00004", "chk00008.superseded", "chk00012.superseded"]
        shell.succeed("run", "--restart", "latest", "--out", "a", "time.max_steps=12")
        assert (shell.folder / "a/series.csv").read_bytes() == series
        assert shell.succeed("hash", "a/plt00012") == last
        assert names_in(shell, "a/chk*") == ["chk00004", "chk00008", "chk00012"]


def restart_from_what_was_superseded_says_how(shell: Shell) -> None:
    shell.succeed(*CHECKPOINTED, "--out", "a")
    shell.succeed("run", "--restart", "a/chk00004", "time.max_steps=6")
    before = digest(shell.folder / "a")
    go_on = ["run", "--restart", "a/chk00008.superseded", "time.max_steps=10"]
    for more in [[], ["--out", "a"]]:
        code, said = shell.run([*go_on, *more])
        assert code == BAD_REQUEST and "is superseded" in said and "another folder with --out" in said, said
    assert digest(shell.folder / "a") == before
    shell.succeed(*go_on, "--out", "b", ranks=2)
    shell.succeed(*CHECKPOINTED, "time.max_steps=10", "--out", "c")
    assert shell.succeed("hash", "b/plt00010") == shell.succeed("hash", "c/plt00010")
    shell.succeed(*CHECKPOINTED, "--out", "a", "--force")
    assert names_in(shell, "a/chk*") == ["chk00004", "chk00008"]


def restart_says_what_is_no_checkpoint(shell: Shell) -> None:
    shell.succeed(*CHECKPOINTED, "--out", "a")
    for words, advice in [
        (["none"], "there is no such folder"),
        (["a" * 300], "File name too long (a run cannot go on from it); check the path, and who may look there"),
        (["a"], "give --restart latest --out a"),
        (["a/plt00002"], "it is a plotfile"),
        (["a/chk00008/manifest"], "name a checkpoint"),
        (["chk00008", "--out", "a"], "did you mean 'a/chk00008'?"),
        (["--out", "a"], "behind --restart"),
        (["a/chk00008", "application.name=advection"], "began with); leave it out"),
    ]:
        code, said = shell.run(["run", "--restart", *words], ranks=2)
        assert code == BAD_REQUEST and advice in said, (words, said)
    (shell.folder / "a/chk00008/index").write_bytes(b"garbage")
    code, said = shell.run(["run", "--restart", "a/chk00008"])
    assert code == BAD_REQUEST and "a run cannot go on from it); --restart latest --out a takes the newest whole one" in said, said
    shutil.rmtree(shell.folder / "a/chk00004")
    code, said = shell.run(["run", "--restart", "a/chk00008"])
    assert code == BAD_REQUEST and "--restart latest" not in said, said


def restart_without_tables_leaves_none_of_the_steps_after_it(shell: Shell) -> None:
    tables = ["output.series_interval=3", "points.at=[{x=0.1}]", "points.interval=3"]
    shell.succeed(*CHECKPOINTED, *tables, "--out", "a")
    off = ["output.series_interval=0", "points.at=[]"]
    shell.succeed("run", "--restart", "a/chk00004", "time.max_steps=5", "time.cfl=0.25", *off)
    for table in ("series.csv", "points.csv"):
        steps = [line.split(",")[0] for line in (shell.folder / "a" / table).read_text().splitlines()[1:]]
        assert steps == ["0", "3"], steps
    shell.succeed("run", "--restart", "latest", "--out", "a", "time.max_steps=10", *tables)


def a_run_of_no_steps_leaves_its_checkpoint(shell: Shell) -> None:
    shell.succeed("run", "sod.toml", "time.max_steps=0", "checkpoint.interval=3", "--out", "a")
    shell.succeed("run", "--restart", "latest", "--out", "a", "time.max_steps=2")


def restart_with_a_series_that_is_none_changes_nothing(shell: Shell) -> None:
    shell.succeed(*CHECKPOINTED, "run.log=both", "--out", "a")
    series = shell.folder / "a/series.csv"
    lines = series.read_text()
    series.write_text("garbage")
    before = digest(shell.folder / "a")
    go_on = ["run", "--restart", "a/chk00004", "time.max_steps=10"]
    for ranks in [0, 2]:
        code, said = shell.run(go_on, ranks=ranks)
        assert code == BAD_REQUEST and "'a/series.csv' has other columns" in said and said.count("error: ") == 1, said
        assert digest(shell.folder / "a") == before
    series.write_text(lines.replace("\n3,", "\n?,"))
    before = digest(shell.folder / "a")
    for ranks in [0, 2]:
        code, said = shell.run(go_on, ranks=ranks)
        assert code == BAD_REQUEST and "'a/series.csv' line 5 is damaged" in said and "what follows would be lost" in said, said
        assert digest(shell.folder / "a") == before
    series.write_text(lines[:-1])  # as a run that was killed leaves it
    shell.succeed("run", "--restart", "a/chk00004", "time.max_steps=8")
    assert series.read_text() == lines
    series.write_text("")
    shell.succeed(*go_on)
    assert [line.split(",")[0] for line in series.read_text().splitlines()[1:]] == ["5", "6", "7", "8", "9", "10"]


def results_do_not_go_into_those_that_are_removed(shell: Shell) -> None:
    shell.succeed(*CHECKPOINTED, "--out", "a")
    before = digest(shell.folder / "a")
    (shell.folder / "link").symlink_to("a/chk00004")
    for out in ["a/chk00004/branch", "a/chk00008", "link/b/c", "a/plt00004"]:
        for words in [["--restart", "a/chk00008", "time.max_steps=9"], ["sod.toml"]]:
            code, said = shell.run(["run", *words, "--out", out, "--force"])
            assert code == BAD_REQUEST and f"output folder '{out}' is, or lies in, '" in said and "choose another" in said, said
    inside = Shell(shell.program, shell.mpiexec, shell.folder / "a/chk00004")
    code, said = inside.run(["run", "--restart", "../chk00008", "--out", "b"])
    assert code == BAD_REQUEST and "output folder 'b' is, or lies in, '" in said, said
    assert digest(shell.folder / "a") == before
    (shell.folder / "chk00000").mkdir()  # an empty one is no checkpoint
    shell.succeed("run", "sod.toml", "time.max_steps=1", "--out", "chk00000/b")


FUNCTIONS: list[Callable[[Shell], None]] = [
    restart_says_what_it_replaces_and_where_nothing_is_left,
    restart_says_which_levels_it_leaves_out_and_what_ended_it,
    restart_after_one_that_went_back_and_left_no_checkpoint_goes_on_with_that,
    restart_from_what_was_superseded_says_how,
    restart_says_what_is_no_checkpoint,
    restart_without_tables_leaves_none_of_the_steps_after_it,
    a_run_of_no_steps_leaves_its_checkpoint,
    restart_with_a_series_that_is_none_changes_nothing,
    results_do_not_go_into_those_that_are_removed,
]
