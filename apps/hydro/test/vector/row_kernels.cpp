// SPDX-License-Identifier: MIT
// row_kernels: the time of each row kernel of the schemes, one line "name ns-per-cell".
// row_kernels count: each a fixed number of times, whose instructions callgrind counts for the gate
// in ratio.py. Built twice, with and without vectors.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string_view>
#include <vector>

#include <valgrind/callgrind.h>

#include <thalweg/hydro/euler.hpp>
#include <thalweg/hydro/riemann_lhllc.hpp>
#include <thalweg/hydro/riemann_two_shock.hpp>
#include <thalweg/hydro/riemann_without_tension.hpp>
#include <thalweg/hydro/scalar_gas.hpp>
#include <thalweg/numerics/detail/ctu_shocks.hpp>
#include <thalweg/numerics/detail/ctu_solve.hpp>
#include <thalweg/numerics/detail/ctu_trace.hpp>
#include <thalweg/numerics/detail/flux_row.hpp>
#include <thalweg/numerics/detail/limit_flux.hpp>
#include <thalweg/numerics/detail/reconstruct_row.hpp>
#include <thalweg/numerics/detail/vl2_predictor.hpp>
#include <thalweg/numerics/riemann_hlle.hpp>
#include <thalweg/numerics/riemann_llf.hpp>
#include <thalweg/numerics/riemann_roe.hpp>
#include <thalweg/numerics/signal.hpp>
#include <thalweg/numerics/tag.hpp>
#include <thalweg/numerics/tag_loehner.hpp>
#include <thalweg/numerics/update_ctu.hpp>

namespace thalweg::hydro {
namespace {

constexpr int n_cells = 64;  // a multiple of all vector widths: what is left of a row is not judged
using Gas = Euler<3>;

/// Rows of a smooth flow in x, and what the kernels need beside.
template <class Scheme>
struct Rows {
  static constexpr int margin = 4;
  static constexpr std::ptrdiff_t stride = n_cells + 2 * margin;

  Rows()
      : w(Scheme::n_components * static_cast<std::size_t>(stride), 0.5),  // scalars stay at this
        lower(w),
        upper(w),
        flux(w),
        flatness(stride, 1.0),
        replaced(stride, 0.0) {
    for (std::ptrdiff_t i = 0; i < stride; ++i) {
      const double wave = std::sin(0.3 * static_cast<double>(i));
      const Gas::Primitive state{
          .rho = 1 + 0.1 * wave, .vel = Vec<3>::filled(0.1 * wave), .p = 1 - 0.1 * wave};
      numerics::store(state, &w[static_cast<std::size_t>(i)], stride);
    }
    lower = upper = flux = w;
  }
  const double* cells() const { return w.data() + margin; }

  Scheme scheme{};
  std::vector<double> w, lower, upper, flux, flatness, replaced;
};

/// Print nanoseconds a cell of the fastest of many short runs: what disturbs only adds.
template <class F>
void time_kernel(std::string_view name, F run_rows, int n_cells_run) {
  constexpr int n_rows = 20, n_runs = 100;
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < n_runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
    for (int row = 0; row < n_rows; ++row) run_rows();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    least = std::min(least, took.count() / (n_rows * n_cells_run));
  }
  std::printf("%.*s %.3f\n", static_cast<int>(name.size()), name.data(), least);
}

/// What to do with each kernel: time it, or have its instructions counted.
struct Report {
  bool counts;

