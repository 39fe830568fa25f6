#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run a traced program, and see every event come back from each format, read by others' readers.

Usage: formats.py {perfetto,otf2} --program thalweg --mpiexec mpirun --deck FILE --work FOLDER
What was recorded is taken from the Chrome JSON export. Perfetto's file is parsed with the schema of
the PyPI package perfetto, an OTF2 archive with otf2-print.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
from collections import Counter, defaultdict
from decimal import Decimal
from pathlib import Path

RANKS, WORKERS = 3, 2


def step_of(arguments: dict) -> int:
    """The step that an event is of; of one outside of steps, as in a regrid, its replay."""
    return arguments["step"] if "step" in arguments else arguments["replay"]


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def make_trace(options: argparse.Namespace) -> Path:
    folder = Path(options.work)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    deck = ["time.max_steps=16", "trace.steps=[10,14]", "--model", "dataflow"]
    run(options.mpiexec, "-n", str(RANKS), options.program, "run", options.deck, *deck,
        "--threads", str(WORKERS), "--out", str(folder / "out"))
    return folder / "out" / "trace.pftrace"


def nanoseconds(microseconds: str) -> int:
    return int(Decimal(microseconds) * 1000)


def recorded(options: argparse.Namespace, trace: Path) -> dict[str, Counter]:
    """Tasks, idle times and messages as tuples, from the Chrome JSON export."""
    run(options.program, "trace", "export", str(trace), "--format", "chrome")
    text = trace.with_suffix(".json").read_text()
    found: dict[str, Counter] = defaultdict(Counter)
    begun = {}
    for event in json.loads(text, parse_float=str)["traceEvents"]:
        kind, args = event.get("cat"), event["args"] if "args" in event else {}
        if event["ph"] == "X":
            start = nanoseconds(event["ts"])
            end = start + nanoseconds(event["dur"])
            says = (int(args["block"]), args["level"], step_of(args), args["node"]) if args else ()
            found[kind][event["pid"], event["tid"], event["name"], start, end, *says] += 1
        elif event["ph"] == "b":
            begun[event["id"]] = nanoseconds(event["ts"])
        elif event["ph"] == "e":
            span = begun.pop(event["id"]), nanoseconds(event["ts"])
            says = args["peer"], args["tag"], args["bytes"], step_of(args), args["node"]
            found[kind][event["pid"], *span, *says] += 1
    assert not begun and all(found[kind] for kind in ["task", "idle", "send", "recv"])
    return found


def check_perfetto(options: argparse.Namespace) -> None:
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as schema

    path = make_trace(options)
    want = recorded(options, path)
    trace = schema.Trace()
    trace.ParseFromString(path.read_bytes())

    tracks, names = {}, defaultdict(dict)  # names[sequence][table, id]
    for packet in trace.packet:
        if packet.HasField("track_descriptor"):
            tracks[packet.track_descriptor.uuid] = packet.track_descriptor
        for table in ["event_names", "event_categories", "debug_annotation_names"]:
            for entry in getattr(packet.interned_data, table):
                names[packet.trusted_packet_sequence_id][table, entry.iid] = entry.name
    processes = {u: t.process.process_name for u, t in tracks.items() if t.HasField("process")}
    assert sorted(processes.values()) == [f"rank {rank}" for rank in range(RANKS)]

    got: dict[str, Counter] = defaultdict(Counter)
    open_on, begin_flows, end_flows = {}, Counter(), Counter()
    for packet in trace.packet:
        if not packet.HasField("track_event"):
            continue
        event, table = packet.track_event, names[packet.trusted_packet_sequence_id]
        if event.type == schema.TrackEvent.TYPE_SLICE_BEGIN:
            assert event.track_uuid not in open_on, "slices on a track overlap"
            open_on[event.track_uuid] = packet
            begin_flows.update(event.flow_ids)
            continue
        assert event.type == schema.TrackEvent.TYPE_SLICE_END
        end_flows.update(event.terminating_flow_ids)
        begin = open_on.pop(event.track_uuid)
        track = tracks[event.track_uuid]
        rank = int(processes[track.parent_uuid].split()[1])
        kind = table["event_categories", begin.track_event.category_iids[0]]
        says = {
            table["debug_annotation_names", a.name_iid]: getattr(a, a.WhichOneof("value"))
            for a in begin.track_event.debug_annotations
        }
        span = begin.timestamp, packet.timestamp
        name = table["event_names", begin.track_event.name_iid]
        if kind in ("task", "idle"):
            worker = int(re.fullmatch(r"worker (\d+)", track.name)[1])
            more = [says["block"], says["level"], step_of(says), says["node"]] if says else []
            got[kind][rank, worker, name, *span, *more] += 1
        else:
            assert re.fullmatch(r"messages \d+", track.name)
            got[kind][rank, *span, says["peer"], says["tag"], says["bytes"], step_of(says), says["node"]] += 1
    assert not open_on
    assert got == want
    # An arrow from every send to its receive, but for those at the edges of what was traced.
    assert max(begin_flows.values()) == 1 and max(end_flows.values()) == 1
    whole = begin_flows.keys() & end_flows.keys()
    assert len(whole) > 0.8 * len(begin_flows)


