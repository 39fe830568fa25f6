// SPDX-License-Identifier: MIT
#pragma once
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/flow/picker.hpp>
#include <thalweg/miniamr/run.hpp>

#include "reference_case.hpp"

namespace thalweg::miniamr::testing {

/// What ranks print, in memory.
class Printed {
 public:
  Printed() : file_(open_memstream(&text_, &size_)) {}
  ~Printed() {
    std::fclose(file_);
    std::free(text_);
  }
  Printed(const Printed&) = delete;
  Printed& operator=(const Printed&) = delete;

  std::FILE* file() { return file_; }
  std::string text() {
    std::fflush(file_);
    return {text_, size_};
  }

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  std::FILE* file_;
};

struct Outcome {
  std::string printed;
  std::string error;  ///< of the run
  RunFacts facts;     ///< where there is none
  io::MemoryFileSystem files;
};

/// Run on virtual ranks, under a random schedule.
inline std::unique_ptr<Outcome> run_on(int n_ranks, const Options& options,
                                       std::uint64_t seed = 3) {
  auto outcome = std::make_unique<Outcome>();
  Printed printed;
  comm::SimNetwork network({.n_ranks = n_ranks, .seed = seed});
  const auto done = network.run([&](flow::Transport& transport) {
    Logger log(printed.file(), transport.rank());
    flow::UniformPicker picker(seed + transport.rank()());
    app::Execution execution = execution_of(options);
    execution.executor.n_workers = 1;
    execution.executor.picker = &picker;
    const auto end = run(options, {transport, network.clock(), outcome->files, log, execution});
    if (!end) transport.abort(end.error().message);
    outcome->facts = *end;
  });
  if (!done) outcome->error = done.error().message;
  outcome->printed = printed.text();
  return outcome;
}

}  // namespace thalweg::miniamr::testing
