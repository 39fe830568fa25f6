// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace thalweg::numerics {

/// The slowest and the fastest signal along an axis, with sign.
struct Speeds {
  double lo;
  double hi;
};

namespace detail {
// A float among the members would be a narrowing, which braces refuse.
template <class T, std::size_t... C>
constexpr bool is_made_of_doubles(std::index_sequence<C...>) {
  return requires(std::array<double, sizeof...(C)> x) { T{x[C]...}; };
}
template <class T, int N>
concept AggregateOfDoubles =
    std::is_trivially_copyable_v<T> && std::is_aggregate_v<T> && sizeof(T) == N * sizeof(double) &&
    is_made_of_doubles<T>(std::make_index_sequence<std::size_t{N}>{});
}  // namespace detail

/// A hyperbolic system of conservation laws: a value whose members are pure functions of states.
///
/// State (conserved, what is stored) and Primitive (what is reconstructed) are aggregates of
/// n_components doubles. All functions take and return by value and have no early return, so that
/// the loops of this module vectorise them.
///
/// - to_primitive, to_conserved: inverse of each other for admissible states;
/// - flux(w, axis): the physical flux;
/// - riemann_speeds(l, r, axis): bounds on the signals that leave a face between two states;
/// - max_speed(w, axis): the largest absolute signal speed in one state, for the time step;
/// - admissible(u), admissible(w): a state; never with a NaN in u, nor where w must be positive;
/// - passes_floor(u, w): u is admissible and not far below w in what must stay positive.
///
/// A system may have plus_flux(u, w, scale, change, axis) = u + scale flux(w, axis) - change, where
/// w is the primitive form of u: schemes ask for it on both sides of each face, and knowing both
/// forms it may take fewer operations than the flux does.
///
/// Valid: hydro::Euler<3>. Invalid: a type whose flux takes the conserved state.
template <class S>
concept HyperbolicSystem =
    requires {
      typename S::State;
      typename S::Primitive;
      { S::dim } -> std::convertible_to<int>;
      { S::n_components } -> std::convertible_to<int>;
    } && detail::AggregateOfDoubles<typename S::State, S::n_components> &&
    detail::AggregateOfDoubles<typename S::Primitive, S::n_components> &&
    requires(const S s, typename S::State u, typename S::Primitive w, int axis) {
      { s.to_primitive(u) } -> std::same_as<typename S::Primitive>;
      { s.to_conserved(w) } -> std::same_as<typename S::State>;
      { s.flux(w, axis) } -> std::same_as<typename S::State>;
      { s.riemann_speeds(w, w, axis) } -> std::same_as<Speeds>;
      { s.max_speed(w, axis) } -> std::same_as<double>;
      { s.admissible(u) } -> std::same_as<bool>;
      { s.admissible(w) } -> std::same_as<bool>;
      { s.passes_floor(u, w) } -> std::same_as<bool>;
    };

/// A system that may have walls: mirror(u, axis) is u seen in a wall normal to the axis, so that
/// nothing flows between the two.
template <class S>
concept WalledSystem = HyperbolicSystem<S> && requires(const S s, typename S::State u, int axis) {
  { s.mirror(u, axis) } -> std::same_as<typename S::State>;
};

/// A system with a contact wave between its two outermost signals, as HLLC needs.
///
/// - contact_speed(l, r, outer, axis): the speed of the contact;
/// - star_flux(w, outer, contact, axis): the flux through a face at rest between outer signal and
///   contact, from the state w on the other side of the signal.
template <class S>
concept ContactSystem =
    HyperbolicSystem<S> && requires(const S s, typename S::Primitive w, Speeds v, int axis) {
      { s.contact_speed(w, w, v, axis) } -> std::same_as<double>;
      { s.star_flux(w, v.lo, v.hi, axis) } -> std::same_as<typename S::State>;
    };

/// What an admissible state must have, for messages: a system says it as `static constexpr
/// std::string_view admissible_states`, e.g. "positive density and pressure".
template <class System>
inline constexpr std::string_view admissible_states_of = "what the equations ask for";
template <class System>
  requires requires {
    { System::admissible_states } -> std::convertible_to<std::string_view>;
  }
inline constexpr std::string_view admissible_states_of<System> = System::admissible_states;

/// What the states of a system have that asks for nothing else.
inline constexpr std::string_view finite_numbers = "finite numbers";
/// The same of a state whose numbers are looked at themselves, whatever the system asks for.
inline std::string and_finite(std::string_view admissible_states) {
  std::string words(admissible_states);
  return admissible_states == finite_numbers ? words : words + ", and all numbers be finite";
}

/// How many of a system's components, the last ones, are coefficients of the equations that are
/// stored with the state, as a bathymetry is. They have no flux, are constant in a cell, and
/// stay as they are to the bit. A system that has some says `static constexpr int n_coefficients`.
template <class System>
inline constexpr int n_coefficients_of = 0;
template <class System>
  requires requires {
    { System::n_coefficients } -> std::convertible_to<int>;
  }
inline constexpr int n_coefficients_of<System> = System::n_coefficients;