def check_otf2(options: argparse.Namespace) -> None:
    path = make_trace(options)
    want = recorded(options, path)
    folder = Path(options.work) / "archive"
    run(options.program, "trace", "export", str(path), "--format", "otf2", "-o", str(folder))
    printed = subprocess.run(
        ["otf2-print", str(folder / "traces.otf2")], capture_output=True, text=True, check=False
    )
    assert printed.returncode == 0 and not printed.stderr, printed.stderr
    definitions = run("otf2-print", "-G", str(folder / "traces.otf2"))
    assert len(re.findall(r"^LOCATION +\d+ .*worker", definitions, re.M)) == RANKS * WORKERS
    assert len(re.findall(r'^LOCATION_GROUP +\d+ +Name: "rank', definitions, re.M)) == RANKS

    got: dict[str, Counter] = defaultdict(Counter)
    entered, posted = {}, {}
    line = re.compile(r"^([A-Z_]+) +(\d+) +(\d+) +(.*)$")
    for kind, location, time, rest in (m.groups() for m in map(line.match, printed.stdout.splitlines()) if m):
        rank, worker, at = int(location) >> 16, int(location) & 0xFFFF, int(time)
        number = {key: int(value) for key, value in re.findall(r"(\w+): (\d+)", rest)}
        if kind == "ENTER":
            assert (rank, worker) not in entered, "regions overlap"
            entered[rank, worker] = at
        elif kind == "LEAVE":
            name = re.search(r'Region: "(.*)" <', rest)[1]
            which = "idle" if name == "idle" else "task"
            got[which][rank, worker, name, entered.pop((rank, worker)), at] += 1
        elif kind == "MPI_ISEND":
            posted["send", rank, number["Request"]] = at, number["Receiver"], number["Tag"], number["Length"]
        elif kind == "MPI_IRECV_REQUEST":
            posted["recv", rank, number["Request"]] = (at,)
        elif kind == "MPI_ISEND_COMPLETE":
            start, *says = posted.pop(("send", rank, number["Request"]))
            got["send"][rank, start, at, *says] += 1
        elif kind == "MPI_IRECV":
            (start,) = posted.pop(("recv", rank, number["Request"]))
            got["recv"][rank, start, at, number["Sender"], number["Tag"], number["Length"]] += 1
        else:
            raise AssertionError(f"unexpected {kind}")
    assert not entered and not posted
    for kind, n_kept in [("task", 5), ("idle", 5), ("send", 6), ("recv", 6)]:
        expected = Counter()
        for event, count in want[kind].items():
            expected[event[:n_kept]] += count
        assert got[kind] == expected, kind


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("format", choices=["perfetto", "otf2"])
    for name in ["--program", "--mpiexec", "--deck", "--work"]:
        parser.add_argument(name, required=True)
    options = parser.parse_args()
    {"perfetto": check_perfetto, "otf2": check_otf2}[options.format](options)


if __name__ == "__main__":
    main()
