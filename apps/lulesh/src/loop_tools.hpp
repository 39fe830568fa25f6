// SPDX-License-Identifier: MIT
#pragma once
// What the loops of a cycle share. Anonymous namespace: see lanes.hpp.
#include "lanes.hpp"
#include "loops.hpp"

namespace thalweg::lulesh {
namespace {

namespace constants {
constexpr double e_cut = 1e-7, p_cut = 1e-7, q_cut = 1e-7, u_cut = 1e-7, v_cut = 1e-10;
constexpr double hourglass = 3.0;
constexpr double q_stop = 1e12;
constexpr double monoq_max_slope = 1.0, monoq_limiter = 2.0;
constexpr double qlc_monoq = 0.5, qqc_monoq = 2.0 / 3.0, qqc = 2.0;
constexpr double eos_v_max = 1e9, eos_v_min = 1e-9;
constexpr double p_min = 0.0, e_min = -1e15;
constexpr double dvov_max = 0.1;
constexpr double reference_density = 1.0;
constexpr double tiny = 1e-36;
}  // namespace constants

/// Keep the lower of the faults.
template <class V, class M>
void note(Fault& fault, Check check, const M& failed, const std::uint32_t* elements) {
  if (!is_any(failed)) [[likely]]
    return;
  for (int l = 0; l < n_lanes<V>; ++l)
    if (is_set(failed, l) &&
        (check < fault.check || (check == fault.check && elements[l] < fault.element)))
      fault = {check, elements[l]};
}
/// The same for elements that follow each other.
template <class V, class M>
void note_run(Fault& fault, Check check, const M& failed, std::uint32_t first) {
  std::uint32_t elements[n_lanes<V>];
  for (int l = 0; l < n_lanes<V>; ++l) elements[l] = first + static_cast<std::uint32_t>(l);
  note<V>(fault, check, failed, elements);
}

/// Call f.operator()<V>(i) for i in [begin, end): N at a time, then one at a time.
template <int N, class F>
void for_each(std::uint32_t begin, std::uint32_t end, const F& f) {
  std::uint32_t i = begin;
  for (; i + N <= end; i += N) f.template operator()<Lanes<N>>(i);
  for (; i < end; ++i) f.template operator()<double>(i);
}

}  // namespace
}  // namespace thalweg::lulesh