  template <class F>
  void operator()(std::string_view name, F run_rows, int n_cells_run = n_cells) const {
    constexpr int n_counted = 100;
    if (!counts) return time_kernel(name, run_rows, n_cells_run);
    CALLGRIND_ZERO_STATS;
    for (int row = 0; row < n_counted; ++row) {
      run_rows();
      std::atomic_signal_fence(std::memory_order_seq_cst);  // or alike runs were made once
    }
    CALLGRIND_DUMP_STATS_AT(name.data());
  }
};

template <class Rule>
void report_reconstruction(const Report& report, std::string_view name) {
  Rows<numerics::Ctu<Gas, Rule>> rows;
  report(name, [&] {
    numerics::detail::reconstruct_row(
        rows.scheme.system, numerics::edge_kernel<Rule>, n_cells, rows.cells(), rows.stride, 1,
        {rows.lower.data(), rows.upper.data(), rows.stride, rows.replaced.data()});
  });
}

template <class Riemann, class System = Gas>
void report_riemann(const Report& report, std::string_view name, const System& system = {}) {
  Rows<numerics::Ctu<System, numerics::PpmClassic, Riemann>> rows;
  rows.scheme.system = system;
  report(name, [&] {
    numerics::detail::solve_faces<Riemann, 0>(rows.scheme.system, n_cells, rows.cells() - 1,
                                              rows.stride, rows.cells(), rows.stride,
                                              rows.flux.data(), rows.stride);
  });
}

void report_flattening(const Report& report) {
  Rows<numerics::Ctu<Gas>> rows;
  report("flatten", [&] {
    numerics::detail::flatten_row<0>(rows.scheme.system, n_cells, rows.cells(), rows.stride, 1,
                                     rows.flatness.data());
  });
}

/// What each cell and face costs beside its flux: the states half a step on, the search for fluxes
/// that must be limited (none), and the largest signal.
void report_rest_of_step(const Report& report) {
  using Scheme = numerics::Vl2<Gas>;
  Rows<Scheme> rows;
  const Gas gas;
  auto u = rows.w;  // conserved, of the states in rows.w
  for (std::ptrdiff_t i = 0; i < rows.stride; ++i) {
    const auto at = static_cast<std::size_t>(i);
    numerics::store(gas.to_conserved(numerics::load<Gas::Primitive>(&rows.w[at], rows.stride)),
                    &u[at], rows.stride);
  }
  const double* const cells = u.data() + Rows<Scheme>::margin;
  report("vl2_add_fluxes", [&] {
    const numerics::detail::RowOfFaces faces{rows.cells(), rows.cells() + 1, rows.stride};
    numerics::detail::subtract_differences<Gas::State, 3>(n_cells, Vec<3>::filled(0.1),
                                                          {faces, faces, faces}, cells, rows.stride,
                                                          rows.lower.data(), rows.stride);
  });
  auto half = u;
  report("vl2_half_states", [&] {
    numerics::detail::take_admissible_row(gas, n_cells, cells, rows.stride,
                                          half.data() + Rows<Scheme>::margin, rows.stride,
                                          rows.replaced.data());
  });
  numerics::detail::solve_faces<numerics::RiemannHllc, 0>(gas, n_cells, rows.cells() - 1,
                                                          rows.stride, rows.cells(), rows.stride,
                                                          rows.flux.data(), rows.stride);
  const numerics::detail::FaceRow<Gas> faces{.system = gas,
                                             .below = {cells - 1, rows.cells() - 1},
                                             .above = {cells, rows.cells()},
                                             .u_stride = rows.stride,
                                             .w_stride = rows.stride,
                                             .weight = 0.5};
  report("limit", [&] {
    numerics::detail::limit_flux_row(faces, 0, n_cells, n_cells, rows.flux.data(), rows.stride);
  });
  const Box<3> line{{{0, 0, 0}}, {{n_cells, 1, 1}}};
  const Box<3> around{{{-Rows<Scheme>::margin, 0, 0}}, {{n_cells + Rows<Scheme>::margin, 1, 1}}};
  const View<const double, 3> view(u.data(), around, 5);
  report("max_signal", [&] {
    rows.lower[0] = numerics::max_signal_if_admissible(gas, view, line, {{0.1, 0.1, 0.1}});
  });
}

/// Kernels that work on views: one row along x of a flat block of so many cells.
template <class Scheme, class F>
void with_workspace(int n_valid, F f) {
  const Box<3> valid{{{1, 1, 1}}, {{1 + n_valid, 2, 2}}};
  std::vector<std::byte> bytes(1 << 22);
  numerics::Scratch scratch(bytes);
  const auto scheme = Scheme{}.rows();
  numerics::detail::CtuWorkspace<3> work(valid, scheme.n_components,
                                         scheme.corrections.n_face_state, scheme.n_ghosts, scratch);
  const Rows<Scheme> rows;
  const auto fill = [&](const auto& numbers, int n_components) {
    for_each(numbers.box(), [&](const Index<3>& i) {
      for (int c = 0; c < n_components; ++c)
        *numbers.at(c, i) =
            n_components == 1
                ? 1.0
                : rows.w[static_cast<std::size_t>(c * rows.stride + (i[0] + 8) % n_cells)];
    });
  };
  fill(work.old, scheme.n_components);
  fill(work.flatness, 1);
  fill(work.divergence, 1);
  for (std::size_t a = 0; a < 3; ++a) {
    fill(work.traced[a].lower, scheme.n_components);
    fill(work.traced[a].upper, scheme.n_components);
    for (std::size_t b = 0; b < 3; ++b)
      if (b != a) fill(work.second[a][b], scheme.corrections.n_face_state);
  }
  f(scheme, work);
}

/// The fluxes of the step, between states that two axes have corrected.
template <class Scheme>
void report_corrected_flux(const Report& report, std::string_view name) {
  with_workspace<Scheme>(n_cells - 2, [&](const auto& scheme, auto& work) {
    const numerics::detail::Transverse<3> y{work.second[1][2], 1, 0.01};
    const numerics::detail::Transverse<3> z{work.second[2][1], 2, 0.01};
    report(name, [&] {
      numerics::detail::solve_corrected<Gas>(scheme.system, scheme.fluxes, scheme.corrections, 0, 1,
                                             work, work.flux[0], y, z);
    });
  });
}

/// Where to refine, of some rows of cells with those around them.
template <class Tag>
void report_tags(const Report& report, std::string_view name, Tag tag) {
  constexpr int n_rows = 4;
  const Box<3> region{{}, {{n_cells, n_rows, 1}}};
  const Box<3> around = region.grown(1);
  constexpr int n_components = 5;
  const auto n = static_cast<std::size_t>(around.n_cells());
  std::vector<double> u(n_components * n, 1.0);
  std::fill(u.end() - static_cast<std::ptrdiff_t>(n), u.end(), 4.0);  // energies
  std::vector<std::uint8_t> tags(static_cast<std::size_t>(region.n_cells()));
  const View<const double, 3> cells(u.data(), around, n_components);
  const View<std::uint8_t, 3> into(tags.data(), region, 1);
  report(name, [&] { tag(cells, into, region); }, n_rows * n_cells);
}

}  // namespace
}  // namespace thalweg::hydro

