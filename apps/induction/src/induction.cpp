// SPDX-License-Identifier: MIT
#include <thalweg/induction/induction.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/rounds.hpp>
#include <thalweg/app/totals.hpp>
#include <thalweg/core/hash.hpp>
#include <thalweg/exchange/emit/fill.hpp>
#include <thalweg/flow/combine.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/induction/kernels.hpp>
#include <thalweg/mesh/refine.hpp>
#include <thalweg/mesh/regrid.hpp>

#include "record.hpp"

namespace thalweg::induction {
namespace {

void check(const Settings& s) {
  if (!s.mesh.periodic[0] || !s.mesh.periodic[1])
    throw Error(
        "mesh.periodic is not set on both axes (the stream leaves on one side and comes in "
        "on the other); set both");
  if (s.mesh.ratio != 2)
    throw Error(
        fmt::format("mesh.ratio = {} (faces inside coarse cells are known for ratio 2); "
                    "try 2",
                    s.mesh.ratio.text()));
  const double shortest =
      std::min(s.mesh.upper[0] - s.mesh.lower[0], s.mesh.upper[1] - s.mesh.lower[1]);
  if (!(s.radius > 0) || !(2 * s.radius < shortest))
    throw Error(fmt::format("radius = {} (the loop must fit into the domain, {} across); try {}",
                            s.radius, shortest, 0.3 * shortest));
  if (!(s.end > 0) || !(s.cfl > 0) || !(s.cfl <= 0.5) || s.regrid_interval < 0)
    throw Error(
        fmt::format("end = {}, cfl = {}, regrid_interval = {} (must be above 0, in "
                    "(0, 0.5], at least 0)",
                    s.end, s.cfl, s.regrid_interval));
  if (s.velocity == Vec<2>{}) throw Error("velocity = 0 (nothing would move); try (2, 1)");
}

/// The potential of the loop after some time.
Potential potential_at(const Settings& s, double time) {
  return [s, time](const Vec<2>& x) {
    double r2 = 0;
    for (int a = 0; a < 2; ++a) {
      const double length = s.mesh.upper[a] - s.mesh.lower[a];
      const double from_centre =
          x[a] - 0.5 * (s.mesh.upper[a] + s.mesh.lower[a]) - s.velocity[a] * time;
      const double nearest = from_centre - length * std::round(from_centre / length);
      r2 += nearest * nearest;
    }
    const double height = std::max(0.0, 1.0 - r2 / (s.radius * s.radius));
    return height * height * height;
  };
}

/// One run: the mesh, the fields on it, and how they go on.
class Run {
 public:
  Run(flow::Transport& transport, const Clock& clock, flow::ExecutorConfig config,
      flow::Model model, const Settings& settings)
      : transport_(transport),
        collectives_(transport),
        settings_(settings),
        model_(model),
        geometry_(settings.mesh),
        pools_(geometry_),
        executor_(with_scratch(std::move(config)), transport, clock) {}

  Result<Summary> operator()() {
    adopt(mesh::reassigned_forest(
        mesh::initial_forest(geometry_, transport_.rank(), transport_.n_ranks(), collectives_),
        collectives_, settings_.partitioner));
    for (int l = 0; l < geometry_.max_level(); ++l) {
      set_initial();
      if (auto looked = look(0); !looked) return std::unexpected(looked.error());
      adopt(regridded());
    }
    set_initial();
    summary_ = {};
    if (auto looked = look(0); !looked) return std::unexpected(looked.error());
    summary_.energy_at_start = integral(OfCell::energy);
    return advance();
  }

 private:
  flow::ExecutorConfig with_scratch(flow::ExecutorConfig config) const {
    config.scratch_bytes = std::max(
        config.scratch_bytes,
        exchange::scratch_bytes_prolong<exchange::PointBoundaryContext<2>>(geometry_, n_ghosts, 1));
    return config;
  }
  int n_workers() const { return static_cast<int>(executor_.config().n_workers); }

