# SPDX-License-Identifier: MIT
"""Read what the ranks recorded from a trace file; libs/trace/src/wire.hpp says what is where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from thalweg.words import printable, regular

RECORD = 54_101  # the field of a Perfetto packet that holds a rank's record
VERSION = 1
TRACE = "trace.pftrace"  # in a folder of results
KINDS = ("task", "send", "recv", "idle")
TASK, SEND, RECV, IDLE = range(4)
LATEST = 2**61  # [ns], of either sign: what is later by any time is a number, too


@dataclass(frozen=True)
class Nodes:
    """The nodes of a graph as columns: name (into names), level, peer and bytes of a message."""

    model: str
    names: list[str]
    name: np.ndarray
    level: np.ndarray
    peer: np.ndarray
    bytes: np.ndarray


@dataclass(frozen=True)
class Track:
    """What one worker recorded, as columns (events,): kind (of KINDS), name (into the trace's names),
    step (or replay of a program without steps; 0 for idle times), start and end [ns], level, peer and
    bytes (of messages)."""

    rank: int
    worker: int
    kind: np.ndarray
    name: np.ndarray
    step: np.ndarray
    start: np.ndarray
    end: np.ndarray
    level: np.ndarray
    peer: np.ndarray
    bytes: np.ndarray

    def only(self, chosen: np.ndarray) -> Track:
        """Give the events that are chosen, (events,) of bool or indices."""
        columns = (self.kind, self.name, self.step, self.start, self.end, self.level, self.peer, self.bytes)
        return Track(self.rank, self.worker, *(column[chosen] for column in columns))


@dataclass(frozen=True)
class Trace:
    """A trace: model and names of tasks, the ranks' hosts, steps [first, last) or None, and tracks."""

    model: str
    names: list[str]
    n_ranks: int
    hosts: dict[int, str]
    steps: tuple[int, int] | None
    n_dropped: int
    tracks: list[Track]


def varints(data: bytes) -> np.ndarray:
    """Read numbers of seven bits a byte, the low ones first."""
    octets = np.frombuffer(data, np.uint8)
    if len(octets) == 0:
        return np.zeros(0, np.int64)
    ends = np.flatnonzero(octets < 0x80)
    if len(ends) == 0 or ends[-1] != len(octets) - 1:
        raise ValueError("a number is cut short")
    starts = np.concatenate([[0], ends[:-1] + 1])
    place = np.arange(len(octets)) - np.repeat(starts, ends - starts + 1)
    if place.max() > 9:
        raise ValueError("a number of more than 64 bits")
    parts = (octets & 0x7F).astype(np.uint64) << (7 * place).astype(np.uint64)
    return np.add.reduceat(parts, starts).astype(np.int64)


def unzigzag(values: np.ndarray) -> np.ndarray:
    """Give the signed numbers that were written as 0, -1, 1, -2, ..."""
    return (values >> 1) ^ -(values & 1)


def deltas(data: bytes) -> np.ndarray:
    return np.cumsum(unzigzag(varints(data)))


def fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Take a protobuf message apart: field numbers, each with its number or its bytes."""
    at = 0

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while data[at] >= 0x80:
            if shift >= 63:
                raise ValueError("a number of more than 64 bits")
            value |= (data[at] & 0x7F) << shift
            shift += 7
            at += 1
        value |= data[at] << shift
        at += 1
        return value

    while at < len(data):
        number, wire_type = divmod(varint(), 8)
        if wire_type == 0:
            yield number, varint()
            continue
        if wire_type not in (1, 2, 5):
            raise ValueError("no protobuf message")
        size = varint() if wire_type == 2 else 8 if wire_type == 1 else 4
        if at + size > len(data):
            raise ValueError("the message is cut short")
        yield number, data[at : at + size]
        at += size


def _numbers(message: bytes) -> dict[int, int]:
    """Give the fields of a message that are numbers, the last of each."""
    return {number: value for number, value in fields(message) if isinstance(value, int)}


def _bytes_of(parts: dict[int, int | bytes], number: int) -> bytes:
    value = parts.get(number, b"")
    if isinstance(value, int):
        raise ValueError(f"field {number} is a number")
    return value


def _check_within(values: np.ndarray, n: int, what: str) -> None:
    if values.size and not (0 <= values.min() and values.max() < n):
        raise ValueError(what)


def _nodes(graph: bytes) -> Nodes:
    parts = list(fields(graph))
    last = dict(parts)
    names = [printable(value.decode()) for number, value in parts if number == 3 and isinstance(value, bytes)]
    name = varints(_bytes_of(last, 4))
    columns = [unzigzag(varints(_bytes_of(last, 6))), varints(_bytes_of(last, 8)), varints(_bytes_of(last, 10))]
    if any(len(c) not in (0, len(name)) for c in columns):
        raise ValueError("columns of nodes differ in length")
    # A column that is left out is one of nothing.
    level, peer, n_bytes = (c if len(c) else np.zeros(len(name), np.int64) for c in columns)
    _check_within(name, len(names), "a node without a name")
    _check_within(n_bytes, LATEST, "a message of a size that cannot be")
    return Nodes(printable(_bytes_of(last, 1).decode()), names, name, level, peer, n_bytes)


def _track(rank: int, worker: int, data: bytes, graphs: list[Nodes], runs: np.ndarray, names: dict[str, int]) -> Track:
    """Make the columns of a worker's events. runs: graph and first step of each run, (runs, 2)."""
    parts = dict(fields(data))
    kind, run, node = (varints(_bytes_of(parts, c)) for c in (1, 2, 3))
    replay, start = deltas(_bytes_of(parts, 4)), deltas(_bytes_of(parts, 5))
    duration = varints(_bytes_of(parts, 6))
    if len({len(column) for column in (kind, run, node, replay, start, duration)}) != 1:
        raise ValueError("columns of events differ in length")
    _check_within(kind, len(KINDS), "an event of an unknown kind")
    _check_within(run, len(runs), "an event of a run that is not there")
    _check_within(start + LATEST, 2 * LATEST, "an event at a time that cannot be")
    _check_within(duration, LATEST, "an event that ends before it begins")
    name, level, peer, n_bytes = (np.zeros(len(kind), np.int64) for _ in range(4))
    step = np.zeros(len(kind), np.int64)
    is_node = kind != IDLE
    graph = runs[run, 0]
    for n, nodes in enumerate(graphs):
        mine = is_node & (graph == n)
        _check_within(node[mine], len(nodes.name), "an event of a node that is not there")
        places = np.array([names.setdefault(word, len(names)) for word in nodes.names], np.int64)
        name[mine] = places[nodes.name[node[mine]]]
        level[mine], peer[mine] = nodes.level[node[mine]], nodes.peer[node[mine]]
        n_bytes[mine] = nodes.bytes[node[mine]]
    step[is_node] = runs[run[is_node], 1] + replay[is_node]
    _check_within(step, 2**32, "an event of a step that cannot be")
    return Track(rank, worker, kind, name, step, start, start + duration, level, peer, n_bytes)


def _record(record: bytes, names: dict[str, int]) -> Trace:
    """Read one rank's record; names grows by its tasks' names."""
    parts, numbers = list(fields(record)), _numbers(record)
    if numbers.get(1) != VERSION:
        raise ValueError(f"version {numbers.get(1)} of the format (this reads {VERSION})")
    rank, n_ranks = numbers.get(2, 0), numbers.get(3, 1)
    if rank >= n_ranks:
        raise ValueError("a rank beyond the number of ranks")
    of = {n: [value for number, value in parts if number == n and isinstance(value, bytes)] for n in (4, 8, 9, 10)}
    graphs = [_nodes(value) for value in of[8]]
    runs = [_numbers(value) for value in of[9]]
    table = np.array([[min(run.get(n, 0), LATEST) for n in (2, 5)] for run in runs], np.int64).reshape(-1, 2)
    _check_within(table[:, 0], len(graphs), "a run of a graph that is not there")
    tracks = [_track(rank, n, value, graphs, table, names) for n, value in enumerate(of[10])]
    steps = (numbers.get(5, 0), numbers[6]) if 6 in numbers else None
    host = printable(of[4][0].decode()) if of[4] else ""
    model = graphs[0].model if graphs else ""
    return Trace(model, [], n_ranks, {rank: host}, steps, numbers.get(7, 0), tracks)


def read_trace(path: str | Path) -> Trace:
    """Read what all ranks recorded. Raises ValueError, with the file, where it is no trace or damaged."""
    names: dict[str, int] = {}
    records: list[Trace] = []
    content = regular(Path(path)).read_bytes()
    try:
        for number, packet in fields(content):
            if number != 1 or isinstance(packet, int):
                raise ValueError("no packets")
            # Packets of events come before, and are not looked into.
            if len(packet) > 4 and _record_begins(packet):
                for field, value in fields(packet):
                    if field == RECORD and isinstance(value, bytes):
                        records.append(_record(value, names))
        if not records:
            raise ValueError("it holds no record of a rank")
        if len(ranks := [rank for record in records for rank in record.hosts]) > len(set(ranks)):
            raise ValueError("it holds a rank twice: files of two runs were put together")
    except (ValueError, IndexError) as error:
        raise ValueError(f"{path} is no trace of Thalweg, or is damaged ({error})") from None
    records.sort(key=lambda record: min(record.hosts))
    tracks = [track for record in records for track in record.tracks]
    hosts = {rank: host for record in records for rank, host in record.hosts.items()}
    first, n_dropped = records[0], sum(record.n_dropped for record in records)
    return Trace(first.model, list(names), first.n_ranks, hosts, first.steps, n_dropped, tracks)


def trace_in(path: str | Path) -> Path:
    """Give the trace itself, or that of a folder of results. Raises FileNotFoundError where the folder has none."""
    path = Path(path)
    trace = path / TRACE if path.is_dir() else path
    if path.is_dir() and not trace.exists():
        raise FileNotFoundError(f"{path} holds no {TRACE} (runs that trace write it); run with trace.steps=[10,12], say")
    return trace


def _record_begins(packet: bytes) -> bool:
    """Whether a packet holds a record: its key is in the first bytes, behind the sequence's."""
    key = RECORD << 3 | 2
    return bytes([key & 0x7F | 0x80, key >> 7 & 0x7F | 0x80, key >> 14]) in packet[:16]
