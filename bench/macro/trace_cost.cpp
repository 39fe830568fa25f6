// SPDX-License-Identifier: MIT
// bench: what tracing costs steps of a Sedov blast: off, outside its window, and on (1 thread)
// Blocks of 16^3 on three levels, data flow; the three in turn, so that drifts of the machine hit
// all. With an argument it only does so many steps in one way (off, outside, on), to count
// instructions.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <report.hpp>

#include <thalweg/app/application.hpp>
#include <thalweg/app/runtime.hpp>
#include <thalweg/hydro/application.hpp>
#include <thalweg/hydro/setup.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/trace/sink_memory.hpp>

namespace {

using namespace thalweg;

constexpr auto sedov = R"(
[problem]
name = "sedov"
[mesh]
lower = [0.0, 0.0, 0.0]
upper = [0.5, 0.5, 0.5]
root_blocks = [2, 2, 2]
block_cells = 16
max_level = 2
[boundary]
lower = ["reflecting", "reflecting", "reflecting"]
upper = ["outflow", "outflow", "outflow"]
[time]
end = 100.0
[regrid]
criteria = ["density", "pressure"]
interval = 0
)";

/// The same problem, traced in one way.
class Traced {
 public:
  enum class How { off, outside, on };

  Traced(app::Runtime& runtime, How how) {
    const std::vector<app::Application> applications{hydro::application()};
    const auto setup = hydro::set_up<3>(app::load_deck(applications, sedov, "sedov"));
    if (how != How::off) {
      const bool is_on = how == How::on;
      sink_.emplace(trace::MemorySink::Config{
          .n_events_per_worker = is_on ? n_events : 0,
          .steps = is_on ? trace::StepWindow{} : trace::StepWindow{1'000'000, 1'000'001}});
    }
    simulation_ = hydro::Simulation<3>::create(
                      runtime.context({.executor = {.sink = sink_ ? &*sink_ : nullptr}}),
                      setup.problem, setup.settings)
                      .value();
    advance(2);
  }

  /// Do some steps. @return nanoseconds
  double advance(std::int64_t n_steps) {
    const SteadyClock clock;
    const std::int64_t start_ns = clock.now_ns();
    bench::require(simulation_->advance_to(simulation_->time_state().step + n_steps));
    return static_cast<double>(clock.now_ns() - start_ns);
  }
  /// @errors throws where events were dropped, which would be cheaper than keeping them
  double n_events_kept() const {
    if (sink_->n_dropped() > 0) throw std::runtime_error("the trace's buffer is too small");
    return static_cast<double>(sink_->events(0).size());
  }

 private:
  static constexpr std::size_t n_events = 4'000'000;
  std::optional<trace::MemorySink> sink_;
  std::unique_ptr<hydro::Simulation<3>> simulation_;
};

void measure(app::Runtime& runtime) {
  constexpr int n_repetitions = 21;
  constexpr std::int64_t n_steps = 3;
  bench::Report report;
  Traced off(runtime, Traced::How::off), outside(runtime, Traced::How::outside),
      on(runtime, Traced::How::on);
  std::vector<double> outside_percent, on_percent;
  const double before = on.n_events_kept();
  for (int i = 0; i < n_repetitions; ++i) {
    const double off_ns = off.advance(n_steps);
    outside_percent.push_back(100 * (outside.advance(n_steps) / off_ns - 1));
    on_percent.push_back(100 * (on.advance(n_steps) / off_ns - 1));
  }
  report.add("outside the window: time more than off", "%", outside_percent);
  report.add("on: time more than off", "%", on_percent);
  report.add("on: events a step", "",
             {(on.n_events_kept() - before) / static_cast<double>(n_repetitions * n_steps)});
  report.print();
}

}  // namespace

int main(int argc, char** argv) {
  app::Runtime runtime(nullptr, nullptr);
  if (argc < 3) {
    measure(runtime);
    return 0;
  }
  const std::string how = argv[1];
  Traced traced(runtime, how == "on"        ? Traced::How::on
                         : how == "outside" ? Traced::How::outside
                                            : Traced::How::off);
  traced.advance(std::atoll(argv[2]));
}