  /// Run what record(recorder) records, once.
  template <class Record>
  Result<flow::RunReport> run_once(const Record& record) {
    flow::Recorder recorder(transport_.rank(), transport_.n_ranks());
    record(recorder);
    auto graph = flow::capture(std::move(recorder), model_);
    return executor_.run(graph, 1);
  }

  void adopt(mesh::Forest<2> forest) {
    mesh_ = make_mesh(std::move(forest), collectives_);
    Fields nothing;
    fields_ = make_fields(mesh_, pools_, nothing);
  }

  void set_initial() {
    const auto potential = potential_at(settings_, 0);
    for (int l = 0; l < mesh_.n_levels(); ++l) {
      const Vec<2> dx = geometry_.cell_size(l);
      const auto at_node = [&](const Index<2>& i) {
        const Vec<2>& lower = settings_.mesh.lower;
        return potential({{lower[0] + i[0] * dx[0], lower[1] + i[1] * dx[1]}});
      };
      for (std::size_t a = 0; a < 2; ++a) {
        const auto& level = fields_.b[a][static_cast<std::size_t>(l)];
        for (std::size_t i = 0; i < level.size(); ++i)
          for_each(faces[a].points(geometry_.cells(level.keys()[i])), [&](const Index<2>& face) {
            level.view(i)[0, face] = curl_on_face(at_node, static_cast<int>(a), face, dx);
          });
      }
    }
  }

  /// Make the faces between blocks one, and see to what is kept of cells.
  Result<flow::RunReport> look(double time) {
    auto done = run_once([&](flow::Recorder& recorder) {
      record_look(recorder, mesh_, fields_, potential_at(settings_, time), n_workers());
    });
    if (!done) return done;
    std::array<double, 2> largest{};  // |div B| dx, and B^2 / 2
    for (const auto& level : fields_.cells.cells)
      for (std::size_t i = 0; i < level.size(); ++i)
        for_each(level.view(i).box(), [&](const Index<2>& cell) {
          largest[0] = std::max(largest[0], level.view(i)[OfCell::divergence_dx, cell]);
          largest[1] = std::max(largest[1], level.view(i)[OfCell::energy, cell]);
        });
    for (double& x : largest) x = flow::all_reduce(transport_, x, flow::Max{});
    summary_.divergence = std::max(summary_.divergence, largest[0] / std::sqrt(2 * largest[1]));
    return done;
  }

  double integral(int component) {
    return app::totals(transport_, mesh_.cells, fields_.cells,
                       n_of_cell)[static_cast<std::size_t>(component)];
  }

  /// The forest that is fine where the field is: where its energy is a hundredth of what the loop
  /// has at most, which is 1.47 / radius^2.
  mesh::Forest<2> regridded() {
    const double threshold = 0.0147 / (settings_.radius * settings_.radius);
    std::vector<mesh::Key<2>> wanted;
    for (int l = 0; l < std::min(mesh_.n_levels(), geometry_.max_level()); ++l) {
      const auto& level = fields_.cells.cells[static_cast<std::size_t>(l)];
      for (std::size_t i = 0; i < level.size(); ++i) {
        const auto& view = level.view(i);
        std::vector<std::uint8_t> tags(static_cast<std::size_t>(view.box().n_cells()));
        const View<std::uint8_t, 2> tag(tags.data(), view.box(), 1);
        for_each(view.box(), [&](const Index<2>& cell) {
          tag[0, cell] = view[OfCell::energy, cell] > threshold ? 1 : 0;
        });
        const auto some =
            mesh::wanted_children<2>(geometry_, level.keys()[i], tag, settings_.regrid_buffer);
        wanted.insert(wanted.end(), some.begin(), some.end());
      }
    }
    const auto same = [](const mesh::Key<2>&) { return std::int64_t{1}; };
    return mesh::regrid<2>(mesh_.cells.forest, wanted, collectives_, same, {},
                           settings_.partitioner)
        .forest;
  }

