#!/bin/sh
# SPDX-License-Identifier: MIT
# same_factor.sh "OPTIONS OF BOTH" "OPTIONS OF THE SECOND" THALWEG LAUNCHER...: one rank and thread, and thalweg started
# by a launcher, come to the same factor, to the bit, and both are checked. Its bits differ from processor to processor,
# as OpenBLAS's kernels do, so none are written down here.
set -eu
both=$1
second=$2
thalweg=$3
shift 3
# shellcheck disable=SC2086  # lists of words
one=$("$thalweg" cholesky $both --model bulk)
# shellcheck disable=SC2086
many=$("$@" "$thalweg" cholesky $both $second)
echo "$one"
echo "$many"
factor_of() { echo "$1" | grep '^factor '; }
[ "$(factor_of "$one")" = "$(factor_of "$many")" ]
