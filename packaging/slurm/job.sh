#!/bin/sh
# SPDX-License-Identifier: MIT
# A run that is longer than a job may be: sbatch [--nodes N ...] packaging/slurm/job.sh DECK OUT [section.key=value ...]
#
# For run.threads = N a rank needs N processors: --cpus-per-task N.
#
# Five minutes before the limit Slurm tells the ranks to stop; they write a checkpoint and end with code 75. The job then
# queues itself again, and goes on from the newest checkpoint in OUT, to the same bits as a run without a stop.
#
# Set checkpoint.interval or checkpoint.time: then a node that fails costs what came since, and there is a checkpoint of the
# end. Without, a finished run that is submitted again makes its steps since the last stop once more.
#SBATCH --time=24:00:00
#SBATCH --signal=TERM@300
#SBATCH --requeue
#SBATCH --open-mode=append
set -u
if [ $# -lt 2 ]; then
  echo "Usage: sbatch [--nodes N ...] packaging/slurm/job.sh DECK OUT [section.key=value ...]" >&2
  exit 2
fi
deck=$1
out=$2
shift 2

# Newer srun does not take this from the job by itself.
[ -z "${SLURM_CPUS_PER_TASK:-}" ] || export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

# The newest checkpoint that is whole: one that a node has died over has no manifest.
newest() { ls -d -- "$out"/chk*/manifest 2>/dev/null | grep -E '/chk[0-9.]+/manifest$' | sort -V | tail -n 1; }

# The job that began in OUT, where nothing was: what is there since it may replace. Beside OUT, as a run takes no folder
# that holds anything.
marker="${out%/}.slurm_job"
if [ -z "$(ls -A -- "$out" 2>/dev/null | grep -vxF .thalweg-lock)" ]; then
  mkdir -p -- "$(dirname -- "$out")" && echo "$SLURM_JOB_ID" >"$marker"
fi
is_ours() { [ "$(cat -- "$marker" 2>/dev/null)" = "$SLURM_JOB_ID" ]; }

before=$(newest)
if [ -n "$before" ]; then
  srun thalweg run "$deck" --restart latest --out "$out" "$@"
elif is_ours; then
  # For the first time, or queued again before the first checkpoint, as when a node fails.
  srun thalweg run "$deck" --force --out "$out" "$@"
else
  srun thalweg run "$deck" --out "$out" "$@"
fi
code=$?
# What is done, or was refused, does not begin again.
case $code in 0 | 2) ! is_ours || rm -f -- "$marker" ;; esac
# 75 is also the code of a run whose mesh has no room: one that has not got on would not get on the next time either.
if [ "$code" = 75 ] && [ "$(newest)" != "$before" ]; then
  exec scontrol requeue "$SLURM_JOB_ID"
fi
exit "$code"
