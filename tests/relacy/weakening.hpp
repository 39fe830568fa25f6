// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace thalweg::testing {

/// What an operation does with an atomic, which says what orders it may have.
enum class Operation { load, store, change };

inline const char* name(std::memory_order order) {
  switch (order) {
    case std::memory_order_relaxed:
      return "relaxed";
    case std::memory_order_consume:
      return "consume";
    case std::memory_order_acquire:
      return "acquire";
    case std::memory_order_release:
      return "release";
    case std::memory_order_acq_rel:
      return "acq_rel";
    case std::memory_order_seq_cst:
      return "seq_cst";
  }
  return "?";
}

/// The orders one step weaker.
inline std::vector<std::memory_order> weaker(Operation operation, std::memory_order order) {
  using enum std::memory_order;
  switch (order) {
    case seq_cst:
      if (operation == Operation::load) return {acquire};
      if (operation == Operation::store) return {release};
      return {acq_rel};
    case acq_rel:
      return {acquire, release};
    case acquire:
    case release:
      return {relaxed};
    default:
      return {};
  }
}

/// A place in the code where an order is asked for.
struct Site {
  std::source_location where;
  Operation operation{};
  std::memory_order order{};

  bool is(const Site& other) const {
    const auto key = [](const Site& s) {
      return std::tuple(std::string_view(s.where.file_name()), s.where.line(), s.where.column(),
                        s.operation, s.order);
    };
    return key(*this) == key(other);
  }
  std::string text() const {
    const std::string_view path = where.file_name();
    return std::string(path.substr(path.rfind('/') + 1)) + ":" + std::to_string(where.line());
  }
};

/// One order of one site, made a step weaker.
struct Mutant {
  Site site;
  std::memory_order weaker;

  std::string text() const { return site.text() + ": " + name(site.order) + " -> " + name(weaker); }
};

inline bool contains(const std::vector<Mutant>& mutants, const Mutant& mutant) {
  return std::any_of(mutants.begin(), mutants.end(), [&](const Mutant& m) {
    return m.site.is(mutant.site) && m.weaker == mutant.weaker;
  });
}

/// Sees all orders that a model asks for, and answers with a weaker one at one site.
class Weakening {
 public:
  Weakening() { current = this; }
  explicit Weakening(const Mutant& mutant) : mutant_(mutant) { current = this; }
  ~Weakening() { current = nullptr; }
  Weakening(const Weakening&) = delete;
  Weakening& operator=(const Weakening&) = delete;

  std::memory_order order(Operation operation, std::memory_order order,
                          const std::source_location& where) {
    const Site site{where, operation, order};
    if (mutant_) return mutant_->site.is(site) ? mutant_->weaker : order;
    const auto end = sites_.begin() + n_sites_;
    if (std::find_if(sites_.begin(), end, [&](const Site& s) { return s.is(site); }) == end)
      sites_.at(static_cast<std::size_t>(n_sites_++)) = site;
    return order;
  }
  /// Every order that was asked for, one step weaker.
  std::vector<Mutant> mutants() const {
    std::vector<Mutant> all;
    for (auto site = sites_.begin(); site != sites_.begin() + n_sites_; ++site)
      for (const std::memory_order order : weaker(site->operation, site->order))
        all.push_back({*site, order});
    return all;
  }

  static inline Weakening* current = nullptr;  ///< all that is simulated is inside of it

 private:
  std::optional<Mutant> mutant_;
  std::array<Site, 256> sites_{};  // no vector: what is allocated in a simulation stays in it
  std::ptrdiff_t n_sites_ = 0;
};

}  // namespace thalweg::testing
