// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <thalweg/core/box.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/numerics/cell_context.hpp>
#include <thalweg/numerics/system.hpp>
#include <thalweg/step/source_terms.hpp>

namespace thalweg::step {

// An application gives functions of a cell; the loops over cells are here. A function is known
// where it is wrapped, so it is compiled into its loop: one indirect call a block, none a cell.
// What takes any other F is for the compiler to say what the function is: that there is no
// constructor it would say of the whole Problem, and not name the member.

/// A level at a time, as functions of its cells see it.
template <int D>
class LevelContext {
 public:
  LevelContext(const mesh::Geometry<D>& geometry, int level_number, double at_time)
      : level(level_number),
        time(at_time),
        lower_(geometry.config().lower),
        cell_size_(geometry.cell_size(level)),
        n_cells_(geometry.domain_cells(level).hi),
        is_periodic_(geometry.config().periodic) {}

  int level;
  double time;

  /// A cell; a ghost cell across a periodic side is where its original lies.
  numerics::CellContext<D> cell(const Index<D>& i) const {
    return {mesh::centre_of(lower_, cell_size_, in_domain(i)), cell_size_, level, time};
  }
  /// The same with the place of a node, at the lower corner of cell i.
  numerics::CellContext<D> node(const Index<D>& i) const {
    auto context = cell(i);
    context.centre = context.centre - 0.5 * context.dx;
    return context;
  }

 private:
  Index<D> in_domain(Index<D> i) const {
    for (int a = 0; a < D; ++a)
      if ((i[a] < 0 || i[a] >= n_cells_[a]) && is_periodic_[a])
        i[a] -= n_cells_[a] * floor_div(i[a], n_cells_[a]);
    return i;
  }

  Vec<D> lower_, cell_size_;
  Index<D> n_cells_;
  BasicVec<bool, D> is_periodic_;
};

/// Sets the cells of a block that are in `region`.
template <int D>
using SetCells = std::function<void(const LevelContext<D>& level, const View<double, D>& cells,
                                    const Box<D>& region)>;
/// Sets the tags of the valid cells that are to be refined to 1. @shape cells  with ghost cells
template <int D>
using SetTags = std::function<void(const LevelContext<D>& level, const View<const double, D>& cells,
                                   const Box<D>& valid, const View<std::uint8_t, D>& tags)>;
/// Adds dt times a rate to the change of each valid cell. @shape cells  with ghost cells
template <int D>
using AddRate = std::function<void(const LevelContext<D>& level, const View<const double, D>& cells,
                                   const Box<D>& valid, double dt, const View<double, D>& change)>;
/// The longest step that the valid cells of a block may make [time]; infinity: any.
template <int D>
using FindLongestDt = std::function<double(
    const LevelContext<D>& level, const View<const double, D>& cells, const Box<D>& valid)>;

/// Sets the cells of a block that are in `region`; what Problem::initial holds.
///
/// @threads called from any worker, for several blocks at once
template <class State, int D>
class InitialState {
  template <class F>
  static constexpr bool is_of_cell =
      std::is_invocable_r_v<State, const F&, const numerics::CellContext<D>&>;

 public:
  InitialState() = default;
  /// @param f  f(CellContext<D>) -> State, the mean over the cell: a pure function
  template <class F>
    requires is_of_cell<F>
  InitialState(F f)
      : of_cell_(f),
        of_block_([f = std::move(f)](const LevelContext<D>& level, const View<double, D>& cells,
                                     const Box<D>& region) {
          for_each(region, [&](const Index<D>& i) {
            numerics::store(State(f(level.cell(i))), cells.at(0, i), cells.component_stride());
          });
        }) {}
  /// A function that sets all cells of a region itself.
  InitialState(SetCells<D> of_block) : of_block_(std::move(of_block)) {}
  template <class F>
    requires(!is_of_cell<F> && !std::is_convertible_v<F, SetCells<D>>)
  InitialState(F) {
    static_assert(is_of_cell<F>, "initial is a function: initial(CellContext) -> State");
  }

  explicit operator bool() const { return static_cast<bool>(of_block_); }
  /// The function of a block.
  operator const SetCells<D>&() const { return of_block_; }
  /// The state of one cell, for whoever looks at few. @pre made of a function of a cell
  State of(const numerics::CellContext<D>& cell) const { return of_cell_(cell); }

 private:
  std::function<State(const numerics::CellContext<D>&)> of_cell_;
  SetCells<D> of_block_;
};

/// Sets the tags of the cells of a block that are to be refined to 1 and leaves the others as they
/// are; what Problem::tag holds.
///
/// @threads called from any worker, for several blocks at once
template <class State, int D>
class RefinementTags {
  template <class F>
  static constexpr bool is_of_cell =
      std::is_invocable_r_v<bool, const F&, const numerics::CellContext<D>&,
                            const numerics::StateStencil<State, D>&>;
  template <class F>
  static constexpr bool is_of_block =
      std::is_invocable_v<const F&, const LevelContext<D>&, const View<const double, D>&,
                          const Box<D>&, const View<std::uint8_t, D>&>;

