# SPDX-License-Identifier: MIT
"""Readers of plotfiles, on made-up files of the kinds that AMReX's programs write; yt as an oracle."""

import itertools
import shutil
import subprocess
import sys

import numpy as np
import pytest
from synthetic import FORMATS, blocks, write_plotfile

import thalweg
from thalweg.fab import read_record
from thalweg.geometry import volumes
from thalweg.images import plane_of
from thalweg.plotfile import Plotfile, plotfiles_in

VARIABLES = ["density", "X(H1)", "rho_E"]
RATIOS = [(2, 2), (2, 4), (4, 2)]


def formula(centre, size):
    """Three variables of centres (..., dimension); what is exact in single precision, too."""
    x = centre * 2.0 ** np.arange(centre.shape[-1])
    return np.stack([1 + x.sum(axis=-1), centre[..., -1], np.full(centre.shape[:-1], size[0])])


def write(path, dimension, ratios=(2,), corner=0.25, **how):
    """Nested levels around the middle: all of level 0 of 8 cells an axis, and 4 blocks of 4 deep."""
    levels, n = [(8, blocks(8, dimension, 4))], 8
    for ratio in ratios:
        n *= ratio
        middle = n // 2
        lows = itertools.product((middle - 4, middle), repeat=dimension)
        levels.append((n, [(np.array(lo), np.array(lo) + 4) for lo in lows]))
    lower, upper = [corner] * dimension, [corner + 1] * dimension
    write_plotfile(path, VARIABLES, lower, upper, levels, formula, **how)
    return thalweg.open(path)


@pytest.mark.parametrize("dimension", [1, 2, 3])
@pytest.mark.parametrize("number", FORMATS)
@pytest.mark.parametrize("n_ghosts", [0, 2])
@pytest.mark.parametrize("ratios", RATIOS)
def test_every_leaf_cell_is_read_from_every_kind_of_record(tmp_path, dimension, number, n_ghosts, ratios):
    plot = write(tmp_path / "plt00007", dimension, ratios, number=number, n_ghosts=n_ghosts)
    assert (plot.variables, plot.dimension, plot.step, plot.ratios) == (VARIABLES, dimension, 7, list(ratios))
    cells = plot.leaf_cells()
    assert cells.volume.sum() == 1
    for level in range(3):
        mine = cells.level == level
        assert mine.any()
        np.testing.assert_array_equal(cells.values[:, mine], formula(cells.centre[mine], cells.size[mine][0]))
    some = plot.leaf_cells(["rho_E", "density"])
    np.testing.assert_array_equal(some.values, cells.values[[2, 0]])
    assert cells.values.flags.c_contiguous  # sums over cells are made pairwise


def test_a_domain_may_begin_at_any_index(tmp_path):
    here, there = (write(tmp_path / f"plt{at}", 2, origin=at) for at in (0, -16))
    np.testing.assert_array_equal(here.leaf_cells().centre, there.leaf_cells().centre)
    np.testing.assert_array_equal(here.slice("density").values, there.slice("density").values)


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("number", FORMATS)
def test_yt_reads_the_same(tmp_path, dimension, number):
    yt = pytest.importorskip("yt")
    yt.set_log_level("error")
    plot = write(tmp_path / "plt00007", dimension, (2, 4), number=number)
    dataset = yt.load(str(tmp_path / "plt00007"))  # which what it gives refers to weakly
    theirs, ours = dataset.all_data(), plot.leaf_cells()
    centre = np.stack([theirs["index", axis].to_ndarray() for axis in "xyz"[:dimension]], axis=1)
    order = [np.lexsort(points.T) for points in (centre, ours.centre)]
    for n, name in enumerate(VARIABLES):
        found = theirs["boxlib", name].to_ndarray()
        np.testing.assert_array_equal(found[order[0]], ours.values[n][order[1]])


