// SPDX-License-Identifier: MIT
// bench: Cholesky's factorisation with tiles of 16 to 256, replayed beside submitted as StarPU
// tasks
#include <cholesky_grain.hpp>

#include <thalweg/backends/starpu.hpp>

int main() {
  using namespace thalweg;
  bench::Report report;
  bench::measure_grain<backends::StarPuExecutor>(report, "StarPU", 2);
  report.print();
}
