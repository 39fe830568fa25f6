// SPDX-License-Identifier: MIT
// What every test program under MPI begins and ends with.
#pragma once
#include <mpi.h>

#include <gtest/gtest.h>

#include <thalweg/comm/session.hpp>

namespace thalweg::comm {

/// The MPI of a test program, while run_mpi_tests() runs.
inline const Session* test_session = nullptr;

/// For Transport::set_watchdog: collectives for which nothing comes end a test and name the rank
/// that they wait for, long before CTest would. Other tests and sanitizers may slow a rank a
/// hundred times; only what fails waits so long.
inline constexpr double test_watchdog_s = 120;

/// Run all tests of a program. @return what each rank ends with: 0 if no rank has failed
inline int run_mpi_tests(int argc, char** argv) {
  const Session session(&argc, &argv);
  testing::InitGoogleTest(&argc, argv);
  test_session = &session;
  int failed = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, session.world());
  return failed;
}

}  // namespace thalweg::comm
