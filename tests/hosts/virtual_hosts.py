# SPDX-License-Identifier: MIT
"""Several hosts on one machine, as far as the kernel can show them.

A host is a process with everything that it starts: it has a name, network, processes, System V memory
and /dev/shm of its own. A bridge joins the hosts and this program, which starts MPI as a login node does.

    this program 10.77.0.254 --+-- bridge --+-- host0 10.77.0.1
                               |            +-- host1 10.77.0.2  ...
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

ENTERED = "THALWEG_VIRTUAL_HOSTS"
SKIPPED = 77
NETWORK = "10.77.0"
# How mpirun starts a command on a host; it takes this for ssh.
AGENT = """#!/bin/sh
host=$1
shift
exec nsenter -t "$(cat {folder}/$host)" -n -u -i -m -p sh -c "$*"
"""
# Everything that Open MPI says between hosts goes over the bridge.
MPI = {
    "plm_rsh_no_tree_spawn": "1",
    "btl": "self,vader,tcp",
    "btl_tcp_if_include": f"{NETWORK}.0/24",
    "oob_tcp_if_include": f"{NETWORK}.0/24",
}


def enter() -> None:
    """Start this program again in namespaces of its own, which end with it; skip where that is not allowed."""
    if os.environ.get(ENTERED):
        return
    apart = ["unshare", "--user", "--map-root-user", "--net", "--uts", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    try:
        allowed = subprocess.run([*apart, "ip", "link", "add", "bridge0", "type", "bridge"], capture_output=True, text=True)
    except FileNotFoundError as missing:
        print(f"SKIPPED: {missing.filename} is not installed")
        sys.exit(SKIPPED)
    if allowed.returncode != 0:
        print("SKIPPED: this machine does not allow namespaces:", allowed.stderr.strip())
        sys.exit(SKIPPED)
    os.execvpe(apart[0], [*apart, sys.executable, *sys.argv], os.environ | {ENTERED: "1"})


def _do(command: str) -> None:
    subprocess.run(shlex.split(command), check=True)


class Hosts:
    """So many hosts, until this program ends."""

    def __init__(self, n: int, folder: Path) -> None:
        """@param folder  a new one, absolute, of files that starting MPI needs"""
        self.names = [f"host{i}" for i in range(n)]
        self._folder = folder
        folder.mkdir(parents=True)
        _do("hostname login")
        _do("ip link set lo up")
        _do("ip link add bridge0 type bridge")
        _do("ip link set bridge0 up")
        _do(f"ip addr add {NETWORK}.254/24 dev bridge0")
        addresses = [f"{NETWORK}.{i + 1} {name}" for i, name in enumerate(self.names)]
        table = folder / "addresses"
        table.write_text("\n".join(["127.0.0.1 localhost", f"{NETWORK}.254 login", *addresses, ""]))
        _do(f"mount --bind {table} /etc/hosts")
        self._first_processes = [self._start(i) for i in range(n)]
        self._agent = folder / "on_host"
        self._agent.write_text(AGENT.format(folder=shlex.quote(str(folder))))
        self._agent.chmod(0o755)

    def command(self, command: list[str], ranks_per_host: int = 1) -> list[str]:
        """Start a command on the ranks of all hosts, host by host."""
        # By the name of a host and number of mpirun's process, which are the same in every case: two at once would
        # take each other's files where they are in /tmp.
        files = {"orte_tmpdir_base": str(self._folder)}
        settings = [word for name, value in (MPI | files).items() for word in ("--mca", name, value)]
        places = ",".join(f"{name}:{ranks_per_host}" for name in self.names)
        ranks = str(ranks_per_host * len(self.names))
        return ["mpirun", *settings, "--mca", "plm_rsh_agent", str(self._agent), "--host", places, "-n", ranks, *command]

    def kill(self, i: int) -> None:
        """End a host with all that runs on it, from one moment to the next."""
        os.kill(self._first_processes[i], signal.SIGKILL)

    def cut_off(self, i: int) -> None:
        """Pull a host's cable: nothing arrives any more, and nobody is told."""
        _do(f"ip link set to_{self.names[i]} down")

    def _start(self, i: int) -> int:
        name = self.names[i]
        apart = "unshare --net --uts --ipc --mount --pid --fork --kill-child --mount-proc"
        begin = f"hostname {name} && mount -t tmpfs tmpfs /dev/shm && echo up && exec sleep infinity"
        process = subprocess.Popen([*apart.split(), "sh", "-c", begin], stdout=subprocess.PIPE)
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n", "a host does not start"
        first = int(Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text())
        (self._folder / name).write_text(str(first))
        _do(f"ip link add to_{name} type veth peer name eth0 netns {first}")
        _do(f"ip link set to_{name} master bridge0 up")
        for command in ("link set lo up", f"addr add {NETWORK}.{i + 1}/24 dev eth0", "link set eth0 up"):
            _do(f"nsenter -t {first} -n ip {command}")
        return first