  /// Go on on another mesh.
  Result<flow::RunReport> regrid() {
    Mesh mesh = make_mesh(regridded(), collectives_);
    Fields fields = make_fields(mesh, pools_, fields_);
    const auto renewal = plan_renewal(mesh_, mesh, collectives_);
    for (const auto& level : renewal)
      summary_.n_regridded += static_cast<std::int64_t>(level.move.new_blocks.size());
    auto done = run_once([&](flow::Recorder& recorder) {
      record_renewal(recorder, mesh_, fields_, mesh, fields, renewal, n_workers());
    });
    mesh_ = std::move(mesh);
    fields_ = std::move(fields);
    return done;
  }

  Result<Summary> advance() {
    const Vec<2> dx = geometry_.cell_size(geometry_.max_level());
    const double signal =
        std::abs(settings_.velocity[0]) / dx[0] + std::abs(settings_.velocity[1]) / dx[1];
    const int n_steps = static_cast<int>(std::ceil(settings_.end * signal / settings_.cfl));
    const double dt = settings_.end / n_steps;
    const int interval = settings_.regrid_interval == 0 ? n_steps : settings_.regrid_interval;
    for (int step = 0; step < n_steps; step += interval) {
      if (step > 0)
        if (auto done = regrid(); !done) return std::unexpected(done.error());
      const int n = std::min(interval, n_steps - step);
      flow::Recorder recorder(transport_.rank(), transport_.n_ranks());
      record_step(recorder, mesh_, fields_, settings_.velocity, dt, n_workers());
      auto graph = flow::capture(std::move(recorder), model_);
      if (auto done = executor_.run(graph, static_cast<std::uint64_t>(n)); !done)
        return std::unexpected(done.error());
      if (auto looked = look((step + n) * dt); !looked) return std::unexpected(looked.error());
    }
    summary_.n_steps = n_steps;
    summary_.n_levels = mesh_.n_levels();
    for (const auto& set : mesh_.cells.forest.levels) summary_.n_blocks += set.n_global;
    summary_.n_regridded =
        flow::all_reduce(transport_, summary_.n_regridded, std::plus<std::int64_t>{});
    summary_.energy = integral(OfCell::energy);
    summary_.error = integral(OfCell::error) / integral(OfCell::exact);
    summary_.hash = hash();
    return summary_;
  }

  /// Of each face where it is, added up: no matter who has it.
  std::uint64_t hash() {
    std::uint64_t sum = 0;
    for (std::size_t a = 0; a < 2; ++a)
      for (std::size_t l = 0; l < fields_.b[a].size(); ++l)
        for (std::size_t i = 0; i < fields_.b[a][l].size(); ++i) {
          const auto& level = fields_.b[a][l];
          for_each(faces[a].points(geometry_.cells(level.keys()[i])), [&](const Index<2>& face) {
            std::uint64_t h =
                hash_number(std::bit_cast<std::uint64_t>(level.view(i)[0, face]), 2 * l + a);
            for (const int x : face.at) h = hash_number(static_cast<std::uint64_t>(x), h);
            sum += h;
          });
        }
    return flow::all_reduce(transport_, sum, std::plus<std::uint64_t>{});
  }

  flow::Transport& transport_;
  app::TransportCollectives collectives_;
  Settings settings_;
  flow::Model model_;
  mesh::Geometry<2> geometry_;
  Pools pools_;
  flow::Executor executor_;
  Mesh mesh_;
  Fields fields_;
  Summary summary_;
};

}  // namespace

Result<Summary> run(flow::Transport& transport, const Clock& clock,
                    const flow::ExecutorConfig& config, flow::Model model,
                    const Settings& settings) {
  check(settings);
  return Run(transport, clock, config, model, settings)();
}

}  // namespace thalweg::induction
