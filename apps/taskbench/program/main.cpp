// SPDX-License-Identifier: MIT
#include <string_view>

#include <fmt/format.h>

#include <thalweg/taskbench/app.hpp>
#include <thalweg/taskbench/drive.hpp>

int main(int argc, char** argv) {
  using namespace thalweg::taskbench;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) != "-h" && std::string_view(argv[i]) != "--help") continue;
    fmt::print(
        "thalweg-taskbench: the graphs of Task Bench, on MPI ranks and threads\n\n{}\n{}"
        "  -runtime     flow, openmp or starpu, to compare (flow)\n\n"
        "Exit codes: 0 success, 2 a bad request (nothing was started), 3 a wrong input\n",
        option_help(), run_option_help());
    return 0;
  }
  return drive<App>(argc, argv);
}
