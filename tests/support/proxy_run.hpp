// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "virtual_ranks.hpp"

namespace thalweg::testing {

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

/// What is left of a proxy's run.
template <class Facts>
struct ProxyOutcome {
  std::string printed{};
  std::string error{};  ///< of the run
  Facts facts{};        ///< rank 0's, where there is none
};

/// Run a proxy on virtual ranks, under a random schedule.
/// @param run  the proxy in a Context; its facts, or why there are none
template <class Facts, class Run>
void run_proxy(int n_ranks, const app::Execution& execution, io::FileSystem& files,
               ProxyOutcome<Facts>& outcome, Run run, std::uint64_t seed = 4) {
  Printed printed;
  const auto done =
      on_virtual_ranks({.n_ranks = n_ranks, .seed = seed}, files, [&](const app::Context& context) {
        Logger log(printed.file(), context.transport.rank());
        app::Execution own = execution;
        own.executor.picker = context.execution.executor.picker;
        const auto end = run(app::Context{context.transport, context.clock, files, log, own});
        if (!end) context.transport.abort(end.error().message);
        if (context.transport.rank() == Rank(0)) outcome.facts = *end;
      });
  if (!done) outcome.error = done.error().message;
  outcome.printed = printed.text();
}

}  // namespace thalweg::testing
