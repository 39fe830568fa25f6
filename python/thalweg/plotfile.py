# SPDX-License-Identifier: MIT
"""Plotfiles in AMReX's format, ours, AMReX's own or Castro's: tables at once, numbers box by box."""

from __future__ import annotations

import os
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, SupportsFloat, SupportsIndex

import numpy as np
import numpy.typing as npt

from thalweg import arguments as given
from thalweg.fab import box_bounds, box_text, check_records, read_record
from thalweg.geometry import COORDINATES, volumes
from thalweg.images import Image, project, take_slice
from thalweg.profiles import Profile, take_profile
from thalweg.overlap import Boxes, Row, do_overlap, outside_of
from thalweg.words import Lines, Malformed, UnknownName, count, printable, regular

STEP = re.compile("[0-9]{5,}")  # at the end of a plotfile's name, as the program takes it
FUNCTIONS = re.compile("# with functions of whole blocks beside this deck: (.*)")  # the first line of a deck
MOST_LEVELS = 63  # that checkpoints allow
DAMAGED = "the plotfile is damaged: copy it anew, or let its program write it again"
A_PLOTFILE = "a folder called plt and its step, of five digits or more, with a Header"


@dataclass(frozen=True, eq=False)
class Box:
    """One box of cells: indices lo <= i < hi on its level, each of shape (dimension,). A box is equal to itself alone."""

    lo: np.ndarray
    hi: np.ndarray
    file: Path
    offset: int  # of its record [bytes]

    @property
    def shape(self) -> tuple[int, ...]:
        """Cells along x, y, z, as far as there are axes."""
        return tuple(int(n) for n in self.hi - self.lo)


@dataclass(frozen=True, eq=False)
class Level:
    """One level: its index domain [lo, hi), the edges of a cell [length], and its boxes."""

    domain_lo: np.ndarray
    domain_hi: np.ndarray
    cell_size: np.ndarray
    boxes: list[Box]


@dataclass(frozen=True, eq=False)
class LeafCells:
    """Cells that no finer cell covers, flattened; every point of the domain is in one of them, but for where level 0 has no box.

    level (cells,); centre and size (cells, dimension) [length]; values (variables, cells), in the
    units of the file; coordinates: what the axes are, of geometry.COORDINATES.
    """

    level: np.ndarray
    centre: np.ndarray
    size: np.ndarray
    values: np.ndarray
    coordinates: str = "cartesian"

    @property
    def volume(self) -> np.ndarray:
        """The volume of each cell, (cells,) [length^dimension]; around the axis, of its ring."""
        return volumes(self.coordinates, self.centre, self.size)