/// How many of a system's components, the first ones, have fluxes that are conserved across levels.
/// A flux that a source balances within each cell is not replaced by that of finer cells: a system
/// that has some says `static constexpr int n_refluxed`.
template <class System>
inline constexpr int n_refluxed_of = System::n_components - n_coefficients_of<System>;
template <class System>
  requires requires {
    { System::n_refluxed } -> std::convertible_to<int>;
  }
inline constexpr int n_refluxed_of<System> = System::n_refluxed;

/// A system that says what becomes of the components that are not, where the others are corrected
/// in a coarse cell: after_reflux(before, after), e.g. with the velocity that it had.
template <class S>
concept RefluxedSystem = HyperbolicSystem<S> && requires(const S s, typename S::State u) {
  { s.after_reflux(u, u) } -> std::same_as<typename S::State>;
};

/// A system in which the states on the two sides of a face become others before they are solved
/// for, as depths do at a step of the bed: meet(l, r) changes both.
template <class S>
concept MeetingSystem = HyperbolicSystem<S> && requires(const S s, typename S::Primitive w) {
  { s.meet(w, w) };
};

/// A system with diffusion: diffusive_flux(below, above, dx, axis) of the conserved states of the
/// cells on the two sides of a face is added to its flux, and diffusivity is the largest
/// coefficient [length^2/time], for the time step.
template <class S>
concept DiffusiveSystem =
    HyperbolicSystem<S> && requires(const S s, typename S::State u, double dx, int axis) {
      { s.diffusive_flux(u, u, dx, axis) } -> std::same_as<typename S::State>;
      { s.diffusivity } -> std::convertible_to<double>;
    };

namespace detail {

/// Refuse to compile members that would be passed over in silence: of the name of an optional one,
/// but not what it has to be. Of a template or of several functions of a name nothing is said, as
/// their address is none.
template <HyperbolicSystem S>
consteval bool check_optional_members() {
  using Primitive = typename S::Primitive;
  if constexpr (requires { &S::diffusive_flux; }) {
    static_assert(
        requires(const S s) { s.diffusivity + 0.0; },
        "a system with diffusive_flux(below, above, dx, axis) also has a number `diffusivity`");
    static_assert(
        requires(const S s, typename S::State u, double h, int axis) {
          { s.diffusive_flux(u, u, h, axis) } -> std::same_as<typename S::State>;
        },
        "diffusive_flux(below, above, dx, axis) takes two conserved states, System::State, "
        "and returns one; make primitives of them in it by to_primitive");
  }
  if constexpr (requires { &S::meet; })
    static_assert(
        MeetingSystem<S> &&
            !requires(const S s, Primitive w) { s.meet(Primitive(w), Primitive(w)); },
        "meet(l, r) takes two primitive states by reference, System::Primitive&, which it changes, "
        "and is const");
  if constexpr (requires { &S::after_reflux; })
    static_assert(RefluxedSystem<S>,
                  "after_reflux(before, after) takes two conserved states, System::State, returns "
                  "one, and is const");
  if constexpr (requires { &S::contact_speed; } || requires { &S::star_flux; })
    static_assert(ContactSystem<S>,
                  "a system with a contact has contact_speed(l, r, outer, axis) -> double and "
                  "star_flux(w, outer, contact, axis) -> State, of primitive states, both const");
  return true;
}

}  // namespace detail

/// The number of doubles in a state.
template <class State>
inline constexpr int n_components_of = static_cast<int>(sizeof(State) / sizeof(double));

// States are taken apart and put together one component at a time, with no loop: through an array,
// be it with std::bit_cast, GCC 12 keeps them in memory and gives up vectorising a Riemann solver.

/// Component c of a state.
template <class State>
constexpr double component(const State& u, std::size_t c) {
  double value;
  std::memcpy(&value, reinterpret_cast<const std::byte*>(&u) + c * sizeof(double), sizeof(double));
  return value;
}

/// Make a state from its components: component c is f(c).
template <class State, class F>
constexpr State make_state(F f) {
  return [&]<std::size_t... C>(std::index_sequence<C...>) {
    State u;
    const auto set = [&](std::size_t c, double value) {
      std::memcpy(reinterpret_cast<std::byte*>(&u) + c * sizeof(double), &value, sizeof(double));
    };
    (set(C, f(C)), ...);
    return u;
  }(std::make_index_sequence<static_cast<std::size_t>(n_components_of<State>)>{});
}

/// Combine states component by component: result[c] = f(a[c], more[c]...).
template <class State, class F, class... States>
constexpr State map_components(F f, const State& a, const States&... more) {
  return make_state<State>(
      [&](std::size_t c) { return f(component(a, c), component(more, c)...); });
}

/// Read the state of one cell; `first` is where its component 0 lies.
template <class State>
constexpr State load(const double* first, std::ptrdiff_t component_stride) {
  return make_state<State>(
      [=](std::size_t c) { return first[static_cast<std::ptrdiff_t>(c) * component_stride]; });
}

/// Write the state of one cell; `first` is where its component 0 lies.
template <class State>
constexpr void store(const State& u, double* first, std::ptrdiff_t component_stride) {
  [&]<std::size_t... C>(std::index_sequence<C...>) {
    ((first[static_cast<std::ptrdiff_t>(C) * component_stride] = component(u, C)), ...);
  }(std::make_index_sequence<static_cast<std::size_t>(n_components_of<State>)>{});
}

}  // namespace thalweg::numerics
