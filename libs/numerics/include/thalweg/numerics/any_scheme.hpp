// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include <thalweg/numerics/scheme.hpp>

namespace thalweg::numerics {

/// Any scheme for a system, chosen while the program runs: one indirect call for a block's step.
///
/// What is written for AnyScheme is compiled once, and each kernel where it is named. Copies share
/// the scheme.
/// @threads safe
template <HyperbolicSystem System_>
class AnyScheme {
 public:
  using System = System_;
  using State = typename System::State;
  static constexpr int dim = System::dim;
  static constexpr int n_components = System::n_components;

  template <BlockScheme S>
    requires std::same_as<typename S::System, System>
  AnyScheme(const S& scheme)
      : system(scheme.system),
        n_ghosts(scheme.n_ghosts),
        scheme_(std::make_shared<S>(scheme)),
        update_([](const void* self, View<double, dim> u, const Box<dim>& valid, StepSize<dim> step,
                   std::span<std::byte> scratch) {
          return static_cast<const S*>(self)->update(u, valid, step, scratch);
        }),
        scratch_bytes_([](const void* self, const Box<dim>& valid) {
          return static_cast<const S*>(self)->scratch_bytes(valid);
        }) {}

  StepReport<dim> update(View<double, dim> u, const Box<dim>& valid, StepSize<dim> step,
                         std::span<std::byte> scratch) const {
    return update_(scheme_.get(), u, valid, step, scratch);
  }
  std::size_t scratch_bytes(const Box<dim>& valid) const {
    return scratch_bytes_(scheme_.get(), valid);
  }

  System system;
  int n_ghosts;

 private:
  std::shared_ptr<const void> scheme_;
  StepReport<dim> (*update_)(const void*, View<double, dim>, const Box<dim>&, StepSize<dim>,
                             std::span<std::byte>);
  std::size_t (*scratch_bytes_)(const void*, const Box<dim>&);
};

}  // namespace thalweg::numerics
