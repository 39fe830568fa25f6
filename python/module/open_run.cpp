// SPDX-License-Identifier: MIT
#include "open_run.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/driver.hpp>
#include <thalweg/app/output_folder.hpp>
#include <thalweg/app/run_description.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/collective.hpp>

#include "applications.hpp"
#include "interpreter_lock.hpp"

namespace thalweg::python {

app::Request Interrupts::take() {
  const WithLock held;
  // Handlers of signals run in this call: one may raise an exception, or set is_asked.
  const bool is_raised = unless_python_ends([] { return PyErr_CheckSignals() != 0; });
  if (!is_raised && !is_asked) return {};
  if (!is_raised) PyErr_SetNone(PyExc_KeyboardInterrupt);
  error.emplace();
  return {.checkpoint = false, .stop = true};
}

template <class F>
auto OpenRun::in_steps(F f) {
  const Back back{at_, std::exchange(at_, At::steps)};
  const WithoutLock released;
  try {
    return f();
  } catch (const RankError& error) {
    // The others may wait for this rank; a caller who goes on would let them.
    if (n_ranks_ > 1) runtime_->transport().abort(fmt::format("error: {}", error.what()));
    throw;
  }
}

OpenRun::OpenRun(const app::RunRequest& request, Printed printed, std::optional<int> communicator)
    : applications_(applications()), folder_(request.folder.value_or("")) {
  in_steps([&] {
    runtime_.emplace(nullptr, nullptr, communicator);
    auto& transport = runtime_->transport();
    rank_ = static_cast<int>(transport.rank()());
    n_ranks_ = transport.n_ranks();
    const bool is_loud = printed == Printed::everything;
    log_.emplace(is_loud ? stdout : stderr, transport.rank(),
                 is_loud ? LogLevel::info : LogLevel::warn);
    app::check_same_words(transport, request.words);
    job_ = app::load_job(applications_, request, *runtime_);
    app::check_job(applications_, *job_, folder_, *runtime_);
    if (folder_.empty()) return;
    auto lock = app::take_folder(*job_, folder_, *runtime_);
    if (lock) lock_.emplace(*std::move(lock));  // of rank 0
  });
}

Result<void> OpenRun::begin() {
  const auto& deck = job_->deck;
  auto context = app::with_log(runtime_->context(app::execution_of(deck)), *log_);
  context.requests = &interrupts_;
  app::check_same_words(
      context.transport,
      fmt::format("functions of blocks: initial {}, tags {}, source {}, longest_dt {}",
                  bool(functions_.initial), bool(functions_.tag), bool(functions_.source),
                  bool(functions_.longest_dt)));
  auto begun = app::begin_run(app::application_of(applications_, deck), deck, context, folder_,
                              job_->from, functions_);
  if (!begun) return std::unexpected(begun.error());
  if (!folder_.empty())
    app::remove_old_results(context.transport, runtime_->files(), folder_, job_->existing,
                            deck.string(app::identity_key));
  if (auto started = (*begun)->start(app::describe_run(context)); !started) return started;
  run_ = *std::move(begun);
  return {};
}

std::int64_t OpenRun::n_steps() {
  if (!is_at_start()) return simulation().time_state().step;
  return job_->from ? job_->from->manifest.step : 0;
}

double OpenRun::time() {
  if (!is_at_start()) return simulation().time_state().time;
  return job_->from ? job_->from->manifest.time : 0;
}

std::unique_ptr<app::AnySetup> OpenRun::set_up() const {
  return app::set_up(app::application_of(applications_, job_->deck), job_->deck);
}

app::DeckRun& OpenRun::begun() {
  check_open();
  if (at_ == At::steps || (at_ == At::call && std::this_thread::get_id() != caller_))
    throw std::runtime_error(
        "the simulation makes steps, in another thread or around this function (its cells "
        "change); in a function of blocks take what `cells` has (cells.time, cells[...]), "
        "elsewhere wait until they are made");
  if (!failure_.empty())
    throw std::runtime_error(
        fmt::format("the simulation has failed ({}); make a new one", failure_));
  if (run_) return *run_;
  try {
    if (const auto done = in_steps([&] { return begin(); }); !done) fail(done.error());
  } catch (const Error& error) {  // of all ranks alike
    failure_ = error.what();
    if (raised_) throw nb::python_error(*std::exchange(raised_, std::nullopt));
    throw;
  }
  for (app::Callback& callback : std::exchange(waiting_, {})) run_->add(std::move(callback));
  return *run_;
}

void OpenRun::fail(const Failure& why) {
  if (error_) throw nb::python_error(*std::exchange(error_, std::nullopt));
  failure_ = why.message;
  auto& transport = runtime_->transport();
  if (transport.n_ranks() > 1) transport.abort("error: " + why.message);
  if (raised_) throw nb::python_error(*std::exchange(raised_, std::nullopt));
  throw std::runtime_error(why.message);
}

Result<void> OpenRun::call(const nb::callable& f, std::int64_t n_steps) {
  const WithLock held;
  const Back back{at_, std::exchange(at_, At::call)};
  caller_ = std::this_thread::get_id();
  try {
    unless_python_ends([&] { f(); });
  } catch (nb::python_error& error) {
    const auto text =
        fmt::format("exception in a function given to every({}): {}", n_steps, error.what());
    auto& transport = runtime_->transport();
    if (transport.n_ranks() > 1)
      transport.abort(fmt::format("error: rank {}: {}", transport.rank()(), text));
    error_.emplace(std::move(error));
    return std::unexpected(Failure{text});
  }
  return {};
}

void OpenRun::check_open() const {
  if (is_closed_) throw std::runtime_error("the simulation is closed; make a new one");
}

void OpenRun::check_not_begun() const {
  check_open();
  if (run_ || !failure_.empty() || at_ != At::rest)
    throw std::runtime_error(
        "the simulation has begun (its mesh was built); give functions of blocks before it is "
        "used");
}

template <class F>
void OpenRun::in_task(const char* name, F f) {
  const WithLock held;
  try {
    f();
  } catch (nb::python_error& error) {
    const auto text = fmt::format("exception in the function of @sim.{}: {}", name, error.what());
    // At once: what is left of a graph that failed must not see the messages of others.
    if (n_ranks_ > 1) runtime_->transport().abort(fmt::format("error: rank {}: {}", rank_, text));
    if (!raised_) raised_.emplace(std::move(error));
    throw std::runtime_error(text);
  }
}

nb::object OpenRun::lend(const app::BlockCells& cells) {
  return nb::cast(app::BlockCells(cells), nb::rv_policy::move);
}

void OpenRun::take(app::BlockFunctions functions) {
  set_up()->take(functions);
  functions_ = std::move(functions);
}

void OpenRun::set_initial(nb::callable f) {
  check_not_begun();
  initial_ = std::move(f);
  // Functions are copied by threads without the interpreter's lock: they hold nothing of it.
  auto functions = functions_;
  functions.initial = [this](app::BlockCells& cells) {
    in_task("initial", [&] {
      const nb::object lent = lend(cells);
      unless_python_ends([&] { initial_(lent); });
      cells.values = nb::cast<app::BlockCells&>(lent).values;
    });
  };
  take(std::move(functions));
}

void OpenRun::set_source(nb::callable f) {
  check_not_begun();
  source_ = std::move(f);
  auto functions = functions_;
  functions.source = [this](app::BlockCells& cells, double dt) {
    in_task("source", [&] {
      const nb::object lent = lend(cells);
      unless_python_ends([&] { source_(lent, dt); });
      cells.values = nb::cast<app::BlockCells&>(lent).values;
    });
  };
  take(std::move(functions));
}

void OpenRun::set_tags(nb::callable f) {
  check_not_begun();
  tags_ = std::move(f);
  auto functions = functions_;
  functions.tag = [this](const app::BlockCells& cells) {
    std::vector<std::uint8_t> tags;
    in_task("tags", [&] {
      const nb::object lent = lend(cells);
      const auto given = nb::cast<nb::bytes>(unless_python_ends([&] { return tags_(lent); }));
      const auto* const first = static_cast<const std::uint8_t*>(given.data());
      tags.assign(first, first + given.size());
    });
    return tags;
  };
  take(std::move(functions));
}

void OpenRun::set_longest_dt(nb::callable f) {
  check_not_begun();
  longest_dt_ = std::move(f);
  auto functions = functions_;
  functions.longest_dt = [this](const app::BlockCells& cells) {
    double dt = 0;
    in_task("longest_dt", [&] {
      const nb::object lent = lend(cells);
      dt = nb::cast<double>(unless_python_ends([&] { return longest_dt_(lent); }));
    });
    return dt;
  };
  take(std::move(functions));
}

void OpenRun::every(std::int64_t n_steps, nb::callable f) {
  check_open();
  app::Callback callback{
      .every = {.steps = n_steps},
      .call = [this, n_steps, f = std::move(f)](auto&, const auto&) { return call(f, n_steps); },
      .at_start = false,
      .at_end = false};
  if (run_)
    begun().add(std::move(callback));
  else
    waiting_.push_back(std::move(callback));
}

std::string OpenRun::advance(const app::Pause& pause) {
  auto& run = begun();
  if (at_ == At::call)
    throw std::runtime_error(
        "steps cannot be made by a function that is called between two steps; let it return");
  const auto end = in_steps([&] { return run.advance(pause); });
  if (!end) fail(end.error());
  if (interrupts_.error) throw nb::python_error(*std::exchange(interrupts_.error, std::nullopt));
  switch (*end) {
    case app::RunEnd::finished:
      return "finished";
    case app::RunEnd::stopped:
      return "stopped";
    case app::RunEnd::paused:
      return "paused";
  }
  return "";  // not reached
}

void OpenRun::write_plotfile(const std::string& path, bool force,
                             const std::optional<std::vector<std::string>>& fields,
                             const std::optional<std::vector<std::string>>& derived) {
  auto request = begun().plot_request(path);
  if (fields) request.fields = fields;
  if (derived) request.derived = *derived;
  auto& state = simulation();
  const auto written = in_steps([&] {
    std::string why;
    if (rank_ == 0) why = app::objection_to_plotfile(runtime_->files(), path, force);
    why = app::broadcast(runtime_->transport(), why);
    if (!why.empty()) throw Error(why);
    return state.write_plot(request);
  });
  if (!written) throw std::runtime_error(written.error().message);
}

std::string OpenRun::write_checkpoint() {
  if (folder_.empty())
    throw Error(
        "write_checkpoint (there is no folder for results, in which it would be); make the "
        "Simulation with out=...");
  auto& run = begun();
  const auto written = in_steps([&] { return run.write_checkpoint(); });
  if (!written) throw std::runtime_error(written.error().message);
  return *written;
}

std::vector<std::pair<std::string, double>> OpenRun::totals() {
  auto& state = simulation();
  return in_steps([&] {
    const auto values = state.totals();
    std::vector<std::pair<std::string, double>> totals;
    for (const auto& name : state.total_names()) totals.emplace_back(name, values[totals.size()]);
    return totals;
  });
}

nb::ndarray<nb::numpy, const double> OpenRun::array(nb::handle self, const app::LocalBlock& block,
                                                    std::uint64_t revision, int component,
                                                    bool with_ghosts) {
  if (simulation().blocks_revision() != revision)
    throw std::runtime_error(
        "the mesh has changed since this block was asked for, or f of phase space has been "
        "advanced "
        "(blocks come and go with a regrid, and f moves to other memory in a step); ask the "
        "simulation for its level again");
  const std::int64_t n_ghosts = with_ghosts ? block.n_ghosts : 0;
  std::vector<std::size_t> shape;
  const double* first = block.data + component * block.component_stride;
  for (std::size_t a = 0; a < block.extent.size(); ++a) {
    shape.push_back(static_cast<std::size_t>(block.extent[a] + 2 * n_ghosts));
    first -= n_ghosts * block.strides[a];
  }
  struct Held {
    nb::object run;
    int& n_arrays;
  };
  const nb::capsule owner(new Held{nb::borrow(self), n_arrays_}, [](void* held) noexcept {
    const auto* const mine = static_cast<Held*>(held);
    --mine->n_arrays;
    delete mine;
  });
  ++n_arrays_;
  return {first, shape.size(), shape.data(), owner, block.strides.data()};
}

void OpenRun::close() {
  if (!has_memory()) return;
  if (at_ != At::rest)
    throw std::runtime_error("the simulation makes steps; close it when they are made");
  is_closed_ = true;
  waiting_.clear();
  lock_.reset();
  // What others wait for is given back by all together.
  const int mine = n_arrays_ > 0 ? 1 : 0;
  const bool is_seen = in_steps([&] {
    return flow::all_reduce(runtime_->transport(), mine,
                            [](int a, int b) { return std::max(a, b); }) > 0;
  });
  if (is_seen) return;
  run_.reset();
  runtime_.reset();
}

}  // namespace thalweg::python
