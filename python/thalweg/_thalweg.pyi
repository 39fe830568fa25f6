"""The compiled part of thalweg."""

from collections.abc import Callable, Sequence
from typing import Annotated, Literal

import numpy
from numpy.typing import NDArray


class Process:
    """This process as a rank; starts MPI."""

    def __init__(self) -> None: ...

    @property
    def rank(self) -> int: ...

    @property
    def n_ranks(self) -> int: ...

    def abort(self, message: str) -> None:
        """End all ranks."""

    def end(self) -> None:
        """End MPI, when all ranks have come here."""

    def leave(self) -> None:
        """
        Do not end MPI: in a child of fork, or beside a thread that still uses it.
        """

class LocalBlock:
    """Where a block of this rank lies."""

    @property
    def lower(self) -> list[int]:
        """Its first cell on its level, by axis."""

    @property
    def extent(self) -> list[int]:
        """Cells along each axis."""

    @property
    def n_ghosts(self) -> int:
        """Cells on each side of it beside these."""

class LocalLevel:
    """The blocks of a level on this rank."""

    @property
    def cell_size(self) -> list[float]:
        """By axis [length]."""

    @property
    def blocks(self) -> list[LocalBlock]: ...

class LocalBlocks:
    """All blocks of this rank."""

    @property
    def revision(self) -> int:
        """Another one after the next change of the mesh."""

    @property
    def lower(self) -> list[float]:
        """Corner of the domain, by axis [length]."""

    @property
    def upper(self) -> list[float]:
        """The opposite corner [length]."""

    @property
    def levels(self) -> list[LocalLevel]: ...

class BlockCells:
    """Cells of a block, lent to a function."""

    @property
    def fields(self) -> list[str]: ...

    @property
    def level(self) -> int: ...

    @property
    def time(self) -> float:
        """[time]"""

    @property
    def n_ghosts(self) -> int:
        """Cells on each side beside those it is about."""

    @property
    def centres(self) -> list[list[float]]:
        """Of all cells, by axis [length]."""

    @property
    def cell_size(self) -> list[float]:
        """By axis [length]."""

    def array(self, component: int) -> NDArray[numpy.float64]: ...

    @property
    def derived_fields(self) -> list[str]: ...

    def derived(self, number: int) -> Annotated[NDArray[numpy.float64], dict(writable=False)]: ...

class Run:
    """A run of a deck, begun when it is first used."""

    def __init__(self, *, deck: str, text: str | None, overrides: Sequence[str], model: str | None, threads: int | None, folder: str | None, restart: str | None, force: bool, log: bool, communicator: int | None, words: str) -> None: ...

    @property
    def rank(self) -> int: ...

    @property
    def n_ranks(self) -> int: ...

    @property
    def time(self) -> float: ...

    @property
    def dt(self) -> float: ...

    @property
    def n_steps(self) -> int: ...

    @property
    def is_over(self) -> bool: ...

    @property
    def fields(self) -> list[str]: ...

    @property
    def derived_fields(self) -> list[str]: ...

    @property
    def derived_groups(self) -> list[str]: ...

    @property
    def deck(self) -> str: ...

    @property
    def has_memory(self) -> bool: ...

    def totals(self) -> list[tuple[str, float]]: ...

    def set_initial(self, f: Callable[[BlockCells], object]) -> None: ...

    def set_tags(self, f: Callable[[BlockCells], bytes]) -> None: ...

    def set_source(self, f: Callable[[BlockCells, float], object]) -> None: ...

    def set_longest_dt(self, f: Callable[[BlockCells], float]) -> None: ...

    def every(self, n_steps: int, f: Callable[[], object]) -> None: ...

    def advance(self, *, step: int | None = None, time: float | None = None) -> Literal['finished', 'stopped', 'paused']: ...

    def set_interrupted(self, is_interrupted: bool) -> None: ...

    def write_plotfile(self, path: str, force: bool, fields: Sequence[str] | None, derived: Sequence[str] | None) -> None: ...

    def write_checkpoint(self) -> str: ...

    def blocks(self) -> LocalBlocks: ...

    def array(self, block: LocalBlock, revision: int, component: int, with_ghosts: bool) -> Annotated[NDArray[numpy.float64], dict(writable=False)]: ...

    def close(self) -> None: ...

    def keep_for_good(self) -> None: ...

class TaskGraph:
    """Tasks and what orders them."""

    def __init__(self) -> None: ...

    def add(self, name: str, accesses: Sequence[tuple[int, str]], after: Sequence[int]) -> int:
        """Record a task; gives its number."""

    def run(self, functions: list[Callable[[], object]], n_times: int, n_workers: int, model: str) -> None:
        """Run all tasks so many times."""

def run(name: str, words: Sequence[str], *, log: bool, communicator: int | None) -> dict[str, bool | int | float | str | list[float]]:
    """Run an application that has words of its own."""
