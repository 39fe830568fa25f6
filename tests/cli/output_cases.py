# SPDX-License-Identifier: MIT
"""What a run writes beside plotfiles and checkpoints: the series, the log for programs, the estimate."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable

from shell import BAD_REQUEST, FAILURE, SOD, SUCCESS, Command, Shell

SERIES = ["output.series_interval=2", "output.plot_interval=1000"]

COMMANDS = {
    "dry_run_says_what_a_run_takes_and_writes_nothing": Command(
        ["run", "sod.toml", "--dry-run", "--out", "a"],
        SUCCESS,
        ['name = "sod"', "level", "updates per step", "memory: ", "cost: ", "on 2 ranks"],
        ranks=2,
        makes_not=["a", "sod"],
    ),
    "dry_run_finds_what_is_wrong": Command(
        ["run", "sod.toml", "--dry-run", "boundary.lower=['periodic']"], BAD_REQUEST, ["boundary.lower"]
    ),
    "dry_run_warns_of_the_folder_for_results": Command(
        ["run", "sod.toml", "--dry-run", "--out", "mine"],
        SUCCESS,
        ["cost: ", "warning: a run would be refused: output folder 'mine' is not empty"],
        files={"mine/notes.txt": "keep"},
    ),
    "dry_run_warns_of_a_file_in_the_way": Command(
        ["run", "sod.toml", "--dry-run", "--out", "taken/a"], SUCCESS, ["would be refused: output folder 'taken/a' cannot be used", "'taken' is a file"], files={"taken": "a file"}
    ),
    "vorticity_of_a_line": Command(
        ["run", "sod.toml", "output.derived=['vorticity']"], BAD_REQUEST, ["output.derived", "mesh.dim = 1"]
    ),
    "velocity_along_an_axis_that_is_not_there": Command(
        ["run", "sod.toml", "output.derived=['z_velocity']"], BAD_REQUEST, ["output.derived", "z_velocity", "mesh.dim = 1"]
    ),
    "field_that_the_state_has_not": Command(
        ["run", "sod.toml", "output.fields=['density', 'pressure']"],
        BAD_REQUEST,
        ['output.fields has "pressure"', "density, xmom, rho_E", "output.derived"],
    ),
    "plotfiles_without_a_field": Command(["run", "sod.toml", "output.fields=[]"], BAD_REQUEST, ["output.fields and output.derived are both empty"]),
    "inflow_without_a_state": Command(
        ["run", "sod.toml", "boundary.lower=['inflow']"], BAD_REQUEST, ["boundary.inflow_lower_x", "3 numbers"]
    ),
}


def integrals_at_the_end_have_changes_over_what_they_were(shell: Shell) -> None:
    _, said = shell.run(["run", "sod.toml", "time.max_steps=2", "--out", "a"])
    rows = {words[0]: words[1:] for line in said.splitlines() if (words := line.split())}
    assert float(rows["density"][2]) < 1e-12, said
    # The gas was at rest: nothing measures how its momentum has changed.
    assert float(rows["xmom"][1]) > 1e-3 and rows["xmom"][2] == "-", said
    # Whatever the units: here the energy is 1e27 times the mass.
    gas = ["problem.name=shock_tube", "problem.left=[1e-9, 0, 1e18]", "problem.right=[1e-10, 0, 1e17]"]
    said = shell.succeed("run", "sod.toml", "time.max_steps=2", *gas, "--out", "b")
    rows = {words[0]: words[1:] for line in said.splitlines() if (words := line.split())}
    assert [rows[name][2] == "-" for name in ("density", "xmom", "rho_E")] == [False, True, False], said


def series_by_time_has_a_line_of_an_end_that_is_a_multiple(shell: Shell) -> None:
    shell.succeed("run", "sod.toml", "mesh.max_level=0", "time.end=0.3", "output.series_time=0.1", "--out", "a")
    times = [float(line.split(",")[1]) for line in (shell.folder / "a/series.csv").read_text().splitlines()[1:]]
    assert len(times) == 4 and times[-1] == 0.3 and 0.3 / 0.1 < 3, times


def series_has_exact_totals_and_survives_restarts(shell: Shell) -> None:
    whole = ["run", "sod.toml", "time.max_steps=11", *SERIES]
    shell.succeed(*whole, "--out", "alone")
    alone = (shell.folder / "alone/series.csv").read_bytes()
    shell.succeed(*whole, "--out", "ranks", "--threads", "2", ranks=3)
    assert (shell.folder / "ranks/series.csv").read_bytes() == alone

    # A run that has gone on beyond the checkpoint that another one then goes back to.
    shell.succeed(*whole, "time.max_steps=9", "checkpoint.interval=5", "--out", "b")
    assert (shell.folder / "b/series.csv").read_bytes() != alone
    shell.succeed("run", "--restart", "b/chk00005", "time.max_steps=11", "--out", "b", ranks=2)
    assert (shell.folder / "b/series.csv").read_bytes() == alone

    rows = list(csv.DictReader((shell.folder / "alone/series.csv").read_text().splitlines()))
    assert [int(row["step [steps]"]) for row in rows] == [0, 2, 4, 6, 8, 10]
    for row in rows:
        assert float(row["density total [mass]"]) == 0.5625
        assert float(row["pressure max [pressure]"]) <= 1.0 + 1e-12
        assert float(row["mach max"]) >= float(row["mach min"])
    kinetic = [float(row["kinetic_energy total [energy]"]) for row in rows]
    assert kinetic[0] == 0 and all(x < y for x, y in zip(kinetic, kinetic[1:])), kinetic


def series_of_every_application_have_units(shell: Shell) -> None:
    def columns(application: str, *more: str) -> list[str]:
        (shell.folder / "deck.toml").write_text(f'application.name = "{application}"\n')
        words = ["run", "deck.toml", "time.max_steps=1", "output.series_interval=1", "--out", application, *more]
        shell.succeed(*words)
        first, *rest = (shell.folder / application / "series.csv").read_text().splitlines()
        assert len(rest) == 2 and all(line.count(",") == first.count(",") for line in rest), rest
        return first.split(",")

    square = ["mesh.dim=2", "mesh.lower=[0,0]", "mesh.upper=[1,1]", "mesh.root_blocks=[2,2]", "mesh.block_cells=8"]
    periodic = [f"boundary.{side}=[periodic,periodic]" for side in ["lower", "upper"]]
    for found, wanted in [
        (columns("advection", *square), ["u total [volume]", "u min", "u max"]),
        (columns("induction", *square, *periodic, "time.subcycle=false"), ["bx total [field*volume]", "bx min [field]", "bx max [field]"]),
        (
            columns("shallow_water", *square, "problem.name=lake_at_rest"),
            [
                *["surface total [length*volume]", "surface min [length]", "surface max [length]"],
                *["xmom total [length*velocity*volume]", "xmom min [length*velocity]"],
            ],
        ),
        (columns("vlasov", "vlasov.cells=[16,16]", "time.dt=0.1"), ["mass [mass]", "momentum [momentum]"]),
    ]:
        assert found[:3] == ["step [steps]", "time [time]", "dt [time]"], found
        assert found[3 : 3 + len(wanted)] == wanted, found


def log_for_programs_has_a_line_for_all_that_happens(shell: Shell) -> None:
    run = ["run", "sod.toml", "time.max_steps=4", "checkpoint.interval=4"]
    lines = shell.events(*run, "--out", "a")
    assert [line["step"] for line in lines if line["event"] == "step"] == [1, 2, 3, 4]
    events = {line["event"] for line in lines}
    assert events == {"begin", "step", "plotfile", "checkpoint", "end"}, events
    begin = lines[0]
    assert begin["event"] == "begin" and (begin["ranks"], begin["workers"]) == (1, 1), begin
    assert "MPI" in begin["mpi"] and begin["version"] and begin["compiler"] and len(begin["hosts"]) == 1, begin
    assert all(sum(line["blocks"]) > 0 for line in lines if line["event"] == "step")

    assert "zones/s" in shell.succeed(*run, "run.log=both", "--out", "b", ranks=2)
    log = (shell.folder / "b/log.jsonl").read_text().splitlines()
    assert [json.loads(line)["event"] for line in log] == [line["event"] for line in lines]


def log_for_programs_says_that_a_run_failed_on_whatever_rank(shell: Shell) -> None:
    run = ["run", "sod.toml", "problem.name=sedov", "problem.energy=1e300", "mesh.max_level=0"]
    for rank, centre in enumerate(["-0.4", "0.4"]):
        at = f"problem.centre=[{centre}]"
        code, _ = shell.run([*run, at, "run.log=both", "--out", f"failed{rank}"], ranks=2)
        assert code == FAILURE, code
        log = (shell.folder / f"failed{rank}/log.jsonl").read_text().splitlines()
        last = json.loads(log[-1])
        assert last["event"] == "failed" and last["rank"] == rank, last
        assert f"'advance' on rank {rank}" in last["text"], last


def log_shows_the_length_of_the_step_that_was_made(shell: Shell) -> None:
    (shell.folder / "plasma.toml").write_text('application.name = "vlasov"\n')
    run = ["run", "plasma.toml", "vlasov.cells=[16,16]", "time.dt=0.2", "time.end=0.5", "output.series_interval=1", "--out", "a"]
    steps = [line for line in shell.events(*run) if line["event"] == "step"]
    rows = list(csv.DictReader((shell.folder / "a/series.csv").read_text().splitlines()))
    assert [step["dt"] for step in steps] == [float(row["dt [time]"]) for row in rows[1:]], steps
    assert abs(steps[-1]["dt"] - 0.1) < 1e-12, steps


def lines_and_profiles_are_tables_that_add_up(shell: Shell) -> None:
    def table(*words: str) -> list[dict[str, float]]:
        shell.succeed(*words, "-o", "table.csv", "--force")
        text = (shell.folder / "table.csv").read_text()
        assert shell.succeed(*words) == text
        return [{key: float(x) for key, x in row.items()} for row in csv.DictReader(text.splitlines())]

    shell.succeed(*SOD, "--out", "a")
    line = table("line", "a/plt00002")
    assert list(line[0])[:5] == ["x", "width", "level", "density", "xmom"], line[0]
    assert line[0]["x"] - line[0]["width"] / 2 == -0.5 or line[0]["x"] > 0, line[0]
    assert len({row["level"] for row in line}) > 1
    assert abs(sum(row["width"] * row["density"] for row in line) - 0.5625) < 1e-13
    shells = table("profile", "a/plt00002", "--centre", "-0.25", "--shells", "10", "--variables", "density")
    assert list(shells[0]) == ["radius", "volume", "cells", "density"], shells[0]
    assert sum(row["cells"] for row in shells) == len(line)
    assert abs(sum(row["volume"] * row["density"] for row in shells) - 0.5625) < 1e-13

    shell.succeed("run", "vortex.toml", "time.max_steps=1", "--out", "b")
    across = table("line", "b/plt00001", "--axis", "y", "--at", "0.3", "--variables", "rho_E,density")
    assert list(across[0]) == ["y", "width", "level", "rho_E", "density"], across[0]
    for words, part in [
        (["line", "a/plt00002", "--axis", "y"], "--axis y ('a/plt00002' has x)"),
        (["line", "a/plt00002", "--at", "0.5"], "leave it out"),
        (["line", "b/plt00001", "--at", "70"], "y = 70"),
        (["line", "b/plt00001", "--at", "0.5,0.5"], "--at 0.5,0.5"),
        (["line", "b/plt00001", "--variables", "rho"], "density, xmom"),
        (["line", "a/plt00002", "--variables", "density,density"], "'density' is named twice"),
        (["profile", "a/plt00002"], "--centre"),
        (["profile", "b/plt00001", "--centre", "1e200,0"], "choose a nearer one"),
        (["profile", "b/plt00001", "--centre", "nan,0"], "--centre nan,0"),
        (["profile", "a/plt00002", "--centre", "0", "--shells", "0"], "--shells"),
        (["line", "."], "'.' is no plotfile and holds none"),
        (["line", "a/plt00002", "-o", "table.csv"], "--force"),
    ]:
        code, said = shell.run(words)
        assert code == BAD_REQUEST and part in said, (words, said)


def fallbacks_are_counted_the_same_on_any_layout(shell: Shell) -> None:
    torn = ["run", "shock_tube.toml", "problem.left=[1.0,-5.0,0.4]", "problem.right=[1.0,5.0,0.4]"]
    torn += ["time.end=0.02", "hydro.reconstruction=ppm"]
    noh = ["run", "noh.toml", "hydro.scheme=ctu", "hydro.reconstruction=ppm_classic", "mesh.max_level=0"]
    noh += ["time.max_steps=5", "mesh.lower=[-0.5,-0.5,-0.5]", "mesh.upper=[0,0,0]"]  # outside are its lower sides
    noh += ["boundary.lower=[problem,problem,problem]", "boundary.upper=[reflecting,reflecting,reflecting]"]
    thin = [*torn, "hydro.density_floor=0.05"]
    for run, key in [(torn, "limited_fluxes"), (noh, "replaced_states"), (thin, "raised_states")]:
        counts = []
        for n, (ranks, options) in enumerate([(1, []), (3, ["--threads", "2"]), (2, ["--model", "bulk"])]):
            lines = shell.events(*run, *options, "--out", f"{key}{n}", ranks=ranks)
            counts.append([line[key] for line in lines if line["event"] == "step"])
            end = next(line for line in lines if line["event"] == "end")
            assert end[key] == sum(counts[n]) > 0, end
        assert counts[0] == counts[1] == counts[2], counts
    said = shell.succeed(*torn, "--out", "people")
    assert "limited fluxes: " in said and "density floor" not in said
    assert "density floor" in shell.succeed(*thin, "--out", "thin")
    assert "limited fluxes" not in shell.succeed("run", "sod.toml", "--out", "sod")


def retries_leave_the_same_bits_on_any_layout(shell: Shell) -> None:
    run = ["run", "sedov_2d.toml", "time.cfl=0.9", "hydro.scheme=ctu", "hydro.reconstruction=ppm", "time.max_steps=12", "trace.steps=[]"]
    layouts = [(1, []), (2, ["--threads", "2"]), (3, ["--model", "bulk"]), (2, ["--model", "phase", "--threads", "2"])]
    left = []
    for n, (ranks, options) in enumerate(layouts):
        events = shell.events(*run, *options, "--out", str(n), ranks=ranks)
        retries = [event["retries"] for event in events if event["event"] in {"step", "end"}]
        left.append((retries, shell.succeed("hash", f"{n}/plt00012")))
    assert sum(left[0][0]) >= 2 and left == [left[0]] * len(layouts), left  # each is in the last line, too


def derived_fields_are_in_plotfiles_and_change_no_cell(shell: Shell) -> None:
    gresho = ["run", "gresho.toml", "time.max_steps=2"]
    shell.succeed(*gresho, "--out", "a", "output.derived=['pressure', 'mach', 'vorticity']")
    header = (shell.folder / "a/plt00002/Header").read_text().split("\n")
    assert header[1] == "7" and header[6:9] == ["pressure", "mach", "vorticity"], header[:9]
    table = (shell.folder / "a/plt00000/Level_0/Cell_H").read_text()
    largest = [line for line in table.split("\n\n")[-1].splitlines() if line.endswith(",")][1:]
    vorticity = max(float(line.split(",")[6]) for line in largest)
    assert abs(vorticity - 10.0) < 0.1, vorticity  # twice the 5 turns of the middle
    shell.succeed(*gresho, "--out", "b")
    shell.succeed(*gresho, "--out", "c", "output.series_interval=1")
    assert shell.succeed("hash", "b/plt00002") == shell.succeed("hash", "c/plt00002")
    fewer = [*gresho, "output.fields=[rho_E]", "output.derived=[mach]", "output.precision=single"]
    for ranks in (1, 3):
        shell.succeed(*fewer, "--out", f"on_{ranks}", ranks=ranks)
    assert shell.succeed("hash", "on_1/plt00002") == shell.succeed("hash", "on_3/plt00002")


def fields_of_the_gas_belong_to_one_state(shell: Shell) -> None:
    names = ["pressure", "mach", "velocity", "sound_speed", "temperature", "internal_energy"]
    shell.succeed("run", "sod.toml", "time.max_steps=4", f"output.derived={names}", "--out", "a")
    header = (shell.folder / "a/plt00004/Header").read_text().split("\n")
    variables = header[2 : 2 + int(header[1])]
    assert variables == ["density", "xmom", "rho_E", "pressure", "mach", "x_velocity", *names[3:]], variables

    def greatest(plotfile: str) -> dict[str, float]:
        table = (shell.folder / "a" / plotfile / "Level_0/Cell_H").read_text().split("\n\n")[-1]
        rows = [[float(x) for x in line.rstrip(",").split(",")] for line in table.splitlines() if line.endswith(",")]
        return dict(zip(variables, map(max, zip(*(row for row in rows if len(row) == len(variables))))))

    shell.succeed("run", "vortex.toml", "time.max_steps=1", "output.derived=[y_velocity]", "--out", "b")
    header = (shell.folder / "b/plt00001/Header").read_text().split("\n")
    assert header[2 : 2 + int(header[1])][-1] == "y_velocity" and header[1] == "5", header[:9]

    at_rest = greatest("plt00000")  # the hotter state has rho = p = 1
    assert at_rest["temperature"] == 1.0 and abs(at_rest["internal_energy"] - 2.5) < 1e-14, at_rest
    assert abs(at_rest["sound_speed"] - 1.4**0.5) < 1e-14 and at_rest["x_velocity"] == 0, at_rest
    assert greatest("plt00004")["x_velocity"] > 0.1


def first_step(events: list[dict]) -> dict:
    return next(e for e in events if e["event"] == "step")


def dry_run_foretells_what_a_run_has(shell: Shell) -> None:
    run = ["run", "explosion.toml", "mesh.max_level=1", "mesh.join_blocks=false"]
    said = shell.succeed(*run, "--dry-run", ranks=2)
    table = [line.split() for line in said[said.rindex("level  ") :].splitlines()[1:3]]
    first = first_step(shell.events(*run, "time.max_steps=1", ranks=2))
    assert [int(row[1]) for row in table] == first["blocks"], (table, first)
    cells = [16**3 * n for n in first["blocks"]]
    assert [int(row[2]) for row in table] == cells, table
    assert first["zone_updates"] == cells[0] + 4 * cells[1], first
    assert [float(row[3]) for row in table] == [float(f"{n:.4g}") for n in (cells[0], 4 * cells[1])], table
    for row, n in zip(table, first["blocks"]):  # 5 components, with 2 ghost cells all around
        assert abs(float(row[4]) - n * 8 * 5 * 20**3 / 2**20) <= 0.05, row
    assert re.search(rf"(dt =|the first dt is) {first['dt']:.4g}\b", said), (said, first)
    whole = sum(cells) * 5 * 8 / 2**20
    assert f"a plotfile of this mesh takes {whole:.1f} MiB, a checkpoint {whole:.1f} MiB" in said, said
    fewer = ["output.fields=[density]", "output.derived=[velocity, pressure]", "output.precision=single"]
    said = shell.succeed(*run, "--dry-run", *fewer)
    assert f"a plotfile of this mesh takes {whole / 2:.1f} MiB, a checkpoint {whole:.1f} MiB" in said, said


def without_subcycling_what_finer_blocks_cover_is_not_advanced(shell: Shell) -> None:
    run = ["run", "sod.toml", "time.subcycle=false"]
    said = shell.succeed(*run, "--dry-run", ranks=2)
    table = [line.split() for line in said[said.rindex("level  ") :].splitlines()[1:4]]
    first = first_step(shell.events(*run, "time.max_steps=1", ranks=2))
    assert [int(row[1]) for row in table] == first["blocks"], (table, first)
    assert int(table[0][2]) > float(table[0][3]) and int(table[2][2]) == float(table[2][3]), table
    assert first["zone_updates"] == sum(float(row[3]) for row in table), (table, first)


def dry_run_counts_the_steps_that_there_are(shell: Shell) -> None:
    # The blast's dt grows as it slows down: with that of its first steps there would be more than twice as many.
    for run in [["run", "sod.toml"], ["run", "inflow.toml"], ["run", "sedov_2d.toml", "mesh.max_level=2"]]:
        said = shell.succeed(*run, "--dry-run")
        counted = float(re.search(r"(?:about|the run has) (\S+) steps", said)[1])
        assert ("(all were tried)" in said) != ("if the mesh stays as at step " in said), said
        made = shell.events(*run)[-1]["step"]
        assert made / 1.1 < counted < 1.1 * made, (run, counted, made)


def miniamr_by_force_leaves_no_plot_of_an_older_run(shell: Shell) -> None:
    words = ["miniamr", "--num_refine", "0", "--stages_per_ts", "1", "--plot_freq", "1", "--report_perf", "1", "--num_tsteps"]
    shell.succeed(*words, "3")
    (shell.folder / "plot.py").write_text("mine")
    (shell.folder / "mine").write_text("mine")
    (shell.folder / "plot.99").symlink_to("mine")
    (shell.folder / "plot.98").mkdir()
    before = sorted(path.name for path in shell.folder.glob("plot.*"))
    for refused in [["2"], ["2", "--force", "--nx", "3"], ["2", "--force", "--trace", "none/t"]]:
        assert shell.run([*words, *refused])[0] == BAD_REQUEST
        assert sorted(path.name for path in shell.folder.glob("plot.*")) == before
    ball = "--max_blocks 2 --num_refine 1 --num_objects 1 --object 2 0 .3 .3 .3 0 0 0 .2 .2 .2 0 0 0".split()
    assert shell.run([*words, "2", "--force", *ball])[0] == FAILURE  # as it has no room for its blocks
    assert sorted(path.name for path in shell.folder.glob("plot.*")) == before
    shell.succeed(*words, "2", "--force")
    assert sorted(path.name for path in shell.folder.glob("plot.*")) == ["plot.00", "plot.01", "plot.02", "plot.98", "plot.py"]
    assert (shell.folder / "mine").read_text() == "mine"
    shell.succeed(*words, "2", "--npx", "2", "--force", ranks=2)


FUNCTIONS: list[Callable[[Shell], None]] = [
    miniamr_by_force_leaves_no_plot_of_an_older_run,
    dry_run_counts_the_steps_that_there_are,
    dry_run_foretells_what_a_run_has,
    without_subcycling_what_finer_blocks_cover_is_not_advanced,
    fallbacks_are_counted_the_same_on_any_layout,
    retries_leave_the_same_bits_on_any_layout,
    integrals_at_the_end_have_changes_over_what_they_were,
    series_by_time_has_a_line_of_an_end_that_is_a_multiple,
    series_has_exact_totals_and_survives_restarts,
    series_of_every_application_have_units,
    lines_and_profiles_are_tables_that_add_up,
    log_for_programs_has_a_line_for_all_that_happens,
    log_for_programs_says_that_a_run_failed_on_whatever_rank,
    log_shows_the_length_of_the_step_that_was_made,
    derived_fields_are_in_plotfiles_and_change_no_cell,
    fields_of_the_gas_belong_to_one_state,
]
