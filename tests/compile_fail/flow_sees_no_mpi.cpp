// SPDX-License-Identifier: MIT
// Tasks do not know MPI.
#ifndef THALWEG_RIGHT
#include <thalweg/comm/session.hpp>
#endif
#include <thalweg/flow/transport.hpp>
