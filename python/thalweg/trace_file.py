# SPDX-License-Identifier: MIT
"""Read what the ranks recorded from a trace file; libs/trace/src/wire.hpp says what is where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

RECORD = 54_101  # the field of a Perfetto packet that holds a rank's record
VERSION = 1
KINDS = ["task", "send", "recv", "idle"]


@dataclass(frozen=True)
class Event:
    """Something that took time on a worker; times in nanoseconds."""

    rank: int
    worker: int
    kind: str
    name: str
    step: int  # the step, or the replay of a program without steps; 0 for idle times
    start: int
    end: int


def varints(data: bytes) -> Iterator[int]:
    value = shift = 0
    for byte in data:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            yield value
            value = shift = 0


def unzigzag(value: int) -> int:
    return (value >> 1) ^ -(value & 1)


def fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Take a protobuf message apart: field numbers, each with its number or its bytes."""
    at = 0

    def varint() -> int:
        nonlocal at
        start = at
        while data[at] >= 0x80:
            at += 1
        at += 1
        return next(varints(data[start:at]))

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


def deltas(data: bytes) -> list[int]:
    return list(accumulate(unzigzag(value) for value in varints(data)))


def graph_names(graph: bytes) -> list[str]:
    """The name of each node."""
    names: list[str] = []
    of_node: list[int] = []
    for number, value in fields(graph):
        if number == 3:
            names.append(value.decode())
        elif number == 4:
            of_node = list(varints(value))
    return [names[i] for i in of_node]


def record_events(record: bytes) -> Iterator[Event]:
    """The events of one rank."""
    parts = list(fields(record))
    numbers = {number: value for number, value in parts if isinstance(value, int)}
    if numbers.get(1) != VERSION:
        raise ValueError(f"version {numbers.get(1)} of the format (this reads {VERSION})")
    names = [graph_names(value) for number, value in parts if number == 8]
    runs = [dict(fields(value)) for number, value in parts if number == 9]
    workers = [dict(fields(value)) for number, value in parts if number == 10]
    for worker, columns in enumerate(workers):
        kind, run, node = (list(varints(columns.get(c, b""))) for c in (1, 2, 3))
        replay, start = deltas(columns.get(4, b"")), deltas(columns.get(5, b""))
        duration = list(varints(columns.get(6, b"")))
        for i in range(len(kind)):
            is_idle = KINDS[kind[i]] == "idle"
            yield Event(
                rank=numbers[2],
                worker=worker,
                kind=KINDS[kind[i]],
                name="idle" if is_idle else names[runs[run[i]].get(2, 0)][node[i]],
                step=0 if is_idle else runs[run[i]].get(5, 0) + replay[i],
                start=start[i],
                end=start[i] + duration[i],
            )


def read_trace(path: str | Path) -> list[Event]:
    """Read the events of all ranks of a trace file."""
    events: list[Event] = []
    try:
        for number, packet in fields(Path(path).read_bytes()):
            if number != 1 or isinstance(packet, int):
                raise ValueError("no packets")
            # Packets of events come before, and are not looked into.
            if len(packet) > 4 and record_begins(packet):
                for field, value in fields(packet):
                    if field == RECORD:
                        events += record_events(value)
    except (ValueError, IndexError) as error:
        raise ValueError(f"{path} is no trace of Thalweg, or is damaged ({error})") from None
    return events


def record_begins(packet: bytes) -> bool:
    """Whether a packet holds a record: its key is in the first bytes, behind the sequence's."""
    key = bytes([(RECORD << 3 | 2) & 0x7F | 0x80, (RECORD << 3 | 2) >> 7 & 0x7F | 0x80,
                 (RECORD << 3 | 2) >> 14])
    return key in packet[:16]
