# SPDX-License-Identifier: MIT
"""What is asked of simulations beside what they can do, and what they say: messages of one line, in words of Python."""

import json
import threading
import tomllib
import warnings

import numpy as np
import pytest
import thalweg
from support import DECK, ROOT, SMALL, hash_of, program

SOD = ROOT / "apps/hydro/decks/sod.toml"
SHORT = {"time.max_steps": 4}


def test_results_stay_where_they_were_when_the_program_goes_elsewhere(tmp_path, monkeypatch):
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "here")
    sim = thalweg.Simulation(SOD, {**SHORT, "checkpoint.interval": 2}, out="out")
    monkeypatch.chdir(tmp_path / "there")
    sim.run()
    assert sim.write_checkpoint() == tmp_path / "here/out/chk00004"
    sim.close()
    assert not list((tmp_path / "there").iterdir())
    monkeypatch.chdir(tmp_path / "here")
    again = thalweg.Simulation(restart="out/chk00002")
    monkeypatch.chdir(tmp_path / "there")
    assert again.run() == "finished" and again.n_steps == 4
    assert {name: again.totals()[name] for name in again.fields} == pytest.approx(sim_totals(tmp_path / "here/out"))


def sim_totals(out):
    cells = thalweg.open(out).leaf_cells()
    return dict(zip(thalweg.open(out).fields, (cells.values * cells.volume).sum(axis=1), strict=True))


@pytest.mark.parametrize("deck, of_derived", [("hydro/decks/sod", "kinetic_energy"), ("shallow_water/decks/dam_break", "depth")])
def test_totals_are_those_of_the_series(tmp_path, deck, of_derived):
    with thalweg.Simulation(ROOT / f"apps/{deck}.toml", {**SHORT, "output.series_interval": 1}, out=tmp_path / "out") as sim:
        sim.run()
        totals = sim.totals()
        assert list(totals) == [*sim.fields, of_derived]
    head, *_, last = (tmp_path / "out/series.csv").read_text().splitlines()
    series = {name.split(" [")[0]: float(value) for name, value in zip(head.split(","), last.split(","), strict=True)}
    assert totals == {name: series[f"{name} total"] for name in totals}


def test_there_is_no_step_behind_the_end():
    with thalweg.Simulation(SOD, {"time.end": 0.01}) as sim:
        assert sim.dt > 0
        sim.run()
        assert sim.time == 0.01 and sim.dt == 0


def test_a_deck_may_be_a_dict(tmp_path):
    text = SOD.read_text()
    nested = tomllib.loads(text)
    flat = {f"{section}.{key}": value for section, keys in nested.items() for key, value in keys.items()}
    with thalweg.Simulation(SOD, SHORT) as of_file:
        of_file.run()
        of_file.write_plotfile(tmp_path / "of_file")
    with thalweg.Simulation(nested, {**SHORT, "checkpoint.interval": 2}, out=tmp_path / "out") as sim:
        sim.run()
        resolved = sim.deck()
    assert tomllib.loads((tmp_path / "out/plt00004/deck.toml").read_text()) == resolved
    assert resolved["problem"]["gamma"] == nested["problem"]["gamma"] and resolved["output"]["folder"] == str(tmp_path / "out")
    for number, deck in enumerate(("", nested, {**flat, "time": {"max_steps": 4}})):
        where = tmp_path / f"again_{number}"
        with thalweg.Simulation(deck, {"time.max_steps": 4}, restart=tmp_path / "out/chk00002", out=where) as again:
            assert again.n_steps == 2
            again.run()
        assert hash_of(where / "plt00004") == hash_of(tmp_path / "out/plt00004") == hash_of(tmp_path / "of_file")
    assert thalweg.Simulation(thalweg.Simulation(nested).deck()).deck()["mesh"] == resolved["mesh"]


@pytest.mark.parametrize(
    "deck, says",
    [
        ({"problem.name": "sod", "mesh": {"dim": 1, "max_levle": 2}}, "^the deck: unknown key 'mesh.max_levle'; did you mean 'mesh.max_level'"),
        ({"problem.name": "sod", "time.cfl": -1}, r"^the deck: time.cfl = -1 \(must be in"),
        ({"problem.name": "sod", "mesh.max level": 2}, "^the deck: unknown key 'mesh.max level'"),
        ({}, "^the deck: problem.name is missing"),
        ({"problem.name": "a\udce9"}, "UTF-8 has no bytes"),
    ],
)
def test_what_is_wrong_with_a_dict_is_said_of_the_deck(deck, says):
    with pytest.raises(ValueError, match=says):
        thalweg.Simulation(deck)


def test_a_report_is_written_when_the_run_is_over(tmp_path):
    out, deck = tmp_path / "out", {**SHORT, "output.report": True, "run.log": "both"}
    with thalweg.Simulation(SOD, deck, out=out) as sim:
        assert sim.step(2) == "paused" and not (out / "report.html").exists()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert sim.run() == "finished"
        html = (out / "report.html").read_text()
        data = json.loads(html.split('id="data">')[1].split("</script>")[0])
        assert data["runs"][0]["last"]["step"] == 4 and data["runs"][0]["steps"]["step"] == [1, 2, 3, 4] and data["runs"][0]["end"]
        (out / "report.html").unlink()
        sim.run()
        assert not (out / "report.html").exists(), "it is written once"
    thalweg.Simulation(SOD, deck).run()  # without a folder there is none