@pytest.mark.parametrize("dimension", [2, 3])
def test_yt_has_the_finest_cells_of_several_ratios_on_an_arbitrary_grid(tmp_path, dimension):
    yt = pytest.importorskip("yt")
    yt.set_log_level("error")
    plot = write(tmp_path / "plt00007", dimension, (4, 2))
    dataset = yt.load(str(tmp_path / "plt00007"))
    n_cells = [64, 64, 64 if dimension == 3 else 1]
    grid = dataset.arbitrary_grid(dataset.domain_left_edge, dataset.domain_right_edge, dims=n_cells)
    for name in VARIABLES:
        middle = grid["boxlib", name].to_ndarray()[:, :, n_cells[2] // 2]
        np.testing.assert_array_equal(middle.T, plot.slice(name).values)


@pytest.mark.parametrize("ratios", RATIOS)
@pytest.mark.parametrize("normal", ["x", "y", "z"])
def test_slices_hold_the_finest_cell_at_each_place(tmp_path, ratios, normal):
    plot = write(tmp_path / "plt", 3, ratios)
    for at in (0.3, 0.76):
        image = plot.slice("rho_E", normal, at)
        n = image.values.shape[0]
        assert image.values.shape == (n, n) and n == 8 * ratios[0] * ratios[1]
        assert image.axes == tuple(axis for axis in "xyz" if axis != normal)
        cells = plot.leaf_cells(["rho_E"])
        a = "xyz".index(normal)
        others = [b for b in range(3) if b != a]
        cut = np.abs(cells.centre[:, a] - at) <= cells.size[:, a] / 2
        for centre, size, value in zip(cells.centre[cut], cells.size[cut], cells.values[0, cut]):
            i, j = (np.argmin(np.abs(side - centre[b])) for side, b in zip((image.across, image.up), others))
            assert image.values[j, i] == value == size[0]


def test_planes_at_a_face_hold_the_upper_cells_however_their_place_is_rounded(tmp_path):
    def z_of(centre, size):
        return centre[None, ..., 2]

    levels = [(10, blocks(10, 3, 5)), (20, [((0, 0, 0), (20, 20, 20))])]
    write_plotfile(tmp_path / "plt", ["z"], [0, 0, 0], [1, 1, 1], levels, z_of)
    plot = thalweg.open(tmp_path / "plt")
    for i in range(20):  # 0.3 / 0.1 is less than 3
        np.testing.assert_allclose(plot.slice("z", "z", i / 20).values, (i + 0.5) / 20)
    np.testing.assert_allclose(plot.slice("z", "z", 0.3 - 1e-6).values, 5.5 / 20)


@pytest.mark.parametrize(
    "lower, upper, place",
    [("outflow", "outflow", 0.75), ("reflecting", "outflow", 0.25), ("reflecting", "reflecting", 0.75), ("outflow", "reflecting", 0.75)],
)
@pytest.mark.parametrize("normal", ["x", "y", "z"])
def test_planes_are_by_default_in_the_middle_of_the_whole(tmp_path, normal, lower, upper, place):
    plot = write(tmp_path / "plt", 3)
    sides = [[side if axis == normal else "periodic" for axis in "xyz"] for side in (lower, upper)]
    (tmp_path / "plt/deck.toml").write_text(f"[boundary]\nlower = {sides[0]}\nupper = {sides[1]}\n")
    np.testing.assert_array_equal(plot.slice("density", normal).values, plot.slice("density", normal, at=place).values)
    assert plane_of(plot, normal).at == place and plane_of(plot, normal, at=1.0).at == 1.0
    (tmp_path / "plt/deck.toml").unlink()
    assert plane_of(plot, normal).at == 0.75


def test_coarser_slices_have_the_cell_at_the_low_corner_of_each_square(tmp_path):
    def x_of(centre, size):
        return centre[None, ..., 0]

    # A fine box that does not begin where a square does.
    levels = [(8, blocks(8, 2, 4)), (16, [((2, 2), (8, 8))]), (32, [((6, 6), (14, 14))])]
    write_plotfile(tmp_path / "plt", ["x"], [0, 0], [1, 1], levels, x_of)
    image = thalweg.open(tmp_path / "plt").slice("x", most_cells=8)
    assert image.values.shape == (8, 8)
    np.testing.assert_array_equal(image.values[2], np.array([2, 5, 8.5, 12.5, 18, 22, 26, 30]) / 32)


@pytest.mark.parametrize("most_cells", [8, 16, 32, 64])
def test_projections_keep_the_integral_on_any_lattice(tmp_path, most_cells):
    plot = write(tmp_path / "plt", 3, (2, 4))
    cells = plot.leaf_cells(["density"])
    total = (cells.values[0] * cells.volume).sum()
    for axis in "xyz":
        image = plot.projection("density", axis, most_cells)
        n = image.values.shape[0]
        assert n == (most_cells if most_cells != 32 else 16)
        assert image.values.sum() / n**2 == pytest.approx(total, rel=1e-14)
    line = plot.projection("X(H1)", "z").values
    np.testing.assert_allclose(line, 0.75, rtol=1e-14)  # the mean of z over a column of length 1


@pytest.mark.parametrize("most_cells", [8, 16])
def test_projections_have_no_number_where_there_is_no_cell_along_the_axis(tmp_path, most_cells):
    some = [(lo, hi) for lo, hi in blocks(8, 3, 4) if lo[:2].tolist() != [4, 0] and lo.tolist() != [0, 4, 4]]
    levels = [(8, some), (16, [((0, 0, 0), (8, 8, 16))])]
    write_plotfile(tmp_path / "plt", ["density"], [0, 0, 0], [1, 1, 1], levels, lambda x, h: np.ones((1, *x.shape[:-1])))
    values = thalweg.open(tmp_path / "plt").projection("density", "z", most_cells).values
    half = len(values) // 2
    assert np.isnan(values[:half, half:]).all() and np.isnan(values).sum() == half * half
    assert (values[:half, :half] == 1).all() and (values[half:, :half] == 0.5).all() and (values[half:, half:] == 1).all()


def test_cells_are_shared_out_to_bins_that_are_narrower(tmp_path):
    write_plotfile(tmp_path / "plt", ["h"], [0, 0], (4.0, 0.5), [(8, blocks(8, 2, 4))], lambda c, h: c[None, ..., 0])
    plot = thalweg.open(tmp_path / "plt")
    for n_bins in (64, 20, 8, 3):
        along = plot.profile("h", "x", n_bins=n_bins)
        assert along.volume == pytest.approx(4.0 * 0.5 / n_bins)
        assert (along.mean * along.volume).sum() == pytest.approx(2.0 * 4.0 * 0.5)  # the integral of x
    cells = np.repeat(np.arange(8) * 0.5 + 0.25, 8)
    narrow = plot.profile("h", "x", n_bins=64)
    assert narrow.mean == pytest.approx(cells) and (narrow.least == cells).all() and (narrow.greatest == cells).all()


@pytest.mark.parametrize("coordinates, power, whole", [(1, 2, np.pi), (2, 3, 4 / 3 * np.pi)])
@pytest.mark.parametrize("lower", [0.0, 2.0])
@pytest.mark.parametrize("n_bins", [64, 8, 5, 3])
def test_cells_around_an_axis_or_a_point_are_shared_out_by_volume(tmp_path, coordinates, power, whole, lower, n_bins):
    d, height = 3 - coordinates, 0.5
    corners, radius = ([lower, 0][:d], [lower + 1, height][:d]), lambda x, h: x[None, ..., 0]
    write_plotfile(tmp_path / "plt", ["r"], *corners, [(4, blocks(4, d, 2))], radius, coordinates=coordinates)
    along = thalweg.open(tmp_path / "plt").profile("r", "x", n_bins=n_bins)
    assert along.volume == pytest.approx(whole * np.diff(along.edges**power) * height ** (d - 1))
    middles = lower + (np.arange(4) + 0.5) / 4
    volume = whole * np.diff((lower + np.arange(5) / 4) ** power) * height ** (d - 1)
    assert (along.mean * along.volume).sum() == pytest.approx((middles * volume).sum())
    if n_bins % 4 == 0:
        assert along.mean == pytest.approx(np.repeat(middles, n_bins // 4))


def test_shells_in_round_coordinates_are_around_their_middle(tmp_path):
    write_plotfile(tmp_path / "plt", ["R"], [0, -1], [1, 1], [(16, blocks(16, 2, 8))], lambda x, h: np.linalg.norm(x, axis=-1)[None], coordinates=1)
    plot = thalweg.open(tmp_path / "plt")
    shells = plot.profile("R", n_bins=8)
    assert shells.edges[-1] == pytest.approx(2**0.5) and shells.volume.sum() == pytest.approx(2 * np.pi)
    assert (shells.least >= shells.edges[:-1]).all() and (shells.greatest <= shells.edges[1:]).all()
    np.testing.assert_array_equal(plot.profile("R", centre=[0, 0], n_bins=8).mean, shells.mean)
    with pytest.raises(ValueError, match=r"^centre = \[0.5, 0\] .*shells are around r = 0\); give one that begins with 0"):
        plot.profile("R", centre=[0.5, 0])


def test_a_cell_that_is_no_number_spoils_its_own_bins_alone(tmp_path):
    def ruined(c, h):
        return np.where(abs(c[..., 0] - 1.25) < 0.1, np.nan, c[..., 0])[None]

    write_plotfile(tmp_path / "plt", ["h"], [0, 0], (4.0, 0.5), [(8, blocks(8, 2, 4))], ruined)
    plot = thalweg.open(tmp_path / "plt")
    for n_bins in (8, 64):
        mean = plot.profile("h", "x", n_bins=n_bins).mean
        assert (np.isnan(mean) == (np.arange(n_bins) * 8 // n_bins == 2)).all()
    assert np.isfinite(plot.profile("h", "radius", centre=[0, 0], n_bins=4).mean).sum() == 3


def test_profiles_are_averages_by_volume(tmp_path):
    plot = write(tmp_path / "plt", 3, (2,))
    along = plot.profile("X(H1)", "z", n_bins=8)
    # Bins of a coarse cell's depth: the finer cells in them have the same mean.
    np.testing.assert_allclose(along.mean, along.middle, rtol=1e-14)
    np.testing.assert_allclose(along.volume, 1 / 8, rtol=1e-14)
    cells, centre = plot.leaf_cells(["density", "rho_E"]), np.array([0.5, 0.5, 0.5])
    shells = plot.profile("density", centre=centre, n_bins=5, weight="rho_E")
    radius = np.linalg.norm(cells.centre - centre, axis=1)
    for n in range(5):
        mine = (radius >= shells.edges[n]) & (radius < shells.edges[n + 1])
        weight = cells.volume[mine] * cells.values[1, mine]
        assert shells.mean[n] == pytest.approx(np.average(cells.values[0, mine], weights=weight))
        assert shells.least[n] == cells.values[0, mine].min()
        assert shells.greatest[n] == cells.values[0, mine].max()
    assert np.isnan(plot.profile("density", n_bins=500).mean).any()


def test_shells_are_by_default_around_the_middle_and_some_hold_no_cell(tmp_path):
    plot = write(tmp_path / "plt", 2, ())
    shells = plot.profile("density", n_bins=50)
    np.testing.assert_array_equal(shells.mean, plot.profile("density", centre=[0.75, 0.75], n_bins=50).mean)
    assert shells.edges[-1] == pytest.approx(0.5**0.5)
    is_empty = np.isnan(shells.mean)
    assert is_empty[0] and not is_empty.all()
    assert ((shells.volume == 0) == is_empty).all() and shells.volume.sum() == pytest.approx(1)


def test_volumes_around_an_axis_and_a_point(tmp_path):
    rings = write(tmp_path / "rz", 2, coordinates=1, corner=0.0)
    assert rings.leaf_cells().volume.sum() == pytest.approx(np.pi)  # a cylinder of radius and height 1
    assert rings.profile("density", "y").volume.sum() == pytest.approx(np.pi)
    shells = write(tmp_path / "sphere", 1, coordinates=2, corner=0.0).leaf_cells()
    assert shells.volume.sum() == pytest.approx(4 / 3 * np.pi)
    assert thalweg.open(tmp_path / "sphere").profile("density").volume.sum() == pytest.approx(4 / 3 * np.pi)
    with pytest.raises(ValueError, match="one dimension only"):
        volumes("spherical", np.ones((1, 2)), np.ones((1, 2)))


def test_numbers_are_read_only_when_they_are_asked_for(tmp_path):
    write(tmp_path / "plt", 2)
    for data in (tmp_path / "plt").glob("Level_*/Cell_D_*"):
        data.unlink()
    plot = thalweg.open(tmp_path / "plt")
    assert "3-D" not in repr(plot) and "X(H1)" in repr(plot)
    with pytest.raises(FileNotFoundError, match="Cell_D_00000"):
        plot.slice("density")


def test_a_plotfile_that_another_run_replaced_is_to_be_opened_again(tmp_path):
    write(tmp_path / "plt", 2)
    plot = Plotfile(tmp_path / "plt")
    box = plot.levels[0].boxes[0]
    shutil.rmtree(tmp_path / "plt")
    for ask in (lambda: plot.read(box), plot.leaf_cells, plot.deck):
        with pytest.raises(ValueError, match="plt has been replaced or removed since it was opened .*open it again"):
            ask()
    write(tmp_path / "plt", 2)
    with pytest.raises(ValueError, match="has been replaced"):
        plot.leaf_cells()
    assert len(Plotfile(tmp_path / "plt").leaf_cells().level) > 0


def test_a_plotfile_that_is_replaced_while_it_is_read_gives_no_numbers(tmp_path, monkeypatch):
    plot = write(tmp_path / "plt", 2)

    def slow(*place):
        shutil.rmtree(tmp_path / "plt")
        write(tmp_path / "plt", 2, time=0.0625)
        return read_record(*place)

    monkeypatch.setattr("thalweg.plotfile.read_record", slow)
    with pytest.raises(ValueError, match="has been replaced"):
        plot.read(plot.levels[0].boxes[0])
    plot = Plotfile(tmp_path / "plt")
    (tmp_path / "plt/deck.toml").write_text("[time]\n")

    def slow_deck(path):
        shutil.rmtree(tmp_path / "plt")
        write(tmp_path / "plt", 2, time=0.03125)
        path.write_text("[mesh]\n")
        return path

    monkeypatch.setattr("thalweg.plotfile.regular", slow_deck)
    with pytest.raises(ValueError, match="has been replaced"):
        plot.deck()


def test_the_older_name_of_the_format_is_one(tmp_path):
    values = write(tmp_path / "plt", 2).leaf_cells().values
    change(tmp_path / "plt/Header", b"HyperCLaw-V1.1", b"NavierStokes-V1.1")
    np.testing.assert_array_equal(thalweg.open(tmp_path / "plt").leaf_cells().values, values)


def change(path, old, new):
    content = path.read_bytes()
    assert old in content
    path.write_bytes(content.replace(old, new, 1))


@pytest.mark.parametrize(
    "file, old, new, why",
    [
        ("Header", b"HyperCLaw-V1.1", b"CheckPointVersion", "not a plotfile"),
        ("Header", b"Level_1/Cell\n", b"", "ends too early"),
        ("Header", b"\n1.25 1.25\n", b"\n0.25 1.25\n", "line 10: a domain from 0.25 0.25 to 0.25 1.25 "),
        ("Header", b"\n1.25 1.25\n", b"\ninf 1.25\n", "line 10: a domain from 0.25 0.25 to inf 1.25 "),
        ("Header", b"\n1.25 1.25\n", b"\n1.25 2.25\n", "line 14: cells of 0.125 0.125 .there are 8 8 of them in a domain of 1 2"),
        ("Header", b"\n2\n((0,0)", b"\n4\n((0,0)", "line 12: a domain of level 1 that is not 4 times as fine"),
        ("Header", b"\n2\n((0,0)", b"\n0\n((0,0)", "line 12: a domain of level 1 that is not 0 times as fine"),
        ("Header", b"((0,0) (15,15)", b"((0,0) (15,31)", "line 12: a domain of level 1 that is not 2 times as fine"),
        ("Header", b"((0,0) (15,15)", b"((8,0) (23,15)", "line 12: a domain of level 1 that is not 2 times as fine"),
        ("Header", b"\n0.0625 0.0625\n", b"\n0.0625 0.125\n", "line 15: cells of 0.0625 0.125 .there are 16 16 of them in a domain of 1 1"),
        ("Header", b"\n0.0625 0.0625\n", b"\nnan 0.0625\n", "line 15: cells of nan 0.0625 "),
        ("Header", b"\n0.0625 0.0625\n", b"\n0.0625 0.06251\n", "line 15: cells of 0.0625 0.06251 .there are 16 16 of them in a domain of 1 1"),
        ("Level_0/Cell_H", b"((4,4) (7,7)", b"((4,4) (8,7)", "has no cells, or some outside the domain"),
        ("Level_0/Cell_H", b"((0,0) (3,3)", b"((-1,0) (3,3)", "has no cells, or some outside the domain"),
        ("Level_0/Cell_H", b"1\n1\n", b"4\n1\n", "headerversion"),
        ("Level_0/Cell_H", b"FabOnDisk", b"", "no place of a box"),
        ("Level_1/Cell_H", b"(0,0)", b"(1,0)", "not one of cells"),
        ("Level_0/Cell_D_00000", b"64 11 52", b"64 15 48", "only IEEE numbers"),
        ("Level_0/Cell_D_00000", b"8 7 6 5", b"8 7 5 6", "only IEEE numbers"),
        ("Level_0/Cell_D_00000", b"FAB", b"BAF", "no record of cells"),
        ("Level_0/Cell_D_00000", b"((0,0) (3,3)", b"((0,0) (2,3)", "does not hold the cells"),
    ],
)
def test_what_is_damaged_or_of_another_kind_is_refused_by_name(tmp_path, file, old, new, why):
    write(tmp_path / "plt", 2)
    change(tmp_path / "plt" / file, old, new)
    with pytest.raises(ValueError, match=why) as refused:
        thalweg.open(tmp_path / "plt").leaf_cells()
    assert file.split("/")[-1] in str(refused.value)


def test_a_file_that_was_cut_is_refused(tmp_path):
    plot = write(tmp_path / "plt", 2)
    plot.check()
    data = plot.levels[1].boxes[-1].file
    data.write_bytes(data.read_bytes()[:-8])
    for use in (plot.leaf_cells, plot.check):
        with pytest.raises(ValueError, match="ends within the record"):
            use()


@pytest.mark.parametrize("file", ["Header", "Level_0/Cell_H"])
def test_an_empty_file_is_said_to_be_one(tmp_path, file):
    write(tmp_path / "plt", 2)
    (tmp_path / "plt" / file).write_text("")
    with pytest.raises(ValueError, match=f"^{tmp_path}/plt/{file}: the file is empty: not a whole plotfile$"):
        thalweg.open(tmp_path / "plt")


def test_plotfiles_of_a_folder_are_called_as_the_program_calls_them(tmp_path):
    for name in ("plt00001", "plt00002", "plt100000", "plt00003_old", "pltfinal", "plt0009", "plt00009.tmp", "plt000099a", "xplt00009"):
        write(tmp_path / name, 1)
    assert [path.name for path in plotfiles_in(tmp_path)] == ["plt00001", "plt00002", "plt100000"]
    assert thalweg.open(tmp_path).path.name == "plt100000" and thalweg.open(tmp_path / "pltfinal").step == 7


def test_what_is_not_there_is_said_with_what_is(tmp_path):
    flat, deep = write(tmp_path / "a" / "plt00001", 2), write(tmp_path / "a" / "plt00002", 3)
    assert thalweg.open(tmp_path / "a").step == 7 and thalweg.open(tmp_path / "a").path.name == "plt00002"
    with pytest.raises(FileNotFoundError, match="holds none"):
        thalweg.open(tmp_path)
    with pytest.raises(KeyError, match="density, X"):
        flat.slice("pressure")
    with pytest.raises(ValueError, match="there are x, y"):
        flat.profile("density", "z")
    with pytest.raises(ValueError, match="take a slice"):
        flat.projection("density")
    with pytest.raises(ValueError, match="from 0.25 to 1.25"):
        deep.slice("density", "x", 2.0)
    last = deep.slice("density", "x", 1.25)
    assert np.array_equal(last.values, deep.slice("density", "x", 1.249).values)
    with pytest.raises(ValueError, match="one for each"):
        deep.profile("density", centre=[0.5, 0.5])
    with pytest.raises(ValueError, match="at least one"):
        deep.profile("density", n_bins=0)


def test_one_variable_may_be_named_without_a_list(tmp_path):
    plot = write(tmp_path / "plt", 2)
    box = plot.levels[1].boxes[0]
    for name in VARIABLES:
        np.testing.assert_array_equal(plot.leaf_cells(name).values, plot.leaf_cells([name]).values)
        np.testing.assert_array_equal(plot.read(box, name), plot.read(box, [name]))
    with pytest.raises(KeyError, match="'pressure' is not in"):
        plot.leaf_cells("pressure")


def test_what_is_said_of_an_unknown_variable_is_a_sentence(tmp_path):
    with pytest.raises(KeyError) as refused:
        write(tmp_path / "plt", 2).slice("pressure")
    assert str(refused.value) == f"'pressure' is not in {tmp_path}/plt (density, X(H1), rho_E); give one of these"


def test_importing_starts_nothing_and_draws_nothing():
    code = "import sys, thalweg; print([m for m in ('matplotlib', 'mpi4py', 'yt') if m in sys.modules])"
    folder = str(thalweg.__path__[0]) + "/.."
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_fields_are_the_variables_and_no_place_to_change_them(tmp_path):
    plot = write(tmp_path / "plt", 2)
    assert plot.fields == plot.variables == VARIABLES
    plot.fields.append("other")
    assert plot.fields == VARIABLES
    with pytest.raises(AttributeError):
        plot.fields = []


@pytest.mark.parametrize("opened", [thalweg.open, thalweg.Plotfile])
def test_the_header_of_a_plotfile_is_the_plotfile(tmp_path, opened, monkeypatch):
    plot = write(tmp_path / "plt", 2)
    for path in (tmp_path / "plt/Header", str(tmp_path / "plt/Header")):
        assert opened(path).path == plot.path
        np.testing.assert_array_equal(opened(path).leaf_cells().values, plot.leaf_cells().values)
    monkeypatch.chdir(tmp_path / "plt")
    assert opened("Header").fields == VARIABLES


@pytest.mark.parametrize("opened", [thalweg.open, thalweg.Plotfile])
def test_a_checkpoint_is_said_to_be_one(tmp_path, opened):
    (tmp_path / "chk00040").mkdir()
    (tmp_path / "chk00040/manifest").write_text("thalweg checkpoint 1\n")
    with pytest.raises(ValueError, match="chk00040' is a checkpoint.*not.*plotfile"):
        opened(tmp_path / "chk00040")


@pytest.mark.parametrize(
    "ask, problem",
    [
        (lambda plot: thalweg.open(3), r"^path = 3 \(must be a path\)"),
        (lambda plot: thalweg.open(None), r"^path = None \(must be a path\)"),
        (lambda plot: thalweg.Plotfile(3), r"^path = 3 \(must be a path\)"),
        (lambda plot: plot.read(0, "density"), r"^box = 0 \(must be a box of a level: plot.levels\[0\].boxes\[0\], say\)"),
        (lambda plot: plot.read(plot.levels[0].boxes[0], 3), r"^variables = 3 \(must be a name, or a list of names\)"),
        (lambda plot: plot.read(plot.levels[0].boxes[0], [3]), r"^variable = 3 \(must be a string\)"),
        (lambda plot: plot.leaf_cells(3), r"^variables = 3 "),
        (lambda plot: plot.leaf_cells(np.array("density")), r"^variables = array\('density'.*\(must be a name, or a list of names\)"),
        (lambda plot: plot.covered(0, 0), r"^box = 0 "),
        (lambda plot: plot.covered("0", plot.levels[0].boxes[0]), r"^level = '0' \(must be a whole number\)"),
        (lambda plot: plot.index(0), r"^variable = 0 \(must be a string\)"),
        (lambda plot: plot.slice(["density"]), r"^variable = \['density'\] \(must be a string\)"),
        (lambda plot: plot.slice("density", at="mid"), r"^at = 'mid' \(must be a number\)"),
        (lambda plot: plot.slice("density", 2), r"^normal = 2 \(must be a string\)"),
        (lambda plot: plot.slice("density", most_cells=1.5), r"^most_cells = 1.5 \(must be a whole number\)"),
        (lambda plot: plot.projection("density", 2), r"^axis = 2 \(must be a string\)"),
        (lambda plot: plot.projection("density", most_cells="4"), r"^most_cells = '4' "),
        (lambda plot: plot.profile("density", "x", n_bins=2.5), r"^n_bins = 2.5 \(must be a whole number\)"),
        (lambda plot: plot.profile("density", np.array(["x", "y"])), r"^along = array.*\(must be a string\)"),
        (lambda plot: plot.profile("density", 0), r"^along = 0 \(must be a string\)"),
        (lambda plot: plot.profile("density", weight=1.0), r"^weight = 1.0 \(must be a string\)"),
        (lambda plot: plot.profile("density", centre="mid"), r"^centre = 'mid' \(must be a list of numbers\)"),
        (lambda plot: plot.profile("density", centre=["a", 0, 0]), r"^centre = .*\(must be a list of numbers\)"),
    ],
)
def test_arguments_of_another_type_are_refused_by_name(tmp_path, ask, problem):
    plot = write(tmp_path / "plt", 3)
    with pytest.raises(TypeError, match=problem):
        ask(plot)


@pytest.mark.parametrize("dimension", [1, 2, 3])
@pytest.mark.parametrize("normal", [None, 2, ["x"], np.array(["x", "y"])])
def test_planes_are_normal_to_an_axis_by_its_name(tmp_path, dimension, normal):
    with pytest.raises(TypeError, match=r"^normal = .*\(must be a string\)"):
        write(tmp_path / "plt", dimension).slice("density", normal)


def test_numbers_of_numpy_are_numbers(tmp_path):
    plot = write(tmp_path / "plt", 3)
    at = plot.slice("density", at=np.float32(0.75), most_cells=np.int64(4096)).values
    np.testing.assert_array_equal(at, plot.slice("density", at=0.75).values)
    assert len(plot.profile("density", "x", n_bins=np.int32(5)).mean) == 5


@pytest.mark.parametrize("n_bins", [0, -1, 1_000_001, 10**9, 10**30])
def test_profiles_have_one_bin_to_a_million(tmp_path, n_bins):
    plot = write(tmp_path / "plt", 2)
    with pytest.raises(ValueError, match=rf"^n_bins = {n_bins} .*at most 1,000,000"):
        plot.profile("density", "x", n_bins=n_bins)
    assert len(plot.profile("density", "x", n_bins=1_000_000).mean) == 1_000_000
