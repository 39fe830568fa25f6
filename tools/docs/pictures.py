#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Take the pictures of docs/guide/reports.md anew: build/venv/bin/python tools/docs/pictures.py PROGRAM

Runs the commands of that page and photographs the report with Chromium.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs/guide"
# Name of the picture: size of the window [px].
PICTURES = {"report.png": (1100, 1400), "report_phone.png": (500, 1250)}
COLOURS = 256  # of the palette: a third of the bytes


def run_commands(page: Path, program: Path, folder: Path) -> None:
    """Run the first block ```sh of a page in a folder."""
    block = re.findall(r"^```sh\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)[0]
    (folder / "apps").symlink_to(ROOT / "apps")
    path = os.pathsep.join([str(program.resolve().parent), str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT / "python")}
    subprocess.run(["sh", "-eu"], input=block, text=True, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)


def photograph(page: Path, picture: Path, size: tuple[int, int]) -> None:
    browser = shutil.which("chromium")
    if browser is None:
        raise SystemExit("error: no chromium (it takes the pictures); tools/setup/install test installs it")
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=5000"]
    window = f"--window-size={size[0]},{size[1]}"
    subprocess.run(
        [browser, *options, window, f"--screenshot={picture}", page.as_uri()], check=True, stderr=subprocess.DEVNULL
    )
    Image.open(picture).convert("RGB").quantize(COLOURS).save(picture, optimize=True)


def main() -> int:
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        run_commands(GUIDE / "reports.md", Path(sys.argv[1]), Path(folder))
        for name, size in PICTURES.items():
            photograph(Path(folder) / "blast/report.html", GUIDE / name, size)
            print(GUIDE / name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