def test_a_report_that_cannot_be_written_is_a_warning(tmp_path, monkeypatch):
    def fail(*_):
        raise ValueError("no room")

    monkeypatch.setattr("thalweg.report.write_report", fail)
    with thalweg.Simulation(SOD, {**SHORT, "output.report": True}, out=tmp_path / "out") as sim:
        with pytest.warns(UserWarning, match="no report: no room; make it with .*report .*out"):
            assert sim.run() == "finished"


def test_a_plotfile_may_be_named_with_a_slash_at_its_end(tmp_path):
    sim = thalweg.Simulation(SOD, SHORT)
    sim.write_plotfile(f"{tmp_path}/plt/")
    sim.write_plotfile(f"{tmp_path}/plt//", force=True)
    sim.write_plotfile(tmp_path / "other")
    assert hash_of(tmp_path / "plt") == hash_of(tmp_path / "other")
    assert {path.name for path in tmp_path.iterdir()} == {"plt", "other"}


def test_a_plotfile_below_a_file_is_refused_with_the_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes").write_text("mine")
    for path in ("notes/plt", "notes/a/plt", f"{tmp_path}/notes/a/plt"):
        with pytest.raises(ValueError, match="notes' is a file .*would be in it.*choose another"):
            thalweg.Simulation(SOD).write_plotfile(path)
    thalweg.Simulation(SOD).write_plotfile("new/folder/plt")


