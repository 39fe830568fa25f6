# SPDX-License-Identifier: MIT
"""Command line: python -m thalweg {report,watch,pictures,slice,movie,errors,timeline,figures,vlasov,predict,vtkhdf} ..."""

from __future__ import annotations

import argparse
import errno
import os
import re
import shutil
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thalweg.arguments import file_to_write, figure_to_write
from thalweg.exact_errors import blast_of, check_options, error_lines, is_blast
from thalweg.figures import GROUPS, Decks, print_figures
from thalweg.plotfile import Plotfile, check_run, folder_of, last_plotfile
from thalweg.scale import Scale
from thalweg.sedov_error import Blast, add_options
from thalweg.trace_file import TRACE, trace_in
from thalweg.vtkhdf import write_vtkhdf
from thalweg.watch import watch_folder
from thalweg.words import NoExactSolution, UnknownName, in_words, printable

if TYPE_CHECKING:
    from thalweg.plot_slice import View

# What draws is imported where it is used: other commands need no matplotlib.

# Exit codes of the program, and of shells for what a signal ends.
BAD_REQUEST, FAILURE, INTERRUPTED, NOBODY_READS = 2, 3, 128 + 2, 128 + 13
MOST_PRINTED = 100_000  # characters
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}  # no fault of a request
DECKS = Path(__file__).resolve().parents[2] / "apps/hydro/decks"


def pictures_to_write(options: argparse.Namespace, results: Path, names: Sequence[str]) -> list[Path]:
    """Give files to write into the folder that was named, or into that of the results, where they are made anew."""
    folder = Path(options.output or results)
    if os.path.lexists(folder) and not folder.is_dir():
        raise FileExistsError(f"'{folder}' is no folder (figures are written into one); name a folder")
    folder.mkdir(parents=True, exist_ok=True)
    return [file_to_write(folder / name, options.force or not options.output, "--force") for name in names]


def run_report(options: argparse.Namespace) -> None:
    """Write the page of one run, or of two beside each other."""
    from thalweg.report import write_report

    folders = [Path(folder) for folder in options.results]
    if len(folders) > 2:
        raise ValueError(f"{len(folders)} runs (a report shows one, or two beside each other); name at most two")
    if len({folder.resolve() for folder in folders}) < len(folders):
        raise ValueError(f"'{folders[0]}' twice (a run is the same beside itself); name it once, or another one beside it")
    for folder in folders:
        check_run(folder)
    # By its own name it is made anew, while a run goes on and when it is over.
    output = file_to_write(options.output or folders[0] / "report.html", options.force or not options.output, "--force")
    write_report(folders, output, find_program(options.program), options.variable)
    print(f"wrote {output}")


def find_program(name: str | None) -> str | None:
    """Give the program that was named, or thalweg on PATH, or None. Raises where the named one is not there."""
    found = shutil.which(name or "thalweg")
    if name and not found:
        raise FileNotFoundError(f"no program '{name}'; name thalweg as built with --program")
    return found


def trace_of_pictures(options: argparse.Namespace, folder: Path) -> Path | None:
    """Give the trace of which there is to be a timeline, if any."""
    if options.trace or (folder / TRACE).exists():
        return trace_in(options.trace or folder)
    if options.step is not None:
        raise ValueError(f"--step {options.step} (of a timeline, and '{folder}' holds no {TRACE}); name one with --trace, or leave it out")
    return None


def blast_of_pictures(options: argparse.Namespace, plot: Plotfile) -> Blast | None:
    """Give the blast of which there is to be a profile, if any."""
    try:
        return blast_of(plot, options) if is_blast(plot) else None
    except NoExactSolution:  # as is said where the errors are
        return None


