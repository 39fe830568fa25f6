# SPDX-License-Identifier: MIT
"""Cases of plotfiles: written again, compared, told apart."""

from __future__ import annotations

from shell import BAD_REQUEST, DIFFERENCE, SOD, TRACED, Command, Shell

COMMANDS = {
    "hash_without_argument": Command(["hash"], BAD_REQUEST, ["plotfile"]),
    "diff_of_nothing": Command(["diff", "a", "b"], BAD_REQUEST, ["'a' does not exist", "a folder of results"]),
    "hash_of_a_folder_without_plotfiles": Command(["hash", "."], BAD_REQUEST, ["'.' is no plotfile and holds none"]),
    "hash_of_a_checkpoint": Command(
        ["hash", "chk00002"], BAD_REQUEST, ["'chk00002' is a checkpoint", "name a plotfile"], files={"chk00002/manifest": ""}
    ),
    "hash_on_two_ranks": Command(["hash", "none"], BAD_REQUEST, ["hash on 2 ranks", "without mpirun"], ranks=2),
    "diff_on_two_ranks": Command(["diff", "a", "b", "--norms"], BAD_REQUEST, ["diff on 2 ranks"], ranks=2),
    "line_on_two_ranks": Command(["line", "a", "-o", "l.csv"], BAD_REQUEST, ["line on 2 ranks"], ranks=2, makes_not=["l.csv"]),
    "profile_on_two_ranks": Command(["profile", "a", "--centre", "0"], BAD_REQUEST, ["profile on 2 ranks"], ranks=2),
    "plotfile_that_looks_like_an_option": Command(
        ["hash", "-d/plt"], BAD_REQUEST, ["'-d/plt' looks like an option, write ./-d/plt"], files={"-d/plt/Header": ""}
    ),
    "diff_of_one": Command(["diff", "a"], BAD_REQUEST, ["b is required"]),
}


def resolved_deck_runs_to_the_same_plotfile(shell: Shell) -> None:
    shell.succeed(*SOD, "problem.gamma=1.3", "--out", "a")
    shell.succeed("run", "a/plt00002/deck.toml", "--out", "b")
    assert shell.succeed("hash", "a/plt00002") == shell.succeed("hash", "b/plt00002")


def force_replaces_earlier_results(shell: Shell) -> None:
    shell.succeed("run", "sod.toml", "time.max_steps=3", TRACED, "--out", "a", ranks=2)
    assert (shell.folder / "a/trace.pftrace").exists()
    shell.succeed(*SOD, "--out", "a", "--force")
    left = sorted(path.name for path in (shell.folder / "a").iterdir())
    assert left == ["plt00000", "plt00002"], left


def hash_is_of_the_cells_alone(shell: Shell) -> None:
    shell.succeed(*SOD, "--out", "a")
    shell.succeed(*SOD, "--out", "b", "output.ranks_per_file=1", ranks=3)
    hashes = [shell.succeed("hash", f"{name}/plt00002").strip() for name in "ab"]
    assert hashes[0] == hashes[1] and len(hashes[0]) == 16 and int(hashes[0], 16) > 0
    assert shell.succeed("hash", "a/plt00000").strip() != hashes[0]


def diff_names_the_first_block_and_cell(shell: Shell) -> None:
    shell.succeed(*SOD, "--out", "a")
    shell.succeed(*SOD, "--out", "b", ranks=2)
    assert "same" in shell.succeed("diff", "a/plt00002", "b/plt00002")
    data = next((shell.folder / "b/plt00002/Level_1").glob("Cell_D_*"))
    content = bytearray(data.read_bytes())
    content[-1] ^= 1  # one bit of the last cell's last variable
    data.write_bytes(content)
    code, said = shell.run(["diff", "a/plt00002", "b/plt00002"])
    assert code == DIFFERENCE
    for part in ["level 1", "box", "cell", "rho_E"]:
        assert part in said, part
    assert "note" not in said, said
    norms = ["diff", "a/plt00002", "b/plt00002", "--norms"]
    code, said = shell.run(norms)
    assert code == DIFFERENCE
    rows = [line.split() for line in said.splitlines()[1:]]
    assert [row[1] for row in rows[:3]] == ["density", "xmom", "rho_E"], rows
    assert [row[:2] for row in rows if float(row[2]) > 0] == [["1", "rho_E"]], rows
    shell.succeed(*norms, "--tolerance", "1")
    for tolerance, wanted in [("nan", "a finite number"), ("+inf", "a finite number"), ("1e999", "a finite number"), ("-1", "0 or more")]:
        code, said = shell.run([*norms, f"--tolerance={tolerance}"])
        assert code == BAD_REQUEST and f"must be {wanted}" in said, said
    assert shell.run(["diff", "a/plt00002", "b/plt00002", "--tolerance", "1"])[0] == BAD_REQUEST


