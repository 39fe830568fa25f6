// SPDX-License-Identifier: MIT
#include "command_doctor.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/command_line.hpp>
#include <thalweg/app/lone_rank.hpp>
#include <thalweg/app/processors.hpp>
#include <thalweg/app/python_package.hpp>
#include <thalweg/app/run_description.hpp>
#include <thalweg/comm/library.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/core/counted.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/model.hpp>
#include <thalweg/predict/calibrate.hpp>

#include "applications.hpp"
#include "commands.hpp"
#include "findings.hpp"
#include "on_ranks.hpp"
#include "self_test.hpp"

namespace thalweg {

namespace {

struct Options {
  std::uint32_t threads = 1;
  bool as_json = false;
};

std::string help() {
  return "Look at what runs need, and make a small one in every model.\n"
         "Usage: thalweg doctor [--threads N] [--json]\n"
         "       mpirun -n 2 thalweg doctor: with messages between the ranks\n\n"
         "  --threads N  Threads of each rank that runs are to have (1)\n"
         "  --json       For tools, schema thalweg-doctor-1\n\n"
         "Exit codes: 0 nothing is wrong, 2 a bad request, 3 something is wrong\n";
}

Options parse(const std::vector<std::string>& words) {
  Options options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--json") {
      options.as_json = true;
    } else if (words[i] == "--threads") {
      const std::string number = i + 1 < words.size() ? words[++i] : "";
      const char* const end = number.data() + number.size();
      const auto [at, error] = std::from_chars(number.data(), end, options.threads);
      if (error != std::errc() || at != end || options.threads < 1 || options.threads > 1024)
        throw Error(fmt::format("--threads {} (not a number from 1 to 1024); give one", number));
    } else {
      throw Error(
          fmt::format("{} (no option of doctor); there are --threads N and --json", words[i]));
    }
  }
  return options;
}

Finding of_mpi(const app::RunDescription& description) {
  const auto level = comm::thread_level();
  Finding finding{
      "mpi", State::good,
      fmt::format("{}{}{}; {} on {}", description.mpi, level.empty() ? "" : ", ", level,
                  counted(description.n_ranks, "rank"), joined_text(description.hosts))};
  if (const auto words = app::words_of_lone_rank(description.n_ranks); !words.empty()) {
    finding.state = State::wrong;
    finding.text += ". But " + words;
  }
  return finding;
}

Finding of_open_blas() {
  const auto blas = open_blas();
  if (blas) return {"openblas", State::good, *blas};
  return {"openblas", State::note, "only `thalweg cholesky` needs it: " + blas.error().message};
}

Finding of_python() {
  const auto package = app::find_python_package();
  if (package)
    return {"python", State::good, fmt::format("{} of {}", package->folder, package->python)};
  return {"python", State::note, "reports need it: " + package.error().message};
}

// What stands against so many threads on the processors that this rank may use; nothing: "".
std::string objection_to(std::uint32_t threads, std::size_t n_mine, std::size_t n_of_host,
                         std::size_t n_ranks_of_host) {
  const auto n_wanted = n_ranks_of_host * threads;
  if (n_mine > 0 && n_mine < threads)
    return fmt::format(
        "{} threads share {} of them and wait for each other; bind ranks to more, with Open MPI "
        "mpirun --map-by slot:PE={}, or take fewer threads",
        threads, n_mine, threads);
  if (n_of_host > 0 && n_of_host < n_wanted)
    return fmt::format(
        "{} ranks of a host with {} threads each share {} and wait for each other; start fewer, or "
        "use more hosts",
        n_ranks_of_host, threads, n_of_host);
  if (const auto limit = app::processor_limit(); limit && *limit < static_cast<double>(n_wanted))
    return fmt::format(
        "a control group lets {:.3g} work at a time and halts what is more; ask the batch system "
        "or the container for {}, or start fewer",
        *limit, n_wanted);
  return "";
}

// Which processors ranks may use, and whether these are enough for their threads.
Finding of_processors(flow::Transport& transport, const app::RunDescription& description,
                      std::uint32_t threads) {
  const auto mine = app::allowed_processors();
  const auto all = flow::all_gather_v<int>(transport, std::span<const int>(mine));
  const flow::ComputeNode* const node = transport.compute_node();
  std::set<int> of_host(mine.begin(), mine.end());
  std::size_t n_ranks_of_host = 1;
  if (node != nullptr) {
    n_ranks_of_host = node->ranks().size();
    for (const Rank rank : node->ranks()) of_host.insert(all.of(rank).begin(), all.of(rank).end());
  }
  const auto objections = app::gather_texts(
      transport, objection_to(threads, mine.size(), of_host.size(), n_ranks_of_host));
  const auto of_0 = all.of(Rank{0});
  Finding finding{"processors", State::good,
                  fmt::format("{}: {} of {}, rank 0 {} to {}", description.processor, of_0.size(),
                              app::n_online_processors(),
                              of_0.size() < app::n_online_processors() ? "is bound" : "may go",
                              app::ranges_of(of_0))};
  if (!app::processors_of_workers(threads).empty()) finding.text += ", a worker to each core";
  const auto first = std::ranges::find_if(objections, [](const auto& text) { return text != ""; });
  if (first != objections.end()) {
    finding.state = State::note;
    finding.text += fmt::format("; rank {}: {}", first - objections.begin(), *first);
  }
  return finding;
}