def run_pictures(options: argparse.Namespace) -> None:
    """Make slice.png, of a blast profile.png, of a trace timeline.png; print the errors, or why there are none."""
    from thalweg.plot_profile import plot_profile
    from thalweg.plot_slice import View, plot_slice
    from thalweg.plot_timeline import plot_timeline

    plotfile = last_plotfile(options.results)
    plot, folder = Plotfile(plotfile), folder_of(options.results)
    check_options(plot, options)
    trace = trace_of_pictures(options, folder)
    blast = blast_of_pictures(options, plot)
    names = ["slice.png", *(["profile.png"] if blast else []), *(["timeline.png"] if trace else [])]
    made = dict(zip(names, pictures_to_write(options, folder, names), strict=True))
    plot_slice(plotfile, made["slice.png"], View(options.variable))
    if blast:
        plot_profile(blast, made["profile.png"])
    if trace:
        plot_timeline(trace, made["timeline.png"], options.step)
    try:
        print(printable(error_lines([plotfile], options), MOST_PRINTED))
    except NoExactSolution as none:
        print(in_words(none))
    for path in made.values():
        print(f"wrote {path}")


def run_watch(options: argparse.Namespace) -> None:
    watch_folder(Path(options.results), options.variable, options.interval, options.once)


def run_slice(options: argparse.Namespace) -> None:
    from thalweg.plot_slice import plot_slice

    output = figure_to_write(options.output, options.force, "--force")
    plotfile = last_plotfile(options.plotfile)
    plot_slice(plotfile, output, view_of(options))
    print(f"wrote {output}")


def run_movie(options: argparse.Namespace) -> None:
    from thalweg.movie import check_kind, write_movie

    if not 0.1 <= options.per_second <= 50:
        raise ValueError(f"--per-second {options.per_second:g} (must be 0.1 to 50, which browsers show); change it")
    check_run(Path(options.results))
    check_kind(Path(options.output))
    output = file_to_write(options.output, options.force, "--force")
    n = write_movie(options.results, output, view_of(options), options.per_second, options.slices)
    print(f"wrote {output}: {n} plotfiles")


def view_of(options: argparse.Namespace) -> View:
    """Give what add_plane asks for."""
    from thalweg.plot_slice import View

    scale = Scale(tuple(options.limits) if options.limits else None, options.log, options.colours)
    return View(options.variable, options.at, options.normal, scale, options.window, options.stretch)


def run_errors(options: argparse.Namespace) -> None:
    print(printable(error_lines([last_plotfile(path) for path in options.plotfiles], options), MOST_PRINTED))


def run_timeline(options: argparse.Namespace) -> None:
    from thalweg.plot_timeline import plot_timeline

    output = figure_to_write(options.output, options.force, "--force")
    plot_timeline(trace_in(options.trace), output, options.step)
    print(f"wrote {output}")


def run_figures(options: argparse.Namespace) -> None:
    decks = Decks(Path(options.program), Path(options.decks), options.threads)
    print_figures(decks, options.only or list(GROUPS))


def run_vlasov(options: argparse.Namespace) -> None:
    from thalweg import vlasov

    plotfile, folder = last_plotfile(options.results), folder_of(options.results)
    first, *_ = pictures_to_write(options, folder, vlasov.FIGURES)
    named = plotfile if plotfile.name else plotfile.resolve()  # "." has no name
    for line in vlasov.report(plotfile, named.parent / "series.csv", first.parent):
        print(printable(line, MOST_PRINTED))


def run_predict(options: argparse.Namespace) -> None:
    from thalweg.plot_prediction import plot_predictions

    options.output = options.output or Path(options.predictions[0]).with_suffix(".png")
    output = figure_to_write(options.output, options.force, "--force")
    plot_predictions([Path(path) for path in options.predictions], output)
    print(f"wrote {output}")


def run_vtkhdf(options: argparse.Namespace) -> None:
    plotfile = last_plotfile(options.plotfile)
    named = plotfile if plotfile.name else plotfile.resolve()  # "." has no name
    output = file_to_write(options.output or f"{named}.vtkhdf", options.force, "--force")
    write_vtkhdf(Plotfile(plotfile), output, force=options.force)
    print(f"wrote {output}")


