// SPDX-License-Identifier: MIT
// bench: Cholesky's factorisation with tiles of 16 to 256, replayed beside submitted as OpenMP
// tasks
#include <cholesky_grain.hpp>

#include <thalweg/backends/openmp.hpp>

int main() {
  using namespace thalweg;
  bench::Report report;
  for (const std::uint32_t n_threads : {1U, 2U})
    bench::measure_grain<backends::OpenMpExecutor>(report, "OpenMP", n_threads);
  report.print();
}
