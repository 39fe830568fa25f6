# SPDX-License-Identifier: MIT
"""Initial states, tags and sources as functions of whole blocks: bits of decks that say the same, and exceptions."""

import json

import numpy as np
import pytest
import thalweg
from support import DECK, ROOT, SMALL, hash_of, program, python

TUBE = ROOT / "apps/hydro/decks/shock_tube.toml"
PULSE = ROOT / "apps/advection/decks/pulse.toml"
GRAVITY = (3.0, -40.0)
LOWER, UPPER = (0.01, 0.28), (0.07, 0.63)  # what is refined
# The tube as a deck has it, and with all of that otherwise, for functions to put it right.
RIGHT = {
    "problem.interface": 0.375,  # between cells
    "source.gravity": [*GRAVITY],
    "regrid.criteria": ["box"],
    "regrid.box_lower": [*LOWER],
    "regrid.box_upper": [*UPPER],
}
WRONG = {"problem.interface": 0.55}
LENGTH = {"time.max_steps": 12, "hydro.reconstruction": "ppm"}
WAYS = [("bulk", 1), ("forkjoin", 2), ("phase", 2), ("dataflow", 1), ("dataflow", 2)]

# The same functions for this process and for those on several ranks.
FUNCTIONS = f"""
GRAVITY, LOWER, UPPER = {GRAVITY}, {LOWER}, {UPPER}

def put_right(sim, sides):
    @sim.initial
    def tube(cells):
        for field, (left, right) in sides.items():
            cells[field] = np.where(cells.y < 0.375, left, right)

    @sim.tags
    def box(cells):
        return (LOWER[0] < cells.x) & (cells.x < UPPER[0]) & (LOWER[1] < cells.y) & (cells.y < UPPER[1])

    @sim.source
    def fall(cells, dt):
        rho, kick = cells["density"], [dt * g for g in GRAVITY]
        work = cells["xmom"] * kick[0] + cells["ymom"] * kick[1]
        cells["rho_E"] += work + 0.5 * rho * (kick[0] * kick[0] + kick[1] * kick[1])
        for field, by in zip(("xmom", "ymom"), kick):
            cells[field] += rho * by
"""
exec(FUNCTIONS)  # noqa: S102  (it defines put_right)


@pytest.fixture(scope="module")
def tube(tmp_path_factory):
    """By scheme: the hash of what the program makes of the deck."""
    made = {}
    for scheme in ("vl2", "ctu", "rk2"):
        out = tmp_path_factory.mktemp(scheme) / "out"
        words = [f"{key}={value}" for key, value in {**RIGHT, **LENGTH}.items()]
        done = program("run", TUBE, *words, f"hydro.scheme={scheme}", "--model", "bulk", "--out", out)
        assert done.returncode == 0, done.stderr
        made[scheme] = hash_of(out / "plt00012")
    return made


@pytest.fixture(scope="module")
def sides():
    """Of each field its value to the left and to the right."""
    with thalweg.Simulation(TUBE, {**RIGHT, **LENGTH}) as sim:
        blocks = sim.level(0).blocks
        return {field: (float(blocks[0][field][0, 0]), float(blocks[-1][field][0, -1])) for field in sim.fields}


@pytest.mark.parametrize("scheme, model, threads", [("ctu", *way) for way in WAYS] + [("vl2", "dataflow", 2), ("rk2", "phase", 1)])
def test_bits_are_those_of_a_deck_that_says_the_same(tube, sides, tmp_path, scheme, model, threads):
    deck = {**WRONG, **LENGTH, "hydro.scheme": scheme}
    with thalweg.Simulation(TUBE, deck, model=model, threads=threads) as sim:
        put_right(sim, sides)  # noqa: F821
        sim.run()
        sim.write_plotfile(tmp_path / "mine")
    assert hash_of(tmp_path / "mine") == tube[scheme]


