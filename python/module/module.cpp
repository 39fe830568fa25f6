// SPDX-License-Identifier: MIT
// The compiled part of the Python package. It is not called by users: python/thalweg/simulation.py
// gives it the form in which they see it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <exception>
#include <memory>
#include <string>

#include <thalweg/app/lone_rank.hpp>
#include <thalweg/app/runtime.hpp>
#include <thalweg/core/error.hpp>

#include "bind.hpp"

namespace thalweg::python {

namespace {

/// This process as a rank: MPI, from here to end(), unless somebody else has started it.
class Process {
 public:
  Process() { app::warn_of_lone_rank(n_ranks()); }
  int rank() const { return static_cast<int>(runtime_->rank()()); }
  int n_ranks() const { return transport().n_ranks(); }
  void abort(const std::string& message) const { transport().abort(message); }
  void end() { runtime_.reset(); }
  void leave() { static_cast<void>(runtime_.release()); }

 private:
  flow::Transport& transport() const { return runtime_->transport(); }

  std::unique_ptr<app::Runtime> runtime_ = std::make_unique<app::Runtime>(nullptr, nullptr);
};

}  // namespace

}  // namespace thalweg::python

NB_MODULE(_thalweg, module) {
  using namespace thalweg::python;
  module.doc() = "The compiled part of thalweg.";
  // What is open at the end of the program ends with it.
  nb::set_leak_warnings(false);
  // A bad request.
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const thalweg::Error& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    }
  });
  nb::class_<Process>(module, "Process", "This process as a rank; starts MPI.")
      .def(nb::init<>())
      .def_prop_ro("rank", &Process::rank)
      .def_prop_ro("n_ranks", &Process::n_ranks)
      .def("abort", &Process::abort, nb::arg("message"), "End all ranks.")
      .def("end", &Process::end, "End MPI, when all ranks have come here.")
      .def("leave", &Process::leave,
           "Do not end MPI: in a child of fork, or beside a thread that still uses it.");
  bind_run(module);
  bind_graph(module);
  bind_proxies(module);
}