def test_a_simulation_can_always_be_printed():
    sim = thalweg.Simulation(SOD, SHORT)
    sim.source(lambda cells, dt: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        sim.step()
    assert repr(sim) == "Simulation(failed, fields density, xmom, rho_E)"

    sim, seen = thalweg.Simulation(SOD, {"time.max_steps": 200}), []
    sim.tags(lambda cells: seen.append(repr(sim)) or cells["density"] > 2)  # as another thread would see it
    thread = threading.Thread(target=sim.step)
    thread.start()
    thread.join()
    assert set(seen) == {"Simulation(makes steps, fields density, xmom, rho_E)"} and repr(sim).startswith("Simulation(step 1, ")


@pytest.mark.parametrize(
    "ask, name, value",
    [
        (lambda: thalweg.Simulation(SOD, threads=10**12), "threads", "1000000000000"),
        (lambda: thalweg.Simulation(SOD).step(10**30), "n", "1" + 30 * "0"),
        (lambda: thalweg.Simulation(SOD).every(10**30), "n", "1" + 30 * "0"),
        (lambda: thalweg.Simulation(SOD).run(until=10**400), "until", "1000"),
        (lambda: thalweg.Graph().run(10**30), "n", "1" + 30 * "0"),
        (lambda: thalweg.Graph().run(threads=2**40), "threads", "1099511627776"),
    ],
)
def test_numbers_that_are_too_large_are_refused_by_name(ask, name, value):
    with pytest.raises(ValueError, match=f"^{name} = {value}.*give a smaller one"):
        ask()


def test_as_many_steps_as_there_are_numbers_are_made_to_the_end():
    sim = thalweg.Simulation(SOD, SHORT)
    sim.step()
    assert sim.step(2**63 - 1) == "finished" and sim.n_steps == 4


def test_a_proxy_application_takes_log_as_a_truth_value():
    with pytest.raises(TypeError, match=r"^log = 1 \(must be True or False\)"):
        thalweg.run("lulesh", "-s", 3, "-i", 2, log=1)


@pytest.mark.parametrize(
    "deck, how, says",
    [
        ("sedov_2d", {"normal": "x"}, "a plane normal to x of the simulation "),
        ("sod", {"at": 0.1}, "a plane through the simulation "),
        ("sedov", {"normal": "q"}, "axis 'q' of the simulation "),
    ],
)
def test_planes_that_are_not_there_are_those_of_the_simulation(deck, how, says):
    with pytest.raises(ValueError, match=f"^{says}") as refused:
        thalweg.Simulation(ROOT / f"apps/hydro/decks/{deck}.toml", {"mesh.max_level": 0}).plot(**how)
    assert "tmp" not in str(refused.value)


def test_fields_are_gone_over_by_name():
    sim = thalweg.Simulation(DECK, SMALL)
    fields = ["density", "xmom", "ymom", "rho_E"]
    level, seen = sim.level(0), []
    sim = thalweg.Simulation(DECK, SMALL)
    sim.initial(lambda cells: seen.append((list(cells), "density" in cells, "pressure" in cells)))
    sim.step()
    assert seen[0] == (fields, True, False)
    for some in (level, level.blocks[0]):
        assert list(some) == some.fields == fields and "density" in some and "pressure" not in some and 0 not in some
        assert {name: some[name].shape for name in some}.keys() == set(fields)


def test_no_time_is_refused():
    for until in (float("nan"), -1):
        with pytest.raises(ValueError, match=f"^until = {float(until)} is no time"):
            thalweg.Simulation(SOD, SHORT).run(until=until)


def test_names_of_fields_are_copies():
    sim = thalweg.Simulation(SOD, SHORT)
    for some in (sim, sim.level(0), sim.level(0).blocks[0]):
        some.fields.clear()
    assert sim.fields == ["density", "xmom", "rho_E"]


def test_a_bad_state_is_that_of_the_function_that_made_it():
    sim = thalweg.Simulation(SOD)
    sim.initial(lambda cells: cells.__setitem__("density", np.nan))
    for kind in (ValueError, RuntimeError):
        with pytest.raises(kind, match="not admissible.*check what the function of @sim.initial makes") as refused:
            sim.step()
        assert "what the deck says" not in str(refused.value)


def test_a_state_that_is_not_finite_may_be_that_of_a_source():
    sim = thalweg.Simulation(SOD)
    sim.source(lambda cells, dt: cells.__setitem__("rho_E", cells["rho_E"] - 100))
    with pytest.raises(RuntimeError, match="not a number.*look at these first, and at the function of @sim.source"):
        sim.step()
    plain = thalweg.Simulation(SOD)
    plain.tags(lambda cells: cells["density"] > 0.5)
    plain.initial(lambda cells: cells.__setitem__("rho_E", np.nan))
    with pytest.raises(ValueError) as refused:
        plain.step()
    assert "@sim.source" not in str(refused.value)


@pytest.mark.parametrize("how, says", [({"threads": 0}, r"^run\.threads = 0 "), ({"model": "data_flow"}, r'^run\.model = "data_flow" .*dataflow')])
def test_an_argument_is_no_override(how, says):
    with pytest.raises(ValueError, match=says):
        thalweg.Simulation(SOD, **how)


@pytest.mark.parametrize("key, value, says", [("time", {"end": 0.1}, '"time.end": 0.1'), ("problem", {"name": "sod"}, '''"problem.name": 'sod\'''')])
def test_a_section_of_a_deck_is_no_key(key, value, says):
    with pytest.raises(ValueError, match=rf'^overrides: "{key}" is a section of the deck .*; write {says}$'):
        thalweg.Simulation(SOD, {key: value})


def test_paths_with_a_nul_are_refused():
    for ask in (lambda path: thalweg.Simulation(SOD, out=path), lambda path: thalweg.Simulation(SOD).write_plotfile(path)):
        with pytest.raises(ValueError, match=r"= 'a\\x00b' \(no path has the character NUL\)"):
            ask("a\0b")


def test_what_utf8_cannot_write_is_refused():
    for ask in (
        thalweg.Simulation,
        lambda name: thalweg.Simulation(SOD, {"problem.name": name}),
        lambda name: thalweg.Simulation(SOD, out=name),
        lambda name: thalweg.Simulation(SOD).write_plotfile(name),
        lambda name: thalweg.run("hpccg", name),
    ):
        with pytest.raises(ValueError, match=r"a\\udce9.* \(UTF-8 has no bytes for all of it\); give another$"):
            ask("a\udce9")


def test_a_plotfile_has_a_field(tmp_path):
    for deck in (SOD, ROOT / "apps/vlasov/decks/landau_linear.toml"):
        with thalweg.Simulation(deck) as sim, pytest.raises(ValueError, match="has no variables; name at least one"):
            sim.write_plotfile(tmp_path / "plt", fields=[], derived=[])


def test_a_constant_of_the_smallest_numbers_has_a_picture():
    sim = thalweg.Simulation(DECK, {**SMALL, "mesh.max_level": 0})
    sim.initial(lambda cells: cells.__setitem__("density", 1e-300))
    assert sim.plot(log=True).png.startswith(b"\x89PNG")


def test_axes_of_a_plane_are_those_that_its_folder_says(tmp_path):
    deck = {"time.max_steps": 1, "mesh.max_level": 0, "mesh.root_blocks": [2, 2, 2], "slices.x": [0.1]}
    with thalweg.Simulation(ROOT / "apps/hydro/decks/sedov.toml", deck, out=tmp_path / "out") as sim:

        @sim.initial
        def layers(cells):
            cells["density"] = 1.0 + cells.z

        sim.run()
    path = tmp_path / "out/slice_x1_00000"
    whole, plane = thalweg.open(tmp_path / "out/plt00000"), thalweg.open(path)
    for axis in ("y", "z"):
        assert np.allclose(plane.profile("density", axis, n_bins=4).mean, whole.profile("density", axis, n_bins=4).mean)
        rows = program("line", path, "--axis", axis).stdout.splitlines()
        assert rows[0].startswith(f"{axis},width,level,density")
        assert axis == "z" or program("line", path).stdout.splitlines() == rows, "the first axis, if none is asked for"
        densities = [float(row.split(",")[3]) for row in rows[1:]]
        assert (np.ptp(densities) < 1e-9) == (axis == "y")
    with pytest.raises(ValueError, match=r"there are y, z, radius"):
        plane.profile("density", "x")
    refused = program("line", path, "--axis", "x")
    assert refused.returncode == 2 and "has y, z" in refused.stderr
