#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A folder that scripts are given is the caller's, and one that is stopped leaves nothing: with tools that only say how they are called."""

import argparse
import os
import shutil
import subprocess
from pathlib import Path


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=Path, required=True, help="the repository")
    parser.add_argument("--work", type=Path, required=True, help="folder to work in")
    options = parser.parse_args()
    work = options.work.resolve()
    shutil.rmtree(work, ignore_errors=True)
    for folder in ("tools", "thrown away", "mine"):
        (work / folder).mkdir(parents=True)
    scripts = dict.fromkeys(("cmake", "cpack", "file", "dpkg-shlibdeps"), 'echo "$@"')
    scripts["apt-get"] = "kill -TERM $PPID"
    for name, text in scripts.items():
        (work / "tools" / name).write_text(f"#!/bin/sh\n{text}\n")
        (work / "tools" / name).chmod(0o755)
    environment = os.environ | {"PATH": f"{work / 'tools'}:{os.environ['PATH']}", "TMPDIR": str(work / "thrown away")}

    def run(script):
        command = [options.source / script, "mine"]
        return subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True, check=False)

    done = run("packaging/deb/build")
    assert done.returncode == 0 and f"-B {work / 'mine'} " in done.stdout, done

    done = run("tools/setup/aarch64")  # as by ctrl-c
    assert done.returncode == 143, done
    assert not list((work / "thrown away").iterdir()), "the folder for downloads is left"
    # Where all is there, nothing is loaded.
    wanted = next(line for line in (options.source / "tools/setup/aarch64").read_text().splitlines() if line.startswith("packages="))
    (work / "mine/packages").write_text(wanted.split('"')[1] + "\n")
    assert run("tools/setup/aarch64").returncode == 0
    shutil.rmtree(work)


if __name__ == "__main__":
    main()