 public:
  RefinementTags() = default;
  /// @param f  f(CellContext<D>, StateStencil<State, D>) -> bool: a pure function
  template <class F>
    requires is_of_cell<F>
  RefinementTags(F f)
      : of_block_([f = std::move(f)](const LevelContext<D>& level,
                                     const View<const double, D>& cells, const Box<D>& valid,
                                     const View<std::uint8_t, D>& tags) {
          const int reach = valid.lo[0] - cells.box().lo[0];
          for_each(valid, [&](const Index<D>& i) {
            if (f(level.cell(i), numerics::StateStencil<State, D>(cells, i, reach))) tags[0, i] = 1;
          });
        }) {}
  /// A function that goes through the cells itself, as vectorised criteria do.
  RefinementTags(SetTags<D> of_block) : of_block_(std::move(of_block)) {}
  template <class F>
    requires is_of_block<F>
  RefinementTags(F f) : of_block_(std::move(f)) {}
  template <class F>
    requires(!is_of_cell<F> && !is_of_block<F> && !std::is_convertible_v<F, SetTags<D>>)
  RefinementTags(F) {
    static_assert(is_of_cell<F>,
                  "tag is a function: tag(CellContext, StateStencil) -> bool; or "
                  "tag(LevelContext, cells, valid, tags) of a block");
  }

  explicit operator bool() const { return static_cast<bool>(of_block_); }
  operator const SetTags<D>&() const { return of_block_; }

 private:
  SetTags<D> of_block_;
};

/// How fast sources change the state of a cell, by the states around it; what Problem::rate holds.
///
/// @threads called from any worker, for several blocks at once
template <class State, int D>
class SourceRate {
  template <class F>
  static constexpr bool is_of_cell =
      std::is_invocable_r_v<State, const F&, const numerics::CellContext<D>&,
                            const numerics::StateStencil<State, D>&>;

 public:
  SourceRate() = default;
  /// @param f  f(CellContext<D>, StateStencil<State, D>) -> State: the change of the state over
  /// time; a pure function
  template <class F>
    requires is_of_cell<F>
  SourceRate(F f)
      : add_([f = std::move(f)](const LevelContext<D>& level, const View<const double, D>& cells,
                                const Box<D>& valid, double dt, const View<double, D>& change) {
          const int reach = valid.lo[0] - cells.box().lo[0];
          for_each(valid, [&](const Index<D>& i) {
            const State rate = f(level.cell(i), numerics::StateStencil<State, D>(cells, i, reach));
            for (int c = 0; c < cells.n_components(); ++c)
              change[c, i] += dt * numerics::component(rate, static_cast<std::size_t>(c));
          });
        }) {}
  template <class F>
    requires(!is_of_cell<F>)
  SourceRate(F) {
    static_assert(is_of_cell<F>, "rate is a function: rate(CellContext, StateStencil) -> State");
  }

  explicit operator bool() const { return static_cast<bool>(add_); }
  operator const AddRate<D>&() const { return add_; }

 private:
  AddRate<D> add_;
};

/// How long a step of a cell may be, beside what signals allow; what Problem::longest_dt holds.
///
/// @threads called from any worker, for several blocks at once
template <class State, int D>
class LongestDt {
  template <class F>
  static constexpr bool is_of_cell =
      std::is_invocable_r_v<double, const F&, const numerics::CellContext<D>&, const State&>;

 public:
  LongestDt() = default;
  /// @param f  f(CellContext<D>, State) -> double [time], infinity for no limit: a pure function
  template <class F>
    requires is_of_cell<F>
  LongestDt(F f)
      : of_block_([f = std::move(f)](const LevelContext<D>& level,
                                     const View<const double, D>& cells, const Box<D>& valid) {
          double least = std::numeric_limits<double>::infinity();
          for_each(valid, [&](const Index<D>& i) {
            const auto u = numerics::load<State>(cells.at(0, i), cells.component_stride());
            const double dt = f(level.cell(i), u);
            if (dt < least || std::isnan(dt)) least = dt;  // a NaN stays one
          });
          return least;
        }) {}
  /// A function that goes through the cells itself.
  LongestDt(FindLongestDt<D> of_block) : of_block_(std::move(of_block)) {}
  template <class F>
    requires(!is_of_cell<F> && !std::is_convertible_v<F, FindLongestDt<D>>)
  LongestDt(F) {
    static_assert(is_of_cell<F>,
                  "longest_dt is a function: longest_dt(CellContext, State) -> double");
  }

