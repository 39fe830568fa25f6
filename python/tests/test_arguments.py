# SPDX-License-Identifier: MIT
"""What is asked of plotfiles: where they are, which levels and cells there are, numbers of which there is no answer."""

import os
import tomllib
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from synthetic import blocks, write_plotfile
from test_readers import VARIABLES, write

import thalweg
from thalweg.arguments import file_to_write, number, path_from_here, texts, whole
from thalweg.blocks import Level
from thalweg.requests import text_of, words_of


@pytest.fixture
def plot(tmp_path):
    return write(tmp_path / "plt", 2, (2, 2))


def test_a_plotfile_stays_where_it_was_when_the_program_goes_elsewhere(tmp_path, monkeypatch):
    expected = write(tmp_path / "out/plt00001", 2).leaf_cells().values
    (tmp_path / "out/plt00001/deck.toml").write_text("[time]\nend = 2.0\n")
    monkeypatch.chdir(tmp_path)
    by_run, by_name = thalweg.open("out"), thalweg.open("out/plt00001")
    assert str(by_run.path) == "out/plt00001" and path_from_here("out", "out") == str(tmp_path / "out")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    for plot in (by_run, by_name):
        np.testing.assert_array_equal(plot.leaf_cells().values, expected)
        assert plot.deck() == {"time": {"end": 2.0}}


def test_boxes_and_levels_and_images_are_found_and_kept_in_sets(plot):
    boxes, image, profile = plot.levels[1].boxes, plot.slice("density"), plot.profile("density", "x")
    assert boxes[2] in boxes and boxes.index(boxes[2]) == 2 and boxes[1] != boxes[2]
    assert plot.levels[1] in plot.levels and plot.levels.index(plot.levels[1]) == 1
    assert len({*boxes, *plot.levels, image, profile, plot.leaf_cells()}) == len(boxes) + len(plot.levels) + 3
    assert image == image and image != plot.slice("density")


def test_names_may_come_one_after_the_other(plot):
    named = plot.leaf_cells(name for name in VARIABLES[:2])
    np.testing.assert_array_equal(named.values, plot.leaf_cells(VARIABLES[:2]).values)
    box = plot.levels[0].boxes[0]
    np.testing.assert_array_equal(plot.read(box, iter(VARIABLES[:2])), plot.read(box, VARIABLES[:2]))


@pytest.mark.parametrize("level", [3, -1, 10**30])
def test_levels_that_are_not_there_are_refused(plot, level):
    box = plot.levels[0].boxes[0]
    for ask in (lambda: plot.covered(level, box), lambda: plot.centres(level, box, np.ones(box.shape, bool))):
        with pytest.raises(IndexError, match=rf"^level = {level} \(there are levels 0 to 2\); give one of these"):
            ask()


def test_cells_are_chosen_by_a_bool_for_each(plot):
    box = plot.levels[0].boxes[0]
    assert len(plot.centres(0, box, ~plot.covered(0, box))) > 0
    with pytest.raises(ValueError, match=r"^chosen of shape \(3,\) \(the box has \(4, 4\) cells\); give a bool for each"):
        plot.centres(0, box, np.ones(3, bool))
    with pytest.raises(TypeError, match=r"^box = 0 "):
        plot.centres(0, 0, np.ones((4, 4), bool))


@pytest.mark.parametrize("most", [0, -5])
def test_images_without_cells_are_refused(plot, tmp_path, most):
    for ask in (plot.slice, write(tmp_path / "deep", 3).projection):
        with pytest.raises(ValueError, match=rf"^most_cells = {most} \(an image has cells\); give 1 or more"):
            ask("density", most_cells=most)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf, 1e308])
def test_centres_without_distances_are_refused(plot, wrong):
    with pytest.raises(ValueError, match=r"^centre = .*no number\); give one that is finite"):
        plot.profile("density", centre=[0.5, wrong])
    assert np.isfinite(plot.profile("density", centre=[0.5, -3.0], n_bins=1).mean).all()


def test_weights_of_both_signs_are_refused(tmp_path):
    values = lambda c, h: np.stack([np.ones(c.shape[:-1]), c[..., 0]])  # noqa: E731
    for name, lower in (("both", -1), ("one", 0)):
        write_plotfile(tmp_path / name, ["density", "xmom"], [lower], [1], [(8, blocks(8, 1, 4))], values)
    assert (thalweg.open(tmp_path / "one").profile("density", "x", n_bins=2, weight="xmom").mean == 1).all()
    with pytest.raises(ValueError, match="^weight = 'xmom' .*weigh by what has one sign"):
        thalweg.open(tmp_path / "both").profile("density", "x", n_bins=2, weight="xmom")


def test_a_centre_of_layers_is_refused(plot):
    with pytest.raises(ValueError, match=r"^centre = \[0.5, 0.5\] of a profile along x .*radius.*leave it out"):
        plot.profile("density", "x", centre=[0.5, 0.5])