Finding of_memory(std::size_t bytes) {
  if (bytes == 0)
    return {"memory", State::note,
            "the system does not say how much is free; set run.memory_limit_mib"};
  return {"memory", State::good,
          fmt::format("{:.1f} GiB free for each rank", 0x1p-30 * static_cast<double>(bytes))};
}

// How long a message takes between ranks 0 and 1; it must have come to be timed.
Finding of_messages(flow::Transport& transport, const Clock& clock) {
  if (transport.n_ranks() == 1)
    return {"messages", State::note,
            "none with one rank; mpirun -n 2 thalweg doctor sends some, where MPI is there"};
  const auto found = predict::calibrate(transport, clock, 10);
  if (!found) return {"messages", State::wrong, found.error().message};
  return {"messages", State::good, "between ranks 0 and 1 " + predict::words_of(found->link)};
}

// More than one, so that there is something to get wrong; so few that it takes seconds anywhere.
std::uint32_t n_workers_of_test(std::uint32_t threads) {
  return std::clamp(threads, 2U, 8U);
}

// What is wrong with the small run, on this rank alone or on all together; "": nothing.
std::string wrong_of_runs(const SelfTest& test, app::Runtime& runtime, std::uint32_t threads,
                          Outcome& first) {
  std::string wrong;
  for (const flow::Model model : flow::all_models) {
    const auto n_workers = model == flow::Model::bulk ? 1 : n_workers_of_test(threads);
    const auto said = [&](std::string_view what) {
      if (wrong.empty()) wrong = fmt::format("model {}: {}", to_string(model), what);
    };
    const auto alone = test.run_alone(model, n_workers);
    if (!alone) said(alone.error().message);
    if (alone && model == flow::all_models.front()) first = *alone;
    if (alone && *alone != first) said("other bits than those of bulk");
    if (runtime.transport().n_ranks() == 1) continue;
    const auto together = test.run_on_all(
        runtime.context({.model = model, .executor = {.n_workers = std::min(threads, n_workers)}}));
    if (!together) runtime.transport().abort("error: " + together.error().message);
    if (together->integrals != first.integrals) said("other bits on all ranks than on one");
  }
  return wrong;
}

Finding of_self_test(app::Runtime& runtime, std::uint32_t threads) try {
  auto& transport = runtime.transport();
  const SteadyClock clock;
  const auto start_ns = clock.now_ns();
  Outcome mine{};
  auto wrong = wrong_of_runs(SelfTest(applications()), runtime, threads, mine);
  const auto hashes = flow::all_gather(transport, mine.cells);
  if (wrong.empty() && mine.cells != hashes.front()) wrong = "other bits than those of rank 0";
  const auto all = app::gather_texts(transport, wrong);
  const auto found = std::ranges::find_if(all, [](const auto& text) { return text != ""; });
  if (found != all.end())
    return {"self-test", State::wrong,
            fmt::format("rank {}, {} (a run must not depend on how it is run); please report it, "
                        "with this text",
                        found - all.begin(), *found)};
  return {"self-test", State::good,
          fmt::format("a Sedov blast has hash {:016x} in all models, on {} threads{}; {:.1f} s",
                      mine.cells, n_workers_of_test(threads),
                      all.size() > 1 ? ", each rank alone, and its integrals on all" : "",
                      1e-9 * static_cast<double>(clock.now_ns() - start_ns))};
} catch (const Error& error) {  // of the deck, and so on all ranks alike
  const std::string_view all = error.what();
  return {"self-test", State::note, fmt::format("not made: {}", all.substr(0, all.find('\n')))};
}

}  // namespace

int command_doctor(const std::vector<std::string>& words) {
  // Before MPI has threads that may read the environment.
  const auto blas = of_open_blas();
  return on_ranks("doctor", words, help, [&](app::Runtime& runtime) -> Result<int> {
    const auto options = parse(words);
    const auto context = runtime.context({.executor = {.n_workers = options.threads}});
    const auto description = app::describe_run(context);
    const std::vector findings{
        Finding{"thalweg", State::good,
                fmt::format("{}, {}", description.version, description.compiler)},
        of_mpi(description),
        blas,
        runtime.rank() == Rank{0} ? of_python() : Finding{},
        of_processors(context.transport, description, options.threads),
        of_memory(context.memory_bytes),
        of_messages(context.transport, context.clock),
        of_self_test(runtime, options.threads)};
    if (runtime.rank() == Rank{0})
      fmt::print("{}", options.as_json ? json_of(findings) : text_of(findings));
    return worst_of(findings) == State::wrong ? app::exit_failure : app::exit_success;
  });
}

}  // namespace thalweg
