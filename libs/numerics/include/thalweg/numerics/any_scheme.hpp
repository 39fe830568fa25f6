// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include <thalweg/numerics/scheme.hpp>

namespace thalweg::numerics {

/// Any scheme for a system, chosen while the program runs: one indirect call for a block's stage.
///
/// What is written for AnyScheme is compiled once, and each kernel where it is named. A scheme may
/// have a system of its own with the same states, of which System has all cases: kernels for a
/// constant that is zero, say. Copies share the scheme.
/// @threads safe
template <HyperbolicSystem System_>
class AnyScheme {
 public:
  using System = System_;
  using State = typename System::State;
  static constexpr int dim = System::dim;
  static constexpr int n_components = System::n_components;

  template <BlockScheme S>
    requires std::same_as<typename S::State, State> &&
                 std::convertible_to<typename S::System, System>
  AnyScheme(const S& scheme)
      : system(scheme.system),
        n_ghosts(scheme.n_ghosts),
        stages_(scheme.stages()),
        scheme_(std::make_shared<S>(scheme)),
        update_stage_([](const void* self, std::size_t k, View<double, dim> u, ConstView<dim> start,
                         const Box<dim>& valid, StepSize<dim> step, std::span<std::byte> scratch) {
          return static_cast<const S*>(self)->update_stage(k, u, start, valid, step, scratch);
        }),
        scratch_bytes_([](const void* self, const Box<dim>& valid) {
          return static_cast<const S*>(self)->scratch_bytes(valid);
        }) {}

  std::span<const Stage> stages() const { return stages_; }
  StepReport<dim> update_stage(std::size_t k, View<double, dim> u, ConstView<dim> start,
                               const Box<dim>& valid, StepSize<dim> step,
                               std::span<std::byte> scratch) const {
    return update_stage_(scheme_.get(), k, u, start, valid, step, scratch);
  }
  std::size_t scratch_bytes(const Box<dim>& valid) const {
    return scratch_bytes_(scheme_.get(), valid);
  }

  System system;
  int n_ghosts;

 private:
  std::span<const Stage> stages_;  ///< constants of the scheme's type
  std::shared_ptr<const void> scheme_;
  StepReport<dim> (*update_stage_)(const void*, std::size_t, View<double, dim>, ConstView<dim>,
                                   const Box<dim>&, StepSize<dim>, std::span<std::byte>);
  std::size_t (*scratch_bytes_)(const void*, const Box<dim>&);
};

}  // namespace thalweg::numerics