def test_a_centre_on_a_line_may_be_a_number(tmp_path, plot):
    line = write(tmp_path / "line", 1)
    np.testing.assert_array_equal(line.profile("density", centre=0.5).mean, line.profile("density", centre=[0.5]).mean)
    with pytest.raises(ValueError, match=r"^centre = 0.5 \(a number, and the plotfile has 2 axes\); give a list with one for each"):
        plot.profile("density", centre=0.5)
    with pytest.raises(ValueError, match=r"^centre = \[0, 0\] \(2 numbers, and the plotfile has one axis\)"):
        line.profile("density", centre=[0, 0])


def test_numbers_that_are_too_large_are_said_to_be_so(tmp_path):
    assert whole("n", 5, 5) == 5 and whole("n", 10**30) == 10**30
    for value in (6, -6, 10**30):
        with pytest.raises(ValueError, match=rf"^n = {value} \(such numbers go to 5\)"):
            whole("n", value, 5)
    for value, shown in ((10**400, "100000"), (10**5000, "a number of thousands of digits")):
        with pytest.raises(ValueError, match=f"^until = {shown}.*no double is as large"):
            number("until", value)


def test_lists_of_names_are_no_array_without_axes():
    assert texts("fields", np.array(["a", "b"])) == ["a", "b"] and texts("fields", ("a",)) == ["a"]
    with pytest.raises(TypeError, match=r"^fields = array\('a'.*\(must be a list of strings\)"):
        texts("fields", np.array("a"))


@pytest.mark.parametrize("key", [3, b"time.end", None, ("time", "end")])
def test_keys_of_overrides_are_strings(key):
    for value in (1, {"end": 1}):
        with pytest.raises(TypeError, match=r"^a key of overrides = .*\(must be a string: \"time.end\", say\)"):
            words_of({key: value})


def test_texts_of_decks_are_read_as_what_was_given():
    deck = {"a": {"b c": "two\nlines, a \"quote\", \\, \x7f and \x01"}, "d": [{"x = 1, y": 2, "new\nline": True}], "e.f": np.array([1, 2])}
    read = {"a": deck["a"], "d": deck["d"], "e": {"f": [1, 2]}}
    assert tomllib.loads(text_of(deck)) == read
    with pytest.raises(TypeError, match=r"^d: a key of a table = 3 \(must be a string"):
        text_of({"d": [{3: 1}]})
    for twice in ({"mesh.dim": 2, "mesh": {"dim": 3}}, {"mesh.dim.x": 2, "mesh": {"dim": 3}}, {"mesh.dim": 2, "mesh": {"dim": {"x": 3}}}):
        with pytest.raises(ValueError, match=r"^mesh.dim(.x)?: given beside mesh.dim(.x)? \("):
            text_of(twice)
    assert text_of({"mesh.dim": 2, "mesh.dimension": 3}).count("\n") == 2
    for value in (np.datetime64(5, "ns"), np.timedelta64(5, "s"), np.array([5], "M8[ns]")):
        with pytest.raises(TypeError, match="^t: "):
            text_of({"t": value})


def test_a_level_without_blocks_has_no_other_fields_than_one_with_them():
    run = SimpleNamespace(derived_fields=["mach"], deck="[mesh]\nblock_cells = [8]\n")
    level = Level(run, ["density"], 1, SimpleNamespace(cell_size=[0.1, 0.1], blocks=[]), 0, np.zeros(2))
    assert level["density"].shape == (0, 8, 8)
    others = [(0, "no field '0'"), (np.array(["density"]), "no field"), (np.array(["density", "mach"]), "no field"), (["density"], "no field")]
    for name, says in [("pressure", "no field 'pressure'"), ("mach", "field 'mach' is not in memory"), *others]:
        for ask in (level.__getitem__, level.lattice):
            with pytest.raises(KeyError, match=says):
                ask(name)
    with pytest.raises(ValueError, match="no blocks of level 1"):
        level.lattice("density")


@pytest.mark.parametrize("kind", [np.array, Fraction, np.float32, np.longdouble])
def test_numbers_of_other_kinds_are_floats(kind):
    assert number("x", kind(0.5)) == 0.5 and type(number("x", kind(0.5))) is float
    assert whole("n", np.array(3)) == 3
    for wrong in (np.array("0.5"), np.array([0.5]), np.array(1j), np.array(3, "M8[s]"), Decimal("0.5")):
        with pytest.raises(TypeError, match=r"^x = .*\(must be a number\)"):
            number("x", wrong)


def test_paths_are_those_that_their_objects_stand_for(tmp_path):
    write(tmp_path / "plt", 2)
    (entry,) = os.scandir(tmp_path)
    assert thalweg.open(entry).path == tmp_path / "plt"
    (of_bytes,) = os.scandir(os.fsencode(tmp_path))
    with pytest.raises(TypeError, match=r"^path = .*\(must be a path\)"):
        thalweg.open(of_bytes)


def test_paths_with_a_nul_are_refused_whole():
    for ask in (thalweg.open, lambda path: file_to_write(path, force=False)):
        with pytest.raises(ValueError, match=r"^path = 'a\\x00b' \(no path has the character NUL\)"):
            ask("a\0b")
