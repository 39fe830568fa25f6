// SPDX-License-Identifier: MIT
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/clock.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/model.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/flow/transport.hpp>

#include "bind.hpp"
#include "interpreter_lock.hpp"

namespace thalweg::python {

namespace {

/// The network of a graph without messages: one rank, which hears from nobody.
class OneRank final : public flow::Transport {
 public:
  OneRank() : Transport(Rank{0}, 1) {}

  void post_send(std::span<const std::byte>, Rank, flow::Channel, flow::Tag,
                 flow::Ticket) override {
    abort("a message of a graph of one rank");
  }
  void post_recv(std::span<std::byte>, Rank, flow::Channel, flow::Tag, flow::Ticket) override {
    abort("a message of a graph of one rank");
  }
  void poll(std::vector<flow::Ticket>&) override {}
  [[noreturn]] void abort(std::string_view message) override {
    throw std::runtime_error(std::string(message));
  }
};

/// Tasks as they were recorded, and the graph of them. It holds no Python objects.
class TaskGraph {
 public:
  using Accesses = std::vector<std::pair<std::uint32_t, std::string>>;

  /// @param accesses  numbers of data, each with "in", "out" or "inout"
  /// @param after  numbers of tasks
  std::uint32_t add(std::string name, Accesses accesses, std::vector<std::uint32_t> after) {
    check_at_rest();
    tasks_.push_back({std::move(name), std::move(accesses), std::move(after)});
    graph_.reset();
    return static_cast<std::uint32_t>(tasks_.size() - 1);
  }

  /// Run it so many times: each task calls its function, with the interpreter's lock.
  /// @param functions  of each task  @errors what a function has thrown first
  void run(const nb::list& functions, std::uint64_t n_times, std::uint32_t n_workers,
           const std::string& model_name) {
    const auto model = flow::model_from_string(model_name);
    if (!model)
      throw Error(fmt::format("no model '{}'; give bulk, forkjoin, phase or dataflow", model_name));
    check_at_rest();
    if (!graph_ || model_ != model) capture(*model);
    const struct Running {
      const nb::list*& functions;
      ~Running() { functions = nullptr; }
    } running{functions_ = &functions};
    std::optional<std::string> failure;
    {
      const WithoutLock released;
      OneRank transport;
      const SteadyClock clock;
      flow::Executor executor(
          {.n_workers = model == flow::Model::bulk ? 1 : n_workers, .watchdog_s = 0}, transport,
          clock);
      if (const auto done = executor.run(*graph_, n_times); !done) failure = done.error().message;
    }
    if (!failure) return;
    graph_.reset();
    if (error_) throw nb::python_error(*std::exchange(error_, std::nullopt));
    throw std::runtime_error(*failure);
  }

 private:
  void check_at_rest() const {
    if (functions_ != nullptr) throw std::runtime_error("the graph is running; wait for its end");
  }

  struct Task {
    std::string name;
    Accesses accesses;
    std::vector<std::uint32_t> after;
  };

  void capture(flow::Model model) {
    flow::Recorder recorder(Rank{0}, 1);
    std::vector<flow::DatumId> data;
    std::vector<flow::TaskId> ids;
    for (std::uint32_t number = 0; number < tasks_.size(); ++number) {
      const Task& task = tasks_[number];
      std::vector<flow::Access> accesses;
      for (const auto& [datum, mode] : task.accesses) {
        while (datum >= data.size()) data.push_back(recorder.datum(fmt::format("{}", data.size())));
        accesses.push_back({data[datum], mode == "in"    ? flow::Mode::in
                                         : mode == "out" ? flow::Mode::out
                                                         : flow::Mode::inout});
      }
      ids.push_back(
          recorder.task(task.name, accesses, [this, number](flow::TaskContext&) { call(number); }));
      for (const std::uint32_t before : task.after) recorder.after(ids[before], ids.back());
    }
    graph_.emplace(flow::capture(std::move(recorder), model));
    model_ = model;
  }

  // From any worker; one at a time has the lock.
  void call(std::uint32_t number) {
    const WithLock held;
    try {
      unless_python_ends([&] { (*functions_)[number](); });
    } catch (nb::python_error& error) {
      const std::string text = error.what();
      if (!error_) error_.emplace(std::move(error));
      throw std::runtime_error(text);
    }
  }

  std::vector<Task> tasks_;
  std::optional<flow::Graph> graph_;
  std::optional<flow::Model> model_;
  const nb::list* functions_ = nullptr;  // while it runs
  std::optional<nb::python_error> error_;
};

}  // namespace

void bind_graph(nb::module_& module) {
  nb::class_<TaskGraph>(module, "TaskGraph", "Tasks and what orders them.")
      .def(nb::init<>())
      .def("add", &TaskGraph::add, nb::arg("name"), nb::arg("accesses"), nb::arg("after"),
           "Record a task; gives its number.")
      .def("run", &TaskGraph::run, nb::arg("functions"), nb::arg("n_times"), nb::arg("n_workers"),
           nb::arg("model"), "Run all tasks so many times.",
           nb::sig("def run(self, functions: list[collections.abc.Callable[[], object]], "
                   "n_times: int, n_workers: int, model: str) -> None"));
}

}  // namespace thalweg::python
