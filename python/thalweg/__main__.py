# SPDX-License-Identifier: MIT
"""Command line: python -m thalweg {report,watch,pictures,slice,errors,timeline,figures,vlasov,predict,vtkhdf} ..."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from thalweg.exact import SOLUTIONS, application_name, cell_errors, problem_name, solution_of
from thalweg.figures import GROUPS, Decks, print_figures
from thalweg.plot_prediction import plot_predictions
from thalweg.plot_profile import plot_profile
from thalweg.plot_slice import plot_slice
from thalweg.plot_timeline import plot_timeline
from thalweg.plotfile import Plotfile, last_plotfile
from thalweg.report import write_report
from thalweg.riemann import NoSuchGas
from thalweg.sedov_error import add_options, errors, read_blast, table
from thalweg.trace_file import TRACE, trace_in
from thalweg.vlasov import report as report_vlasov
from thalweg.vtkhdf import write_vtkhdf
from thalweg.watch import watch_folder
from thalweg.words import printable


DECKS = Path(__file__).resolve().parents[2] / "apps/hydro/decks"


def is_blast(plot: Plotfile) -> bool:
    """Tell whether a plotfile is to be compared with Sedov's blast: by its deck, or as there is none."""
    return problem_name(plot) == "sedov" or not plot.deck()


def error_lines(path: Path, options: argparse.Namespace) -> str:
    """Compare a plotfile with the exact solution of its problem, or say that none is known here."""
    plot = Plotfile(path)
    name = problem_name(plot)
    try:
        if is_blast(plot):
            return f"{path} against the exact Sedov solution:\n{table(errors(read_blast(path, options)))}"
        if (solution := solution_of(plot)) is None:
            known = ", ".join(sorted(["sedov", *SOLUTIONS]))
            what = f"problem '{name}'" if name else f"the application '{application_name(plot)}'"
            return f"{path}: no exact solution of {what} is known here (of these of hydro there are: {known})"
        found = table(cell_errors(plot, solution))
    except (TypeError, IndexError, ArithmeticError, NoSuchGas) as problem:
        raise ValueError(f"{path}/deck.toml: its problem '{name}' has values that no run has ({problem})") from None
    return f"{path} against the exact solution of problem '{name}':\n{found}"


def run_report(options: argparse.Namespace) -> None:
    """Write the page of one run, or of two beside each other."""
    folders = [Path(folder) for folder in options.results]
    if len(folders) > 2:
        raise ValueError(f"{len(folders)} runs (a report shows one, or two beside each other); name at most two")
    output = Path(options.output or folders[0] / "report.html")
    write_report(folders, output, find_program(options.program), options.variable)
    print(f"wrote {output}")


def find_program(name: str | None) -> str | None:
    """Give the program that was named, or thalweg on PATH, or None. Raises where the named one is not there."""
    found = shutil.which(name or "thalweg")
    if name and not found:
        raise FileNotFoundError(f"no program '{name}'; name thalweg as built with --program")
    return found


def run_pictures(options: argparse.Namespace) -> None:
    """Make slice.png, of a blast profile.png, of a trace timeline.png; print the errors."""
    folder = Path(options.results)
    plotfile = last_plotfile(folder)
    output = Path(options.output or folder)
    output.mkdir(parents=True, exist_ok=True)
    made = []
    made.append(output / "slice.png")
    plot_slice(plotfile, made[-1], options.variable)
    if is_blast(Plotfile(plotfile)):
        made.append(output / "profile.png")
        plot_profile(read_blast(plotfile, options), made[-1])
    if options.trace or (folder / TRACE).exists():
        made.append(output / "timeline.png")
        plot_timeline(trace_in(options.trace or folder), made[-1], options.step)
    print(error_lines(plotfile, options))
    for path in made:
        print(f"wrote {path}")


def run_watch(options: argparse.Namespace) -> None:
    watch_folder(Path(options.results), options.variable, options.interval, options.once)


def run_slice(options: argparse.Namespace) -> None:
    plot_slice(last_plotfile(options.plotfile), options.output, options.variable, options.at, options.normal)


def run_errors(options: argparse.Namespace) -> None:
    print(error_lines(last_plotfile(options.plotfile), options))


def run_timeline(options: argparse.Namespace) -> None:
    plot_timeline(trace_in(options.trace), options.output, options.step)


def run_figures(options: argparse.Namespace) -> None:
    decks = Decks(Path(options.program), Path(options.decks), options.threads)
    print_figures(decks, options.only or list(GROUPS))


def run_vlasov(options: argparse.Namespace) -> None:
    folder = Path(options.results)
    for line in report_vlasov(last_plotfile(folder), folder / "series.csv", Path(options.output or folder)):
        print(line)


def run_predict(options: argparse.Namespace) -> None:
    output = Path(options.output or Path(options.predictions[0]).with_suffix(".png"))
    plot_predictions([Path(path) for path in options.predictions], output)
    print(f"wrote {output}")


def run_vtkhdf(options: argparse.Namespace) -> None:
    plotfile = last_plotfile(options.plotfile)
    output = Path(options.output or f"{plotfile}.vtkhdf")
    write_vtkhdf(Plotfile(plotfile), output)
    print(f"wrote {output}")


