// SPDX-License-Identifier: MIT
// Forgets some memory under MPI: LeakSanitizer must say so, whatever it is told about MPI's own.
#include <cstdio>

#include <thalweg/comm/session.hpp>

namespace {

[[gnu::noinline]] void forget_about_it(int rank) {
  auto* numbers = new double[1000];
  numbers[rank] = 1;
  std::printf("%g\n", numbers[rank]);
}

}  // namespace

int main(int argc, char** argv) {
  const thalweg::comm::Session session(&argc, &argv);
  forget_about_it(static_cast<int>(session.rank()()));
}