def diff_says_where_cells_are_of_another_time_domain_or_ratio(shell: Shell) -> None:
    for name, end in [("a", "0.5"), ("b", "1")]:
        shell.succeed(*SOD, "mesh.max_level=0", f"mesh.lower=[-{end}]", f"mesh.upper=[{end}]", "time.max_steps=0", "--out", name)
    header = shell.folder / "b/plt00000/Header"
    lines = header.read_text().split("\n")
    at = 3 + int(lines[1])  # behind the variables and the dimension
    assert lines[at] == "0", lines
    header.write_text("\n".join([*lines[:at], "0.25", *lines[at + 1 :]]))
    for more in [], ["--norms"]:
        said = shell.succeed("diff", "a", "b", *more)
        assert "note: their times differ: 0 and 0.25\n" in said and "note: their domains differ: [" in said, said
        assert "note" not in shell.succeed("diff", "a", "a", *more)
    header.write_text("\n".join([*lines[:at], "nan", *lines[at + 1 :]]))  # which is not equal to itself
    assert "note" not in shell.succeed("diff", "b", "b")
    header.write_text("\n".join([*lines[:at], "0.25", *lines[at + 1 :]]))
    # Also where cells differ, or blocks.
    data = next((shell.folder / "b/plt00000/Level_0").glob("Cell_D_*"))
    content = bytearray(data.read_bytes())
    content[-1] ^= 1
    data.write_bytes(content)
    for ratio in "2", "4":
        shell.succeed(*SOD, f"mesh.ratio={ratio}", "mesh.max_level=1", "--out", f"by{ratio}")
    for more in [], ["--norms"]:
        code, said = shell.run(["diff", "a", "b", *more])
        assert code == DIFFERENCE and "note: their times differ: 0 and 0.25\n" in said, said
        code, said = shell.run(["diff", "by2", "by4", *more])
        assert code == DIFFERENCE and "note: their ratios differ: 2 and 4\n" in said, said
        code, said = shell.run(["diff", "a", "by2", *more])  # one without finer levels has no ratio
        assert code == DIFFERENCE and "ratios" not in said, said
        code, said = shell.run(["diff", "by2/plt00000", "by4/plt00000", *more])
        assert code == DIFFERENCE and "'line' or 'profile'" in said, said


def last_plotfile_of_a_folder_is_taken(shell: Shell) -> None:
    shell.succeed(*SOD, "--out", "a", "output.plot_interval=1")
    for unfinished in ["plt00003.tmp", "plt_mine"]:
        (shell.folder / "a" / unfinished).mkdir()
    last = "a/plt00002"
    assert shell.succeed("hash", "a") == shell.succeed("hash", last) != shell.succeed("hash", "a/plt00001")
    assert f"{last} and a/plt00000 have" not in shell.run(["diff", "a/", "a/plt00000"])[1]
    assert "same blocks" in shell.succeed("diff", "a", last)
    assert shell.succeed("diff", "a", last, "--norms").count(" 0.0000e+00") > 2
    assert shell.succeed("line", "a") == shell.succeed("line", last) == shell.succeed("line", f"{last}/Header")
    assert shell.succeed("profile", "a", "--centre", "0.5") == shell.succeed("profile", last, "--centre", "0.5")


def line_along_velocities_of_phase_space(shell: Shell) -> None:
    (shell.folder / "plasma.toml").write_text('application.name = "vlasov"\nvlasov.cells = [16, 16]\ntime.max_steps = 1\n')
    shell.succeed("vlasov", "plasma.toml", "--out", "a")
    along_v = shell.succeed("line", "a", "--axis", "v", "--at", "1")
    assert along_v.startswith("v,width,level,f\n-6,0.75,0,"), along_v
    for unknown in ("y", "1"):
        code, said = shell.run(["line", "a", "--axis", unknown])
        assert code == BAD_REQUEST and "has x, v); choose one of these" in said, said
    shell.succeed(*SOD, "--out", "b")
    assert shell.run(["line", "b", "--axis", "v"])[0] == BAD_REQUEST


def tables_and_norms_have_one_spelling_of_what_is_no_number(shell: Shell) -> None:
    shell.succeed(*SOD, "--out", "a")
    data = next((shell.folder / "a/plt00002/Level_1").glob("Cell_D_*"))
    data.write_bytes(data.read_bytes()[:-8] + b"\0\0\0\0\0\0\xf8\xff")  # with a sign, as log(-1) has on some processors
    for table in [["line", "a"], ["profile", "a", "--centre", "0.5"]]:
        said = shell.succeed(*table)
        assert ",nan\n" in said and "-nan" not in said, said
    shell.succeed(*SOD, "--out", "b")
    code, said = shell.run(["diff", "b", "a", "--norms", "--tolerance", "1"])
    assert code == DIFFERENCE and said.count(" nan") == 3 and "-nan" not in said and "inf" not in said, said


FUNCTIONS = [
    tables_and_norms_have_one_spelling_of_what_is_no_number,
    line_along_velocities_of_phase_space,
    last_plotfile_of_a_folder_is_taken,
    resolved_deck_runs_to_the_same_plotfile,
    force_replaces_earlier_results,
    hash_is_of_the_cells_alone,
    diff_names_the_first_block_and_cell,
    diff_says_where_cells_are_of_another_time_domain_or_ratio,
]