def add_force(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--force", action="store_true", help="replace files that are there")


def add_plane(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--variable", help="variable that is shown (default: density, or the first)")
    parser.add_argument("--normal", choices=["x", "y", "z"], default="z", help="axis across the plane")
    parser.add_argument("--at", type=float, help="where the plane is along its normal [length] (default: the middle, or a low side that reflects)")
    parser.add_argument("--window", type=float, nargs=4, metavar=("LEFT", "RIGHT", "BOTTOM", "TOP"), help="part of the plane that is shown [length] (default: all)")
    parser.add_argument("--stretch", action="store_true", help="fill the picture, also where the plane is much longer along one axis")
    parser.add_argument("--limits", type=float, nargs=2, metavar=("LOW", "HIGH"), help="limits of the colours (default: the least and the greatest value shown)")
    parser.add_argument("--log", action="store_true", help="colours by the logarithm")
    parser.add_argument("--colours", metavar="MAP", default=Scale.colours, help="map of matplotlib, as RdBu_r for what has two signs (default: %(default)s)")


class Parser(argparse.ArgumentParser):
    """Takes -1e-3 for a number, not for an option; so do its commands."""

    def __init__(self, *words: Any, **how: Any) -> None:
        super().__init__(*words, **how)
        self._negative_number_matcher = re.compile(r"-(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.IGNORECASE)


def parser() -> argparse.ArgumentParser:
    """Declare the commands."""
    top = Parser(prog="python -m thalweg", description=__doc__)
    commands = top.add_subparsers(required=True, metavar="command")

    def command(name: str, run: Callable[[argparse.Namespace], None], about: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=about)
        made.set_defaults(run=run)
        return made

    report = command("report", run_report, "one HTML page about a run, or two beside each other")
    report.add_argument("results", nargs="+", help="folder of a run, or two folders")
    report.add_argument("--output", help="file (default: report.html in the first folder, made anew)")
    report.add_argument("--program", help="thalweg, which accounts for traces (default: on PATH)")
    report.add_argument("--variable", help="variable of the slices over time (default: the first)")
    add_force(report)

    watch = command("watch", run_watch, "follow a run in the terminal, from another shell")
    watch.add_argument("results", help="folder that the run writes to")
    watch.add_argument("--variable", help="variable of the picture (default: density, or the first)")
    watch.add_argument("--interval", type=float, default=1.0, help="time between looks [s] (default: 1)")
    watch.add_argument("--once", action="store_true", help="show how it stands, and end")

    pictures = command("pictures", run_pictures, "PNG figures, and the errors where an exact solution is known")
    pictures.add_argument("results", help="folder of a run, or a plotfile; of a folder, the last one")
    pictures.add_argument("--output", help="folder of the figures (default: that of the results, where they are made anew)")
    pictures.add_argument("--trace", help="trace.pftrace of a run, or its folder (default: that of the results)")
    pictures.add_argument("--step", type=int, help="step of the timeline (default: the middle)")
    pictures.add_argument("--variable", help="variable of the slice (default: density, or the first)")
    add_options(pictures)
    add_force(pictures)

    plane = command("slice", run_slice, "a plane of any plotfile")
    plane.add_argument("plotfile", help="a plotfile, or a folder of results: its last one")
    plane.add_argument("output", help="file of the figure")
    add_plane(plane)
    add_force(plane)

    movie = command("movie", run_movie, "a plane of all plotfiles of a run, one after the other")
    movie.add_argument("results", help="folder of a run")
    movie.add_argument("output", help="file of the movie: .gif, .webp or .png, which browsers show")
    add_plane(movie)
    movie.add_argument("--slices", metavar="z1", help="plotfiles of a plane that the run wrote, slice_z1_00000 and so on, instead of those of the whole domain")
    movie.add_argument("--per-second", type=float, default=10, help="plotfiles shown per second (default: 10)")
    add_force(movie)

    error = command("errors", run_errors, "the errors against the exact solution of the problem")
    error.add_argument("plotfiles", nargs="+", help="plotfiles, or folders of results: their last ones; of several, of one problem, also the order of the errors")
    add_options(error)

    timeline = command("timeline", run_timeline, "what the workers did in one step")
    timeline.add_argument("trace", help="trace.pftrace of a run, or its folder")
    timeline.add_argument("output", help="file of the figure")
    timeline.add_argument("--step", type=int, help="one of the traced steps (default: the middle one)")
    add_force(timeline)

    figures = command("figures", run_figures, "run decks of the gas beside published figures")
    figures.add_argument("program", help="thalweg, as built")
    figures.add_argument("--decks", default=DECKS, help="folder of the decks (default: the shipped ones)")
    figures.add_argument("--only", nargs="+", choices=GROUPS, help="groups of figures (default: all)")
    figures.add_argument("--threads", type=int, default=1, help="threads of each run")

    vlasov = command("vlasov", run_vlasov, "phase space, field and conservation of Vlasov-Poisson")
    vlasov.add_argument("results", help="folder of a run with output.series_interval, or a plotfile in it; of a folder, the last one")
    vlasov.add_argument("--output", help="folder of the figures (default: that of the results, where they are made anew)")
    add_force(vlasov)

    predict = command("predict", run_predict, "time per step, speed-up and efficiency as `thalweg predict` says they are")
    predict.add_argument("predictions", nargs="+", help="files of `thalweg predict -o`, of one problem")
    predict.add_argument("--output", help="file of the figure (default: beside the first, as .png)")
    add_force(predict)

    vtkhdf = command("vtkhdf", run_vtkhdf, "one VTKHDF file of a plotfile, for ParaView and VTK; needs h5py")
    vtkhdf.add_argument("plotfile", help="a plotfile, or a folder of results: its last one")
    vtkhdf.add_argument("--output", help="file (default: beside the plotfile, with .vtkhdf)")
    add_force(vtkhdf)
    return top


def message_of(problem: Exception) -> str:
    """Say what went wrong in words, not as Python writes it."""
    if isinstance(problem, ImportError):
        return f"{problem} (this command needs it); install it with pip"
    if isinstance(problem, MemoryError):
        return "there is no memory left for what this needs; take a coarser plotfile"
    if isinstance(problem, RecursionError):
        return "a file is nested too deeply (no run writes such a deck or log); look at deck.toml and log.jsonl"
    if isinstance(problem, OSError) and problem.errno in FULL:
        where = "to the standard output" if problem.filename is None else f"'{problem.filename}'"
        return printable(f"cannot write {where}: {problem.strerror}", 2000)
    if isinstance(problem, (OSError, ValueError, UnknownName)):
        return in_words(problem)
    place = traceback.extract_tb(problem.__traceback__)[-1]
    where = f"{Path(place.filename).name}, line {place.lineno}"
    return printable(f"{type(problem).__name__}: {problem} ({where}: a fault of the package, not of what you asked for); please report it")


def exit_code_of(problem: Exception) -> int:
    """Give the code that a problem ends a command with."""
    is_request = isinstance(problem, (ImportError, OSError, ValueError, UnknownName, RecursionError))
    return FAILURE if not is_request or (isinstance(problem, OSError) and problem.errno in FULL) else BAD_REQUEST


def main() -> int:
    """Do what the command line says. Gives the exit code; all that goes wrong in any command is said here."""
    options = parser().parse_args()
    try:
        options.run(options)
        if sys.stdout is not None:  # closed, as by >&-
            sys.stdout.flush()
    except BrokenPipeError:
        # Else Python complains about what it cannot write at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOBODY_READS
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as problem:  # whatever it is, it ends in a sentence
        print(f"error: {message_of(problem)}", file=sys.stderr)
        return exit_code_of(problem)
    return 0


if __name__ == "__main__":
    sys.exit(main())
