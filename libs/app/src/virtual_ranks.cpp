// SPDX-License-Identifier: MIT
#include <thalweg/app/virtual_ranks.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/driver.hpp>
#include <thalweg/app/execution_options.hpp>
#include <thalweg/app/processors.hpp>
#include <thalweg/app/statistics.hpp>
#include <thalweg/comm/sim_network.hpp>
#include <thalweg/comm/transport_alone.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/core/crc32c.hpp>
#include <thalweg/core/logger.hpp>
#include <thalweg/exchange/emit/task_names.hpp>
#include <thalweg/field/joined_blocks.hpp>
#include <thalweg/flow/picker.hpp>
#include <thalweg/io/checkpoint.hpp>
#include <thalweg/io/file_system.hpp>

namespace thalweg::app {

Result<void> on_virtual_ranks(int n_ranks, const Execution& execution,
                              const std::function<void(const Context&)>& program) {
  // On one compute node, as they share the memory of this process.
  comm::SimNetwork network({.n_ranks = n_ranks,
                            .compute_nodes = std::vector<int>(static_cast<std::size_t>(n_ranks), 0),
                            .order = comm::RankOrder::in_turn});
  std::exception_ptr bad_request;
  const auto on_rank = [&](flow::Transport& transport) {
    io::MemoryFileSystem files;
    Logger log(nullptr, transport.rank());
    flow::UniformPicker picker(transport.rank()());
    Context context{transport, network.clock(), files, log, execution};
    if (execution.executor.n_workers > 1)
      context.execution.executor.picker = &picker;  // all ranks share one thread
    context.execution.executor.progress = flow::Progress::idle;
    try {
      program(context);
    } catch (const Error&) {
      bad_request = std::current_exception();
      throw;
    }
  };
  auto done = network.run(on_rank);
  if (!done && bad_request) std::rethrow_exception(bad_request);
  return done;
}

MeshOfDeck mesh_at_start(const Application& application, const io::Deck& deck) {
  comm::AloneTransport transport;
  const SteadyClock clock;
  io::MemoryFileSystem files;
  Logger log(nullptr, transport.rank());
  const Context context{
      transport, clock, files, log, {.executor = {.n_workers = n_usable_processors()}}};
  try {
    return std::make_shared<const Result<WantedBlocks>>(
        set_up(application, deck)->wanted_blocks(context));
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    return std::make_shared<const Result<WantedBlocks>>(std::unexpected(Failure{error.what()}));
  }
}

MeshOfDeck mesh_of_checkpoint(const RestartPoint& from) {
  const auto& [path, manifest] = from.checkpoint;
  const io::CheckpointFiles parts(from.files, path,
                                  {manifest.block_bytes(), manifest.blocks_per_file});
  const auto index = parts.read_index(0, manifest.n_blocks());
  if (!index) throw Error(fmt::format("{}; name another checkpoint", index.error().message));
  if (crc32c(std::as_bytes(std::span(*index))) != manifest.index_crc)
    throw Error(
        fmt::format("the index of '{}' is not the one that was written (its checksum is another); "
                    "name another checkpoint",
                    path));
  // A pass makes one level more, of blocks that are in the order of levels.
  WantedBlocks passes;
  std::vector<BlockName> finer;
  for (std::int32_t before = 0; const io::IndexEntry& block : *index) {
    if (block.level < before || block.level > before + 1)
      throw Error(
          fmt::format("the blocks of '{}' are not in the order of levels (no run writes them so); "
                      "name another checkpoint",
                      path));
    if (block.level > before && before > 0) passes.push_back(finer);
    if (block.level > 0) finer.push_back({block.level, block.code});
    before = block.level;
  }
  if (!finer.empty()) passes.push_back(std::move(finer));
  return std::make_shared<const Result<WantedBlocks>>(std::move(passes));
}

namespace {

/// What a result holds. @errors throws what it says instead
template <class R>
decltype(auto) value_of(R&& result) {
  if (!result) throw std::runtime_error(result.error().message);
  return *std::forward<R>(result);
}

/// Whether the mesh of a deck follows the solution.
bool has_regrids(const io::Deck& deck) {
  return deck.is_declared("regrid.interval") && deck.integer("regrid.interval") > 0 &&
         deck.integer("mesh.max_level") > 0;
}

/// A deck whose blocks may be joined, but for that.
std::optional<io::Deck> with_blocks_apart(const Application& application, const io::Deck& deck) {
  if (!deck.is_declared("mesh.join_blocks") || !deck.boolean("mesh.join_blocks"))
    return std::nullopt;
  const std::array<std::string, 1> apart{"mesh.join_blocks=false"};
  return load_deck(std::span(&application, 1), deck.to_toml(), "the deck", apart);
}

/// The simulation of a deck, at its start or where it goes on.
std::unique_ptr<AnySimulation> simulation_of(const Application& application, const io::Deck& deck,
                                             const RestartPoint* from, const Context& ours) {
  const auto setup = set_up(application, deck);
  if (from == nullptr) return value_of(setup->simulation(ours, nullptr, {}));
  return value_of(setup->simulation(with_files(ours, from->files), &from->checkpoint, {}));
}

/// A regrid that finds the mesh there is: how it will change is not known.
VirtualRefinement regrid_of(const Application& application, const io::Deck& deck,
                            const MeshOfDeck& mesh, const RestartPoint* from) {
  const auto without_cells = [&application, deck, mesh](const Context& context) {
    auto made = set_up(application, deck)->simulation_without_cells(context, value_of(*mesh));
    return value_of(std::move(made));
  };
  const auto look = [without_cells](const Context& context, const OnChange& on_change) {
    return without_cells(context)->look_at_regrid(
        [&](const flow::Graph& graph) { on_change(0, graph); });
  };
  const auto run = [&application, deck, from](const Context& context, std::int64_t n) {
    value_of(simulation_of(application, deck, from, context)->tag_cells(n));
  };
  const auto time_block = [without_cells](const Context& context) {
    const auto made = without_cells(context);
    constexpr int n_times = 3;
    double least = std::numeric_limits<double>::max();
    for (int n = 0; n < n_times; ++n) {
      const std::int64_t start_ns = context.clock.now_ns();
      const auto n_blocks = static_cast<double>(made->make_anew());
      least = std::min(least, static_cast<double>(context.clock.now_ns() - start_ns) / n_blocks);
    }
    return least;
  };
  return {.name = "regrid",
          .n_steps = deck.integer("regrid.interval"),
          .look = look,
          .run = run,
          .time_block = time_block};
}

}  // namespace

VirtualProgram virtual_program(const Application& application, const io::Deck& deck, int n_ranks,
                               MeshOfDeck mesh, const RestartPoint* from) {
  expect_no_latency("run.latency_us =", deck.real("run.latency_us"));
  const auto look = [&application, deck, mesh](const Context& context, const OnGraph& on_graph) {
    value_of(look_at_step(application, deck, context, value_of(*mesh), on_graph));
  };
  const std::int64_t before = from == nullptr ? 0 : from->checkpoint.manifest.step;
  const auto run_of = [&application, from, before](const io::Deck& which) {
    return [&application, which, from, before](const Context& context, std::int64_t n_steps) {
      value_of(simulation_of(application, which, from, context)->advance_to(before + n_steps));
    };
  };
  const auto n_joined_blocks = [&] {
    if (!deck.is_declared("mesh.dim")) return std::size_t{1};
    return field::n_joined_in(static_cast<int>(deck.integer("mesh.dim")));
  };
  VirtualProgram program{.n_ranks = n_ranks,
                         .execution = execution_of(deck),
                         .n_joined_blocks = n_joined_blocks(),
                         .look_at_step = look,
                         .n_ranks_timed = std::clamp(n_ranks, 2, 4),  // more have few kinds more
                         .first_step = before + 1,
                         .run_steps = run_of(deck)};
  if (const auto apart = with_blocks_apart(application, deck))
    program.run_steps_apart = run_of(*apart);
  if (has_regrids(deck)) program.refinement = regrid_of(application, deck, mesh, from);
  return program;
}

namespace {

/// Do something on a program's ranks in which nothing runs that a thread of each would have to
/// watch.
Result<void> on_ranks_of(const VirtualProgram& program,
                         const std::function<void(const Context&)>& look) {
  Execution execution = program.execution;
  execution.executor.watchdog_s = 0;
  return on_virtual_ranks(program.n_ranks, execution, look);
}

}  // namespace

Result<void> look_at_steps(const VirtualProgram& program, const OnGraph& look) {
  return on_ranks_of(program, [&](const Context& context) { program.look_at_step(context, look); });
}

Result<predict::TaskTimes> measure_tasks(const VirtualProgram& program, std::int64_t n_steps,
                                         const Clock& clock) {
  predict::TaskTimes times, of_refinements;
  Execution execution = program.execution;
  execution.executor.n_workers = 1;
  const auto hearing = [&](const auto& run, std::int64_t first, predict::TaskTimes& to) {
    return [&, first](const Context& ours) {
      predict::TaskTimeSink sink(to, static_cast<std::uint64_t>(first + 1));
      Context context = with_clock(ours, clock);
      context.execution.executor.sink = &sink;
      run(context, n_steps);
    };
  };
  auto done = on_virtual_ranks(program.n_ranks_timed, execution,
                               hearing(program.run_steps, program.first_step, times));
  if (done && times.fits().empty())
    throw Error(
        "a run that is over after its first step, which does not count (no task was seen to say "
        "what it takes); give a later end, or the times of tasks");
  // Other numbers of ranks and workers may have both kinds of tasks.
  const bool has_joined = std::ranges::any_of(exchange::task_names::all, [&](const auto& names) {
    return std::ranges::any_of(names.by_number(program.n_joined_blocks), [&](const auto& blocks) {
      return blocks.n > 1 && times.is_known(blocks.name);
    });
  });
  if (done && has_joined && program.run_steps_apart)
    done = on_virtual_ranks(program.n_ranks_timed, execution,
                            hearing(program.run_steps_apart, program.first_step, times));
  if (done && program.refinement)
    done = on_virtual_ranks(program.n_ranks_timed, execution,
                            hearing(program.refinement->run, 1, of_refinements));
  if (done && program.refinement)
    done = on_virtual_ranks(1, execution, [&](const Context& ours) {
      times.add(predict::mesh_time_name, 1,
                program.refinement->time_block(with_clock(ours, clock)));
    });
  if (!done) return std::unexpected(done.error());
  times.add_unknown(of_refinements);
  return times;
}

predict::TaskTimes with_joined(const predict::TaskTimes& known, std::size_t n_all) {
  predict::TaskTimes times = known;
  if (n_all == 1) return times;
  for (const auto& names : exchange::task_names::all)
    for (const auto& [name, n] : names.by_number(n_all)) {
      if (known.is_known(name) || n > n_all) continue;
      double nearest = std::numeric_limits<double>::max();
      for (const auto& [of, n_of] : names.by_number(n_all)) {
        if (!known.is_known(of)) continue;
        const double factor = static_cast<double>(n) / static_cast<double>(n_of);
        if (const double how_far = std::max(factor, 1 / factor); how_far < nearest) {
          nearest = how_far;
          times.set_like(name, of, factor);
        }
      }
    }
  return times;
}

Result<predict::Job> capture_job(const VirtualProgram& program, const predict::TaskTimes& times) {
  const auto all_times = with_joined(times, program.n_joined_blocks);
  predict::JobBuilder builder(program.n_ranks, program.execution.executor.n_workers, all_times);
  double bytes = 0;
  const auto looked = look_at_steps(program, [&](const flow::Graph& graph, double of_rank) {
    builder.add(graph);
    bytes = std::max(bytes, of_rank);
  });
  if (!looked) return std::unexpected(looked.error());
  predict::Job job = std::move(builder).finish();
  job.rank_bytes = bytes;
  return job;
}

Result<predict::RefinementJob> capture_refinement(const VirtualProgram& program,
                                                  const predict::TaskTimes& times) {
  predict::RefinementJob job{.n_ranks = program.n_ranks, .n_steps = program.refinement->n_steps};
  std::vector<predict::JobBuilder> builders;
  const auto all_times = with_joined(times, program.n_joined_blocks);
  const auto hear = [&](std::size_t change, const flow::Graph& graph) {
    if (change == builders.size())
      builders.emplace_back(program.n_ranks, program.execution.executor.n_workers, all_times);
    builders[change].add(graph);
  };
  const auto looked = on_ranks_of(program, [&](const Context& context) {
    const MeshWork work = program.refinement->look(context, hear);
    job.n_blocks = std::max(job.n_blocks, work.n_blocks);
    job.n_collectives = work.n_collectives;
  });
  if (!looked) return std::unexpected(looked.error());
  for (auto& builder : builders) job.changes.push_back(std::move(builder).finish());
  return job;
}

}  // namespace thalweg::app
