// SPDX-License-Identifier: MIT
#include <thalweg/comm/testing/mpi_main.hpp>

int main(int argc, char** argv) {
  return thalweg::comm::run_mpi_tests(argc, argv);
}