int main(int argc, char** argv) {
  using namespace thalweg::hydro;
  using namespace thalweg::numerics;
  const Report report{argc > 1 && argv[1] == std::string_view("count")};
  report_reconstruction<PlmVanLeer>(report, "plm");
  report_reconstruction<PpmClassic>(report, "ppm_classic");
  report_reconstruction<PpmExtrema>(report, "ppm");
  report_riemann<RiemannHlle>(report, "hlle");
  report_riemann<RiemannHllc>(report, "hllc");
  report_riemann<RiemannLhllc>(report, "lhllc");
  report_riemann<RiemannTwoShock>(report, "two_shock");
  report_riemann<RiemannRoe>(report, "roe");
  report_riemann<RiemannLlf>(report, "llf");
  report_riemann<RiemannWithoutTension<RiemannHlle>>(report, "hlle_without_tension");
  report_riemann<RiemannWithoutTension<RiemannLlf>>(report, "llf_without_tension");
  report_riemann<RiemannWithScalars<RiemannHllc>>(report, "hllc_scalars", ScalarGas<3, 2>{});
  const Euler<3, StiffenedGas> water{{.gamma = 4.4, .p_infinity = 1.0}};
  report_riemann<RiemannHllc>(report, "hllc_stiffened", water);
  report_riemann<RiemannLhllc>(report, "lhllc_stiffened", water);
  report_riemann<RiemannTwoShock>(report, "two_shock_stiffened", water);
  report_flattening(report);
  report_rest_of_step(report);
  with_workspace<Ctu<Gas>>(n_cells - 2, [&](const auto& scheme, auto& work) {
    report(
        "trace",
        [&] { detail::trace<thalweg::hydro::Gas>(scheme, 0, 1, {1e-3, {{0.1, 0.1, 0.1}}}, work); },
        3 * n_cells);
  });
  report_corrected_flux<Ctu<Gas>>(report, "corrected_flux");
  report_corrected_flux<Ctu<Gas, PpmClassic, RiemannTwoShock>>(report, "corrected_face");
  with_workspace<Ctu<Gas>>(n_cells - 1, [&](const auto& scheme,
                                            auto& work) {  // n_cells faces
    const StepSize<3> step{1e-3, {{0.1, 0.1, 0.1}}};
    report(
        "divergence", [&] { detail::find_divergence(scheme.system, 1, step, work); }, 2 * n_cells);
    report("viscosity", [&] {
      detail::add_viscosity<thalweg::hydro::Gas>(scheme.care.viscosity, 0, 1, work.old, step, work);
    });
  });
  const auto pressure = [](const GasState<3>& u) {
    return std::array{thalweg::hydro::Gas().pressure(u)};
  };
  report_tags(report, "tag_jumps", [&](const auto& u, const auto& tags, const auto& region) {
    tag_jumps<GasState<3>>(u, tags, region, 0.3, pressure);
  });
  report_tags(report, "tag_loehner", [&](const auto& u, const auto& tags, const auto& region) {
    tag_loehner<GasState<3>>(u, tags, region, Loehner{}, pressure);
  });
}