@pytest.mark.parametrize("ranks", [2, 3])
def test_bits_are_the_same_on_several_ranks(tube, sides, tmp_path, ranks):
    done = python(FUNCTIONS + f"""
sim = thalweg.Simulation({str(TUBE)!r}, { {**WRONG, **LENGTH, "hydro.scheme": "ctu"} !r}, threads=2)
put_right(sim, {sides!r})
sim.run()
sim.write_plotfile({str(tmp_path / "mine")!r})
""", ranks=ranks)
    assert done.returncode == 0, done.stdout + done.stderr
    assert hash_of(tmp_path / "mine") == tube["ctu"]


@pytest.mark.parametrize("model, threads", [("bulk", 1), ("dataflow", 2)])
def test_tags_see_the_cells_around_and_move_the_mesh(tmp_path, model, threads):
    length = {"time.max_steps": 16}
    done = program("run", PULSE, "time.max_steps=16", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    with thalweg.Simulation(PULSE, {"regrid.jump": 1e9, **length}, model=model, threads=threads) as sim:

        @sim.tags
        def steep(cells):
            u, g = cells.with_ghosts("u"), cells.n_ghosts
            nx, ny = cells.shape
            near = [u[g + i : g + i + nx, g + j : g + j + ny] for i, j in ((1, 0), (-1, 0), (0, 1), (0, -1))]
            return np.max([abs(v - cells["u"]) for v in near], axis=0) > 0.02

        before = sim.level(2)
        sim.run()
        assert sim.level(2) is not before, "the mesh has not moved"
        sim.write_plotfile(tmp_path / "mine")
    assert hash_of(tmp_path / "mine") == hash_of(tmp_path / "out/plt00016")


def test_a_source_is_added_to_that_of_the_deck():
    totals = []
    for of_deck, mine in (((0.3, 0.2), 0.0), ((0.3, 0.0), 0.2)):
        sim = thalweg.Simulation(DECK, {**SMALL, "source.gravity": [*of_deck]})

        @sim.source
        def push(cells, dt, g=mine):
            rho, kick = cells["density"], g * dt
            cells["rho_E"] += cells["ymom"] * kick + 0.5 * rho * kick**2
            cells["ymom"] += rho * kick

        sim.step(5)
        totals.append(list(sim.totals().values()))
    assert totals[1] == pytest.approx(totals[0], rel=1e-12)


@pytest.mark.parametrize(("scheme", "n_cells"), [("rk2", 1), ("vl2", 0)])
def test_a_source_that_cannot_go_backwards_is_told_of_where_its_rate_is_wrong(tmp_path, capfd, scheme, n_cells):
    with thalweg.Simulation(DECK, {**SMALL, "hydro.scheme": scheme, "time.max_steps": 2, "run.log": "both"}, out=tmp_path / "out") as sim:

        @sim.source
        def heat(cells, dt):
            cells["rho_E"] += 10 * max(dt, 0)

        sim.step(1)
        assert ("step 1: " in (said := capfd.readouterr().err) and "may act at a wrong rate" in said) == (n_cells > 0), said
        sim.run()
    events = [json.loads(line) for line in (tmp_path / "out/log.jsonl").read_text().splitlines()]
    stages = sum(2 * event["zone_updates"] for event in events if event["event"] == "step")
    assert events[-1]["unresolved_sources"] == n_cells * stages


def test_a_longest_dt_limits_steps_and_is_of_the_level():
    with thalweg.Simulation(DECK, SMALL) as sim:

        @sim.longest_dt
        def limit(cells):
            return np.where(cells["density"] > 0, 1e-5, np.inf) if cells.level == 1 else np.inf

        sim.step(2)
        assert sim.dt == 2e-5 and sim.n_steps == 2


@pytest.mark.parametrize(
    ("value", "error", "words"),
    [(0.0, ValueError, "gives 0.0 .*more than no time"), (np.nan, ValueError, "gives nan"), ("fast", TypeError, "it is a time"), (None, TypeError, "it is a time"), ([], TypeError, "it is a time")],
)
def test_a_longest_dt_that_is_no_time_is_refused(value, error, words):
    with thalweg.Simulation(DECK, SMALL) as sim:
        sim.longest_dt(lambda cells: value)
        with pytest.raises(error, match=words):
            sim.step()


def test_a_stiff_source_is_exact_in_stages_where_it_is_split():
    ends = []
    for scheme in ("vl2", "rk2"):
        with thalweg.Simulation(DECK, {**SMALL, "hydro.scheme": scheme, "time.split_sources": True, "time.subcycle": False}) as sim:

            @sim.source
            def stop(cells, dt):
                assert dt > 0
                for momentum in ("xmom", "ymom"):
                    kinetic = 0.5 * cells[momentum] ** 2 / cells["density"]
                    cells["rho_E"] -= kinetic * (1 - np.exp(-2e6 * dt))
                    cells[momentum] *= np.exp(-1e6 * dt)

            sim.step(3)
            ends.append(sim.totals()["kinetic_energy"])
    with thalweg.Simulation(DECK, SMALL) as sim:
        sim.step(3)
        free = sim.totals()["kinetic_energy"]
    # What is left is what the pressure gives the gas in half a step.
    assert ends[1] == pytest.approx(ends[0], rel=0.1) and ends[0] < 1e-6 * free
    with thalweg.Simulation(DECK, {**SMALL, "hydro.scheme": "rk2", "time.split_sources": True}) as sim:
        sim.source(lambda cells, dt: None)
        with pytest.raises(ValueError, match=r"time\.split_sources = true with time\.subcycle = true .*set time\.subcycle to false"):
            sim.step()


def test_a_restart_without_the_source_is_refused_and_one_without_tags_warns(tmp_path, capfd):
    out = tmp_path / "out"
    with thalweg.Simulation(DECK, SMALL, out=out) as sim:
        sim.source(lambda cells, dt: None)
        sim.tags(lambda cells: cells["density"] > 0.5)
        sim.longest_dt(lambda cells: 1.0)
        sim.step(2)
        path = sim.write_checkpoint()
    before = sorted(out.rglob("*"))
    done = program("run", "--restart", path, "--out", out)
    assert done.returncode == 2 and "a function of whole blocks as its source, which this one has not" in done.stderr, done.stderr
    assert sorted(out.rglob("*")) == before
    again = thalweg.Simulation(restart=path, out=tmp_path / "again")
    again.source(lambda cells, dt: None)
    again.step(1)
    assert again.n_steps == 3 and "for tags, which this one has not" in "".join(capfd.readouterr())
    third = thalweg.Simulation(restart=path, out=tmp_path / "third")
    third.source(lambda cells, dt: None)
    third.tags(lambda cells: cells["density"] > 0.5)
    third.step(1)
    assert "for longest_dt, which this one has not" in "".join(capfd.readouterr())


def test_an_initial_state_changes_that_of_the_deck():
    plain, changed = thalweg.Simulation(DECK, SMALL), thalweg.Simulation(DECK, SMALL)
    kept = []

    @changed.initial
    def heavier(cells):
        assert cells.shape == cells["density"].shape == np.broadcast(cells.x, cells.y).shape
        assert cells.cell_size == pytest.approx([0.125 / 16 / 2**cells.level] * 2)
        assert cells.time == 0 and cells.fields == ["density", "xmom", "ymom", "rho_E"]
        with pytest.raises(KeyError, match="^no field 'nothing' .*density.*; give one of these$"):
            cells["nothing"]
        with pytest.raises(AttributeError, match="no axis z"):
            cells.z  # noqa: B018  (that it raises is the point)
        cells["density"] *= 2
        kept.append(cells["rho_E"])

    before, after = plain.totals(), changed.totals()
    assert after == {**before, "density": 2 * before["density"]}
    for array in kept:
        array[...] = -1  # their own by now
    assert changed.totals() == after


FAILING = """
@sim.{kind}
def fail(cells, *dt):
    raise LookupError("nothing to see")
"""
KINDS = ["initial", "tags", "source", "longest_dt"]


@pytest.mark.parametrize("kind", KINDS)
def test_an_exception_in_a_function_of_blocks_is_raised_where_steps_are_made(kind):
    sim = thalweg.Simulation(DECK, SMALL, threads=2)
    exec(FAILING.format(kind=kind))  # noqa: S102  (it gives sim a function)
    with pytest.raises(LookupError, match="nothing to see") as raised:
        sim.run()
    assert any(entry.name == "fail" for entry in raised.traceback)
    with pytest.raises(RuntimeError, match=f"(?s)has failed.*sim.{kind}.*LookupError"):
        sim.run()


@pytest.mark.parametrize("rank", [0, 1])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("since", [0.0, 5e-4])
def test_an_exception_in_a_function_of_blocks_ends_all_ranks(kind, rank, since):
    if kind == "initial" and since > 0:
        pytest.skip("it is called at the start alone")
    done = python(f"""
sim = thalweg.Simulation(DECK, SMALL, threads=2)

@sim.{kind}
def fail(cells, *dt):
    if sim.rank == {rank} and cells.time >= {since}:
        raise LookupError("nothing to see")
    return {{"tags": cells["density"] > 1.5, "longest_dt": np.inf}}.get("{kind}")

sim.run()
""", ranks=2)
    assert done.returncode != 0
    assert "LookupError: nothing to see" in done.stderr and "in fail" in done.stderr and f"rank {rank}" in done.stderr


def test_what_functions_of_blocks_give_is_checked():
    sim = thalweg.Simulation(DECK, SMALL)
    sim.tags(lambda cells: cells["density"])
    with pytest.raises(ValueError, match=r"tags of shape \(16, 16\) and type float64.*a bool for each cell"):
        sim.step()
    sim = thalweg.Simulation(DECK, SMALL)
    sim.initial(lambda cells: cells.__setitem__("density", -1.0))
    with pytest.raises(ValueError, match=r"initial state.*cell \(.*not admissible"):
        sim.step()
    with pytest.raises(RuntimeError, match="before it is used"):
        sim.source(lambda cells, dt: None)


@pytest.mark.parametrize(
    "deck, kind, what_to_do",
    [("vlasov/decks/landau_linear", "tags", "leave it out"), ("vlasov/decks/landau_linear", "longest_dt", "leave it out"), ("vlasov/decks/landau_linear", "initial", "vlasov.beams"), ("induction/decks/loop", "initial", "leave it out")],
)
def test_equations_without_a_place_for_a_function_say_so(deck, kind, what_to_do):
    sim = thalweg.Simulation(ROOT / f"apps/{deck}.toml")
    with pytest.raises(ValueError, match=f"a function of blocks.*{what_to_do}"):
        getattr(sim, kind)(lambda cells: None)
    assert sim.n_steps == 0 and sim.derived_fields == []


def test_a_function_of_blocks_that_asks_the_simulation_is_told_to_ask_its_cells():
    sim = thalweg.Simulation(DECK, SMALL)
    sim.tags(lambda cells: cells["density"] > sim.time)
    with pytest.raises(RuntimeError, match=r"around this function.*take what `cells` has \(cells\.time"):
        sim.step()


def test_a_second_function_of_a_kind_and_an_attribute_in_place_of_a_field_are_refused():
    sim = thalweg.Simulation(DECK, SMALL)

    @sim.initial
    def wrong(cells):
        cells.density = 3.0

    with pytest.raises(ValueError, match=r"a second function of sim\.initial"):
        sim.initial(lambda cells: None)
    with pytest.raises(AttributeError, match=r'cells\.density .*set cells\["density"\]'):
        sim.step()


def test_ranks_with_different_functions_are_told():
    done = python("""
        sim = thalweg.Simulation(DECK, SMALL)
        if sim.rank == 1:
            sim.source(lambda cells, dt: None)
        sim.run()
        """, ranks=2)
    assert done.returncode != 0 and "different words" in done.stderr and "source" in done.stderr


def test_a_function_places_passive_scalars_of_any_problem():
    words = {**LENGTH, "hydro.scalars": 1, "boundary.lower": ["reflecting", "reflecting"], "boundary.upper": ["reflecting", "reflecting"]}
    with thalweg.Simulation(TUBE, words) as sim:

        @sim.initial
        def dye(cells):
            assert not cells["rho_X0"].any()
            cells["rho_X0"] = cells["density"] * (cells.y < 0.375)

        start = sim.totals()["rho_X0"]
        sim.run()
        assert start > 0 and abs(sim.totals()["rho_X0"] - start) < 1e-13 * start