  explicit operator bool() const { return static_cast<bool>(of_block_); }
  operator const FindLongestDt<D>&() const { return of_block_; }

 private:
  FindLongestDt<D> of_block_;
};

/// Advances the state of a cell under the sources alone; what Problem::source holds.
///
/// @threads called from any worker, for several blocks at once
template <class State, int D>
class SourceUpdate {
  template <class F>
  static constexpr bool is_of_cell =
      std::is_invocable_r_v<State, const F&, const numerics::CellContext<D>&, const State&, double>;
  template <class F>
  static constexpr bool is_of_block =
      std::is_invocable_v<const F&, const View<double, D>&, const Box<D>&, const SourceStep&>;

 public:
  SourceUpdate() = default;
  SourceUpdate(std::nullptr_t) {}
  /// @param f  f(CellContext<D>, State, double dt) -> State: the state dt after CellContext::time,
  /// before it where dt is negative; a pure function. So is one of three autos
  template <class F>
    requires is_of_cell<F>
  SourceUpdate(F f)
      : terms_on_([f = std::move(f)](const mesh::Geometry<D>& geometry) -> SourceTerms<D> {
          return [f, geometry](const View<double, D>& cells, const Box<D>& region,
                               const SourceStep& step) {
            const LevelContext<D> level{geometry, step.level, step.time};
            const auto stride = cells.component_stride();
            for_each(region, [&](const Index<D>& i) {
              double* const q = cells.at(0, i);
              const auto u = numerics::load<State>(q, stride);
              numerics::store(State(f(level.cell(i), u, step.dt)), q, stride);
            });
          };
        }) {}
  /// A function that goes through the cells itself: f(cells, region, SourceStep).
  SourceUpdate(SourceTerms<D> of_block) {
    if (of_block)
      terms_on_ = [of_block = std::move(of_block)](const mesh::Geometry<D>&) { return of_block; };
  }
  template <class F>
    requires(!is_of_cell<F> && is_of_block<F>)
  SourceUpdate(F f) : SourceUpdate(SourceTerms<D>(std::move(f))) {}
  template <class F>
    requires(!is_of_cell<F> && !is_of_block<F> && !std::is_convertible_v<F, SourceTerms<D>>)
  SourceUpdate(F) {
    static_assert(is_of_cell<F>,
                  "source is a function: source(CellContext, State, double dt) -> State; or "
                  "source(cells, region, SourceStep) of a block");
  }

  explicit operator bool() const { return static_cast<bool>(terms_on_); }
  /// The function of a block, on meshes of this geometry; none where there is none.
  SourceTerms<D> on(const mesh::Geometry<D>& geometry) const {
    return terms_on_ ? terms_on_(geometry) : SourceTerms<D>();
  }

 private:
  std::function<SourceTerms<D>(const mesh::Geometry<D>&)> terms_on_;
};

/// What a cell of a new block is; what Problem::refined holds.
///
/// @threads called from any worker, for several blocks at once
template <class State, int D>
class RefinedState {
  using Update = std::function<State(const numerics::CellContext<D>&, const State&, const State&)>;
  template <class F>
  static constexpr bool is_of_cell =
      std::is_invocable_r_v<State, const F&, const numerics::CellContext<D>&, const State&,
                            const State&>;

 public:
  RefinedState() = default;
  /// @param f  f(CellContext<D>, State u, State at_start) -> State: a pure function
  template <class F>
    requires is_of_cell<F>
  RefinedState(F f) : of_cell_(std::move(f)) {}
  template <class F>
    requires(!is_of_cell<F>)
  RefinedState(F) {
    static_assert(is_of_cell<F>,
                  "refined is a function: refined(CellContext, State u, State at_start) -> State");
  }

  explicit operator bool() const { return static_cast<bool>(of_cell_); }
  /// The function of a block, which has what the coarser level gave it.
  /// @param initial  the state at the start
  SetCells<D> of_block(SetCells<D> initial) const {
    if (!of_cell_) return {};
    return [f = of_cell_, initial = std::move(initial)](
               const LevelContext<D>& level, const View<double, D>& cells, const Box<D>& region) {
      std::vector<double> values(View<double, D>::size_of(region, cells.n_components()));
      const View<double, D> start(values.data(), region, cells.n_components());
      LevelContext<D> first = level;
      first.time = 0;
      initial(first, start, region);
      for_each(region, [&](const Index<D>& i) {
        double* const q = cells.at(0, i);
        const auto stride = cells.component_stride();
        const auto at_start = numerics::load<State>(start.at(0, i), start.component_stride());
        numerics::store(f(level.cell(i), numerics::load<State>(q, stride), at_start), q, stride);
      });
    };
  }

 private:
  Update of_cell_;
};

}  // namespace thalweg::step
