// SPDX-License-Identifier: MIT
#include <charconv>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include <thalweg/app/runtime.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/induction/induction.hpp>

namespace {

double end_of(std::string_view text) {
  double end = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), end);
  if (error != std::errc{} || rest != text.data() + text.size())
    throw thalweg::Error(fmt::format("end = {} (it is no time); try 0.1", text));
  return end;
}

}  // namespace

// Carries a loop of magnetic field through the domain, once if no other end is given, and says what
// came of it.
int main(int argc, char** argv) {
  using namespace thalweg;
  app::Runtime runtime(&argc, &argv);
  const bool speaks = runtime.rank() == Rank{0};
  try {
    induction::Settings settings;
    if (argc > 1) settings.end = end_of(argv[1]);
    const SteadyClock clock;
    const auto summary =
        induction::run(runtime.transport(), clock, {}, flow::Model::dataflow, settings);
    if (!summary) {
      fmt::print(stderr, "error: {}\n", summary.error().message);
      runtime.transport().abort(summary.error().message);
      return 1;
    }
    if (speaks)
      fmt::print(
          "steps {}, levels {}, blocks {}, made new {}\n"
          "energy {:.6f} of {:.6f}, error {:.4f}, div B dx / B {:.1e}\nhash {:016x}\n",
          summary->n_steps, summary->n_levels, summary->n_blocks, summary->n_regridded,
          summary->energy, summary->energy_at_start, summary->error, summary->divergence,
          summary->hash);
    return 0;
  } catch (const Error& error) {
    if (speaks) fmt::print(stderr, "error: {}\n", error.what());
    return 2;
  }
}