class Plotfile:
    """A plotfile. Its tables are read when it is opened, numbers when they are asked for, wherever the program is then.

    path: its folder, which the Header in it may stand for; variables: their names; dimension: 1, 2 or 3; time
    and step; lower and upper: corners of the domain, (dimension,) [length]; ratios: of refinement, one for each
    level but the last; levels; coordinates: of geometry.COORDINATES. Raises OSError where a file is missing and
    ValueError, with the file, where its text is not as it should be. All raise TypeError for arguments of
    another type. What is read after another run has put a plotfile in its place raises ValueError.
    """

    def __init__(self, path: str | Path):
        self.path = _no_checkpoint(folder_of(path))
        self._folder = self.path.absolute()
        self._opened = identity(self._folder)
        with Lines(self.path / "Header") as lines:
            tables = self._read_header(lines)
        for number, (level, (table, n_boxes)) in enumerate(zip(self.levels, tables, strict=True)):
            level.boxes.extend(_read_boxes(table, level, number, n_boxes))
        for number, (table, _) in enumerate(tables[1:], 1):
            self._check_nested(table, number)

    def __repr__(self) -> str:
        boxes = ", ".join(str(len(level.boxes)) for level in self.levels)
        return (
            f"Plotfile('{self.path}': step {self.step}, time {self.time:g}, {self.dimension}-D, "
            f"boxes of each level {boxes}; {', '.join(self.variables)})"
        )

    @property
    def fields(self) -> list[str]:
        """Names of the variables, under the name that a Simulation has for its own; a copy."""
        return list(self.variables)

    def _read_header(self, lines: Lines) -> list[tuple[Path, int]]:
        """Read all but the tables of boxes. Gives where these are, a file a level, and how many boxes each has."""
        magic = lines.next()
        if magic not in ("HyperCLaw-V1.1", "NavierStokes-V1.1"):
            raise Malformed(f"the file begins with '{printable(magic, 40)}': not a plotfile")
        self.variables = [_name(lines.next().strip()) for _ in range(count(lines.next()))]
        self.dimension = count(lines.next())
        if not self.variables or self.dimension not in (1, 2, 3):
            raise Malformed(f"{len(self.variables)} variables in {self.dimension} dimensions (a plotfile has one or more, in 1, 2 or 3); {DAMAGED}")
        (time,) = _numbers(lines.next())
        self.time = float(time)
        n_levels = count(lines.next()) + 1
        if n_levels > MOST_LEVELS:
            raise Malformed(f"{n_levels} levels (at most {MOST_LEVELS} are read); {DAMAGED}")
        self.lower, self.upper = _numbers(lines.next()), _numbers(lines.next())
        if not (np.isfinite(self.upper - self.lower) & (self.upper > self.lower)).all():
            raise Malformed(f"a domain from {_row(self.lower)} to {_row(self.upper)} (its upper corner must be above the lower one)")
        self.ratios = [count(word) for word in lines.next().split()][: n_levels - 1]
        domains = [box_bounds(text) for text in re.findall(r"\(\(.*?\)\)", lines.next())]
        for n, (ratio, coarse, fine) in enumerate(zip(self.ratios, domains[:-1], domains[1:], strict=True), start=1):
            if ratio < 1 or any((b != ratio * a).any() for a, b in zip(coarse, fine, strict=True)):
                raise Malformed(f"a domain of level {n} that is not {ratio} times as fine as that of level {n - 1}, along each axis, as its ratio says")
        self.step = count(lines.next().split()[0])
        sizes = [self._read_cell_size(lines, hi - lo) for lo, hi in domains]
        self.coordinates = COORDINATES[count(lines.next())]
        lines.next()  # boundary width
        self.levels: list[Level] = []
        tables = []
        for (lo, hi), size in zip(domains, sizes, strict=True):
            n_boxes = count(lines.next().split()[1])
            for _ in range(1 + n_boxes * self.dimension):
                lines.next()
            tables.append((self.path / (_path(lines.next().strip()) + "_H"), n_boxes))
            self.levels.append(Level(lo, hi, size, []))
        if len(self.levels) != n_levels or len(self.ratios) != n_levels - 1 or not self._has_axes():
            raise Malformed("numbers of levels or axes that do not go together")
        return tables

    def _read_cell_size(self, lines: Lines, n_cells: np.ndarray) -> np.ndarray:
        """Read the edges of a cell of a level. Raises Malformed where so many of them are not as long as the domain."""
        size, extent = _numbers(lines.next()), self.upper - self.lower
        if not (np.abs(size * n_cells - extent) <= 1e-6 * extent).all():
            raise Malformed(f"cells of {_row(size)} (there are {_row(n_cells)} of them in a domain of {_row(extent)})")
        return size

    def _check_nested(self, table: Path, number: int) -> None:
        """Check that boxes of a level lie over whole cells of the next coarser one, in boxes of it: sums over leaf cells would be wrong."""
        ratio, covered, fine = self.ratios[number - 1], self._footprints[number - 1], _bounds_of(self.levels[number])
        if any((side * ratio != bounds).any() for side, bounds in zip(covered, fine, strict=True)):
            raise ValueError(f"{table}: boxes of level {number} end inside of cells of level {number - 1} (finer boxes lie over whole ones); {DAMAGED}")
        if place := outside_of(covered, _bounds_of(self.levels[number - 1])):
            raise ValueError(f"{table}: boxes of level {number} lie over cells {box_text(*place)} of level {number - 1}, which no box there has (a level lies within the next coarser one); {DAMAGED}")

    def _has_axes(self) -> bool:
        """Whether corners, domains and cells have as many axes as the plotfile."""
        of_levels = [part for level in self.levels for part in (level.domain_lo, level.domain_hi, level.cell_size)]
        return all(len(part) == self.dimension for part in (self.lower, self.upper, *of_levels))

    @property
    def default_variable(self) -> str:
        """What pictures show where no variable is named: the density, or else the first one."""
        names = self.names_of_one() or self.variables
        return "density" if "density" in names else names[0]

    def names_of_one(self) -> list[str]:
        """Give the names that one variable has: two of one name can only be read by their places."""
        return [name for name, n in Counter(self.variables).items() if n == 1]

    def index(self, variable: str) -> int:
        """Give the position of a variable. Raises KeyError, with those there are, and ValueError where several have the name."""
        if given.text("variable", variable) not in self.variables:
            raise UnknownName(f"'{variable}' is not in {self.path} ({', '.join(self.variables)}); give one of these")
        if (n_named := self.variables.count(variable)) > 1:
            raise ValueError(f"{n_named} variables of {self.path} are called '{variable}' (the name does not say which); in Python, read(box) gives all, in the order of variables")
        return self.variables.index(variable)

    def _check_not_replaced(self) -> None:
        """Raise ValueError where the tables are no more those of the files: numbers would be of another run than time and boxes."""
        if identity(self._folder) != self._opened:
            raise ValueError(f"{self.path} has been replaced or removed since it was opened (its numbers are not those of its tables); open it again")

    def read(self, box: Box, variables: str | Iterable[str] | None = None) -> npt.NDArray[np.float64]:
        """Read variables, by default all, of a box: (variables, nx[, ny[, nz]]), in the units of the file, without ghost cells.

        One name is a list of one. Raises KeyError, with those there are, where there is no such variable, and ValueError where
        several have the name.
        """
        return self._read(_box(box), self._places(variables))

    def _read(self, box: Box, places: list[int]) -> npt.NDArray[np.float64]:
        try:
            return read_record(box.file, box.offset, box.lo, box.hi, places)
        finally:
            self._check_not_replaced()  # also while it was read

    def check(self) -> None:
        """Check that the deck and the numbers of all boxes can be read, without reading these. Raises OSError or ValueError, with the file."""
        self.deck()
        for level in self.levels:
            of_file = defaultdict(list)
            for box in level.boxes:
                of_file[box.file].append((box.offset, box.lo, box.hi))
            for path, records in of_file.items():
                check_records(path, records, len(self.variables))

    def _places(self, variables: str | Iterable[str] | None) -> list[int]:
        """Give the positions of variables, by default of all, whatever these are called."""
        if variables is None:
            return list(range(len(self.variables)))
        names = [variables] if isinstance(variables, str) else given.listed("variables", variables, "a name, or a list of names")
        return [self.index(name) for name in names]

    def covered(self, level: int, box: Box) -> np.ndarray:
        """Tell which cells of a box of a level lie under finer ones, (nx[, ny[, nz]]). Raises IndexError for another level."""
        level, box = self._number(level), _box(box)
        mask = np.zeros(box.shape, dtype=bool)
        if level + 1 < len(self.levels):
            finer = self._finer[level]
            near = finer.near(box.lo, box.hi)
            lo, hi = finer.lo[near], finer.hi[near]
            for k in np.flatnonzero(np.all((lo < box.hi) & (hi > box.lo), axis=1)):
                start = np.maximum(lo[k], box.lo) - box.lo
                stop = np.minimum(hi[k], box.hi) - box.lo
                mask[tuple(slice(a, b) for a, b in zip(start, stop, strict=True))] = True
        return mask

    def _number(self, level: int) -> int:
        """Give the number of a level that there is."""
        number = given.whole("level", level)
        if not 0 <= number < len(self.levels):
            raise IndexError(f"level = {given.shown(level)} (there are levels 0 to {len(self.levels) - 1}); give one of these")
        return number

    @cached_property
    def _footprints(self) -> list[Boxes]:
        """For each level but the last, the bounds of the next one's boxes in its own indices."""
        bounds = map(_bounds_of, self.levels[1:])
        return [(lo // ratio, hi // ratio) for ratio, (lo, hi) in zip(self.ratios, bounds, strict=True)]

    @cached_property
    def _finer(self) -> list[Row]:
        """The footprints, sorted: each box is compared with few of them."""
        return [Row(boxes) for boxes in self._footprints]

    def leaf_boxes(self) -> Iterator[tuple[int, Box, np.ndarray]]:
        """Go over boxes that have leaf cells: level, box, and which cells are leaves (nx[, ny[, nz]])."""
        for number, level in enumerate(self.levels):
            for box in level.boxes:
                leaf = ~self.covered(number, box)
                if leaf.any():
                    yield number, box, leaf

    def centres(self, level: int, box: Box, chosen: np.ndarray) -> np.ndarray:
        """Give the centres of the cells of a box that are chosen, (cells, dimension) [length].

        chosen: a bool for each cell. Raises IndexError for a level that is not there, and ValueError for another shape.
        """
        level, box, chosen = self._number(level), _box(box), np.asarray(chosen)
        if chosen.shape != box.shape:
            raise ValueError(f"chosen of shape {chosen.shape} (the box has {box.shape} cells); give a bool for each")
        cells = np.argwhere(chosen) + box.lo - self.levels[level].domain_lo
        return np.asarray(self.lower + (cells + 0.5) * self.levels[level].cell_size)

    def leaf_cells(self, variables: str | Iterable[str] | None = None) -> LeafCells:
        """Read variables, by default all, of all cells that carry the solution; names as in read."""
        places = self._places(variables)
        parts = []
        for number, box, leaf in self.leaf_boxes():
            centre = self.centres(number, box, leaf)
            size = np.broadcast_to(self.levels[number].cell_size, centre.shape)
            values = self._read(box, places)[:, leaf]
            parts.append((np.full(len(centre), number), centre, size, values))
        level, centres, sizes, values_of = zip(*parts, strict=True)
        return LeafCells(
            np.concatenate(level),
            np.concatenate(centres),
            np.concatenate(sizes),
            np.ascontiguousarray(np.concatenate(values_of, axis=1)),  # sums over cells in another order lose digits
            self.coordinates,
        )

    def slice(
        self,
        variable: str,
        normal: str = "z",
        at: SupportsFloat | None = None,
        most_cells: SupportsIndex = 4096,
        window: given.Numbers | None = None,
    ) -> Image:
        """Cut a plane through a 3-D plotfile, or take all of a 2-D one, in the finest cells there are.

        normal: the axis across the plane; at: where it is cut [length], by default in the middle of the
        domain, but at its low side where that alone of the two reflects, as the deck beside it says: the
        domain is then half of a whole. Values are those of the cells, not
        interpolated. window: left, right, bottom and top of the part of the plane that is wanted [length], by
        default all; the image has the cells that reach into it. They are those of the finest level that has at most
        most_cells of them along an axis, or else those of level 0. Its second axis is "v" for phase space. Raises
        ValueError for a plane or a window outside the domain and for a 1-D plotfile.
        """
        return take_slice(self, variable, normal, at, most_cells, window)

    def projection(self, variable: str, axis: str = "z", most_cells: SupportsIndex = 4096) -> Image:
        """Integrate a variable of a 3-D plotfile along an axis, [its unit x length].

        An image of density holds mass per area: its sum times the area of a cell is the mass, whatever
        most_cells is. It is NaN where there is no cell along the axis.
        """
        return project(self, variable, axis, most_cells)

    def profile(
        self,
        variable: str,
        along: str = "radius",
        centre: SupportsFloat | given.Numbers | None = None,
        n_bins: SupportsIndex = 64,
        weight: str | None = None,
    ) -> Profile:
        """Average a variable over layers normal to an axis ("x", "y", "z") or shells ("radius").

        A leaf cell counts by its volume, times the variable weight where one is named: along an axis in each
        bin that it reaches into, by the part of its volume that does, and of shells in that of its centre.
        centre: of the shells, by default that of the domain, in r-z and spherical coordinates at r = 0; in one
        dimension a number does. Raises ValueError for a weight that has both signs, and for a centre beside r = 0.
        """
        return take_profile(self, variable, along, centre, n_bins, weight)

    def deck(self) -> dict[str, Any]:
        """Read the resolved deck stored beside Header, its sections by name; empty if there is none.

        Raises ValueError, with the file, where it is no deck.
        """
        path, text = self._folder / "deck.toml", self._deck_text()
        try:
            sections = tomllib.loads(text)
        except RecursionError:
            raise ValueError(f"{path} is no deck (it is nested too deeply)") from None
        except ValueError as problem:
            raise ValueError(f"{path} is no deck ({problem})") from None
        if others := [name for name, section in sections.items() if not isinstance(section, dict)]:
            raise ValueError(f"{path} is no deck ({printable(others[0], 60)} is no section)")
        return sections

    def functions(self) -> list[str]:
        """Name the functions of whole blocks that its run had beside the deck: initial, tags, source, longest_dt, as @sim.initial gives one."""
        found = FUNCTIONS.match(self._deck_text())
        return found[1].split(", ") if found else []

    def _deck_text(self) -> str:
        path = self._folder / "deck.toml"
        try:
            return regular(path).read_text(encoding="utf-8") if path.exists() else ""
        except UnicodeDecodeError:
            raise ValueError(f"{path} is no deck (it is no text)") from None
        finally:
            self._check_not_replaced()  # also while it was read


def _bounds_of(level: Level) -> Boxes:
    return np.array([box.lo for box in level.boxes]), np.array([box.hi for box in level.boxes])


def _row(numbers: np.ndarray) -> str:
    return " ".join(f"{number:g}" for number in numbers)


def _box(box: Any) -> Box:
    if not isinstance(box, Box):
        raise given.wrong("box", box, "a box of a level: plot.levels[0].boxes[0], say")
    return box


def identity(folder: Path) -> tuple[int, int] | None:
    """Tell the Header of a plotfile from one that is written in its place; None where there is none."""
    try:
        header = os.stat(folder / "Header")
    except OSError:
        return None
    return header.st_mtime_ns, header.st_size


def folder_of(path: str | Path) -> Path:
    """Give the path of a plotfile by that of its Header, which other programs open; any other path as it is."""
    found = Path(given.path("path", path))
    return found.parent if found.name == "Header" and found.is_file() else found


def _no_checkpoint(path: Path) -> Path:
    """Give the path of what is to be read as a plotfile. Raises ValueError for a checkpoint."""
    manifest = path / "manifest"
    if manifest.is_file() and manifest.read_bytes().startswith(b"thalweg checkpoint"):
        raise ValueError(f"'{path}' is a checkpoint (a run goes on from it, and it cannot be read as a plotfile); name a plotfile, plt*")
    return path


def check_run(path: Path) -> None:
    """Check that a path is a folder that a run may write to. Raises ValueError for a plotfile or a checkpoint."""
    folder = folder_of(path)
    if (folder / "Header").exists():
        of_run = Path(os.path.normpath(folder / ".."))
        raise ValueError(f"'{folder}' is a plotfile (of a run, all that it wrote is looked at); name the folder of its run, '{of_run}'")
    if not _no_checkpoint(folder).is_dir():
        raise FileNotFoundError(f"there is no folder '{folder}' (a run writes to one); name the folder of a run")


def plotfiles_in(folder: str | Path, called: str = "plt") -> list[Path]:
    """Give the whole plotfiles of a folder of results whose names are this and a step, by step: "slice_z1_" those of a plane."""
    found = [header.parent for header in Path(folder).glob(f"{called}*/Header")]
    # What is being written, removed or kept by somebody has another name.
    whole = [path for path in found if STEP.fullmatch(path.name.removeprefix(called))]
    return sorted(whole, key=lambda path: (len(path.name), path.name))


def last_plotfile(path: str | Path) -> Path:
    """Give the plotfile itself, or the one with the most steps in a folder of results."""
    path = _no_checkpoint(folder_of(path))
    if (path / "Header").exists():
        return path
    found = plotfiles_in(path)
    if not found:
        raise FileNotFoundError(f"{path} is no plotfile and holds none ({A_PLOTFILE})")
    return found[-1]


def _read_boxes(table: Path, level: Level, number: int, n_of_header: int) -> list[Box]:
    """Read the table of a level: where each box is. Ghost cells of the records are left out later."""
    with Lines(table) as lines:
        version, _, _, _ = (lines.next() for _ in range(4))
        if version != "1":
            raise Malformed(
                f"version {printable(version, 40)} (version 1 is read); write with vismf.headerversion = 1"
            )
        n_boxes = count(lines.next().strip("( ").split()[0])
        if n_boxes != n_of_header or n_boxes == 0:
            raise Malformed(f"{n_boxes} boxes of level {number} (the Header has {n_of_header}, and no level is without any); {DAMAGED}")
        bounds = [_bounds_in(level, lines.next()) for _ in range(n_boxes)]
        _check_disjoint(number, bounds)
        lines.next()  # ")"
        if (n_places := count(lines.next())) != n_boxes:
            raise Malformed(f"{n_places} places of {n_boxes} boxes; {DAMAGED}")
        places = [_place(lines.next()) for _ in range(n_boxes)]
    return [
        Box(lo, hi, table.parent.absolute() / file, offset)
        for (lo, hi), (file, offset) in zip(bounds, places, strict=True)
    ]


def _bounds_in(level: Level, line: str) -> tuple[np.ndarray, np.ndarray]:
    """Read the bounds of a box of a level."""
    lo, hi = box_bounds(line)
    if len(lo) != len(level.domain_lo) or (lo < level.domain_lo).any() or (hi > level.domain_hi).any() or (hi <= lo).any():
        raise Malformed(f"the box {printable(line, 60)} has no cells, or some outside the domain")
    return lo, hi


def _check_disjoint(number: int, bounds: list[tuple[np.ndarray, np.ndarray]]) -> None:
    """Check that no cell of a level is in two boxes: sums over cells would be wrong."""
    lo, hi = (np.array(side) for side in zip(*bounds, strict=True))
    if do_overlap(lo, hi):
        raise Malformed(f"boxes of level {number} overlap (a cell is in one box alone); {DAMAGED}")


def _name(text: str) -> str:
    """Take the name of a variable."""
    if not text.isprintable() or not text:
        raise Malformed(f"'{printable(text, 60)}' is no name of a variable")
    return text


def _numbers(line: str) -> np.ndarray:
    """Take numbers with blanks between them. Raises ValueError where there are others, or what Python alone takes for one."""
    if "_" in line:
        raise ValueError("a number with '_' in it")
    return np.array(line.split(), dtype=float)


def _path(text: str) -> str:
    """Take the path of a file, below the plotfile."""
    if not text.isprintable() or not text or text.startswith("/") or ".." in text.split("/"):
        raise Malformed(f"'{printable(text, 60)}' is no path of a file in the plotfile")
    return text


def _place(line: str) -> tuple[str, int]:
    """Take "FabOnDisk: FILE OFFSET" apart."""
    words = line.split()
    if len(words) != 3 or words[0] != "FabOnDisk:":
        raise Malformed(f"'{printable(line, 60)}' is no place of a box (expected 'FabOnDisk: FILE OFFSET')")
    return _path(words[1]), count(words[2])