def parser() -> argparse.ArgumentParser:
    """Declare the commands."""
    top = argparse.ArgumentParser(prog="python -m thalweg", description=__doc__)
    commands = top.add_subparsers(required=True, metavar="command")

    report = commands.add_parser("report", help="one HTML page about a run, or two beside each other")
    report.add_argument("results", nargs="+", help="folder of a run, or two folders")
    report.add_argument("--output", help="file (default: report.html in the first folder)")
    report.add_argument("--program", help="thalweg, which accounts for traces (default: on PATH)")
    report.add_argument("--variable", help="of the slices over time (default: the first)")
    report.set_defaults(run=run_report)

    watch = commands.add_parser("watch", help="follow a run in the terminal, from another shell")
    watch.add_argument("results", help="folder that the run writes to")
    watch.add_argument("--variable", help="of the picture (default: density, or the first)")
    watch.add_argument("--interval", type=float, default=1.0, help="between looks [s]")
    watch.add_argument("--once", action="store_true", help="show how it stands, and end")
    watch.set_defaults(run=run_watch)

    pictures = commands.add_parser("pictures", help="PNG figures, and the errors where an exact solution is known")
    pictures.add_argument("results", help="folder of a run, or a plotfile; of a folder, the last one")
    pictures.add_argument("--output", help="folder of the figures (default: that of the results)")
    pictures.add_argument("--trace", help="trace.pftrace of a run, or its folder (default: that of the results)")
    pictures.add_argument("--step", type=int, help="step of the timeline (default: the middle)")
    pictures.add_argument("--variable", help="of the slice (default: density, or the first)")
    add_options(pictures)
    pictures.set_defaults(run=run_pictures)

    plane = commands.add_parser("slice", help="a plane of any plotfile")
    plane.add_argument("plotfile", help="or a folder of results: its last one")
    plane.add_argument("output", help="file of the figure")
    plane.add_argument("--variable", help="default: density, or the first")
    plane.add_argument("--normal", choices=["x", "y", "z"], default="z", help="axis across the plane")
    plane.add_argument("--at", type=float, help="where the plane is along its normal [length] (default: the middle, or a low side that reflects)")
    plane.set_defaults(run=run_slice)

    error = commands.add_parser("errors", help="the errors against the exact solution of the problem")
    error.add_argument("plotfile", help="or a folder of results: its last one")
    add_options(error)
    error.set_defaults(run=run_errors)

    timeline = commands.add_parser("timeline", help="what the workers did in one step")
    timeline.add_argument("trace", help="trace.pftrace of a run, or its folder")
    timeline.add_argument("output", help="file of the figure")
    timeline.add_argument("--step", type=int, help="of those that are traced (default: the middle one)")
    timeline.set_defaults(run=run_timeline)

    figures = commands.add_parser("figures", help="run decks of the gas beside published figures")
    figures.add_argument("program", help="thalweg, as built")
    figures.add_argument("--decks", default=DECKS, help="their folder (default: the shipped ones)")
    figures.add_argument("--only", nargs="+", choices=GROUPS, help="some groups (default: all)")
    figures.add_argument("--threads", type=int, default=1, help="workers of each run")
    figures.set_defaults(run=run_figures)

    vlasov = commands.add_parser("vlasov", help="phase space, field and conservation of Vlasov-Poisson")
    vlasov.add_argument("results", help="folder of a run with output.series_interval")
    vlasov.add_argument("--output", help="folder of the figures (default: that of the results)")
    vlasov.set_defaults(run=run_vlasov)

    predict = commands.add_parser("predict", help="speed-up and efficiency as `thalweg predict` says they are")
    predict.add_argument("predictions", nargs="+", help="files of `thalweg predict -o`, of one problem on one machine")
    predict.add_argument("--output", help="file of the figure (default: beside the first, as .png)")
    predict.set_defaults(run=run_predict)

    vtkhdf = commands.add_parser("vtkhdf", help="one VTKHDF file of a plotfile, for ParaView and VTK; needs h5py")
    vtkhdf.add_argument("plotfile", help="or a folder of results: its last one")
    vtkhdf.add_argument("--output", help="file, which may not be there (default: beside the plotfile, with .vtkhdf)")
    vtkhdf.set_defaults(run=run_vtkhdf)
    return top


def message_of(problem: Exception) -> str:
    """Say what went wrong in words, not as Python writes it."""
    if isinstance(problem, OSError) and problem.filename is not None:
        return printable(f"cannot open '{problem.filename}': {problem.strerror}", 2000)
    return printable(problem, 2000)


def main() -> int:
    options = parser().parse_args()
    try:
        options.run(options)
    except ImportError as problem:
        print(f"error: {problem} (this command needs it); install it with pip", file=sys.stderr)
        return 1
    except MemoryError:
        print("error: there is no memory left for what this needs; take a coarser plotfile", file=sys.stderr)
        return 1
    except (OSError, ValueError, KeyError) as problem:
        print(f"error: {message_of(problem)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
