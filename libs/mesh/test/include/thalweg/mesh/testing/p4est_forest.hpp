// SPDX-License-Identifier: MIT
#pragma once
#include <mpi.h>
#include <p4est_bits.h>
#include <p4est_extended.h>
#include <p4est_ghost.h>
#include <p8est_bits.h>
#include <p8est_extended.h>
#include <p8est_ghost.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <thalweg/core/vec.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/leaf_adapt.hpp>
#include <thalweg/mesh/leaf_forest.hpp>

namespace thalweg::mesh::testing {

/// What p4est calls things in two dimensions.
struct P4estNames {
  static constexpr int dim = 2;
  static constexpr int max_level = P4EST_MAXLEVEL;
  using Forest = p4est_t;
  using Connectivity = p4est_connectivity_t;
  using Quadrant = p4est_quadrant_t;
  using Tree = p4est_tree_t;
  using Ghost = p4est_ghost_t;
  static constexpr auto make = p4est_new_ext;
  static constexpr auto destroy = p4est_destroy;
  static constexpr auto destroy_connectivity = p4est_connectivity_destroy;
  static constexpr auto refine = p4est_refine;
  static constexpr auto coarsen = p4est_coarsen;
  static constexpr auto balance = p4est_balance;
  static constexpr auto partition = p4est_partition;
  static constexpr auto make_ghost = p4est_ghost_new;
  static constexpr auto destroy_ghost = p4est_ghost_destroy;
  static constexpr auto memory_used = p4est_memory_used;
  static constexpr auto ghost_memory_used = p4est_ghost_memory_used;

  static p4est_connect_type_t connect(Adjacency adjacency) {
    return adjacency == Adjacency::faces ? P4EST_CONNECT_FACE : P4EST_CONNECT_CORNER;
  }
  static Connectivity* brick(const Geometry<2>& g) {
    const Index<2> n = g.config().root_blocks;
    return p4est_connectivity_new_brick(n[0], n[1], g.is_periodic(0), g.is_periodic(1));
  }
  static Index<2> corner(const Quadrant& q) { return {q.x, q.y}; }
};

/// What p4est calls things in three dimensions.
struct P8estNames {
  static constexpr int dim = 3;
  static constexpr int max_level = P8EST_MAXLEVEL;
  using Forest = p8est_t;
  using Connectivity = p8est_connectivity_t;
  using Quadrant = p8est_quadrant_t;
  using Tree = p8est_tree_t;
  using Ghost = p8est_ghost_t;
  static constexpr auto make = p8est_new_ext;
  static constexpr auto destroy = p8est_destroy;
  static constexpr auto destroy_connectivity = p8est_connectivity_destroy;
  static constexpr auto refine = p8est_refine;
  static constexpr auto coarsen = p8est_coarsen;
  static constexpr auto balance = p8est_balance;
  static constexpr auto partition = p8est_partition;
  static constexpr auto make_ghost = p8est_ghost_new;
  static constexpr auto destroy_ghost = p8est_ghost_destroy;
  static constexpr auto memory_used = p8est_memory_used;
  static constexpr auto ghost_memory_used = p8est_ghost_memory_used;

  static p8est_connect_type_t connect(Adjacency adjacency) {
    return adjacency == Adjacency::faces   ? P8EST_CONNECT_FACE
           : adjacency == Adjacency::edges ? P8EST_CONNECT_EDGE
                                           : P8EST_CONNECT_CORNER;
  }
  static Connectivity* brick(const Geometry<3>& g) {
    const Index<3> n = g.config().root_blocks;
    return p8est_connectivity_new_brick(n[0], n[1], n[2], g.is_periodic(0), g.is_periodic(1),
                                        g.is_periodic(2));
  }
  static Index<3> corner(const Quadrant& q) { return {q.x, q.y, q.z}; }
};

/// A forest of p4est's (libsc's log must be silent), in the words of this library.
///
/// Ratio 2 only. All functions are collective over the communicator.
template <class Names>
class P4estForest {
 public:
  static constexpr int D = Names::dim;
  using Decide = std::function<RefineFlag(const Key<D>&)>;

  /// All blocks of a level.
  P4estForest(MPI_Comm comm, const LeafRules<D>& rules, int level)
      : rules_(rules), connectivity_(Names::brick(rules.geometry)) {
    // Tree t's first corner lies at its place among the root blocks.
    for (p4est_topidx_t t = 0; t < connectivity_->num_trees; ++t) {
      const auto vertex = connectivity_->tree_to_vertex[(1 << D) * t];
      Index<D> place;
      for (int a = 0; a < D; ++a)
        place[a] = static_cast<int>(std::lround(connectivity_->vertices[3 * vertex + a]));
      places_.push_back(place);
    }
    forest_.reset(Names::make(comm, connectivity_.get(), 0, level, 1, 0, nullptr, this));
  }

  /// Refine and coarsen as the leaves are flagged, whole families only; not yet balanced.
  void apply(const Decide& decide) {
    decide_ = &decide;
    Names::partition(forest_.get(), 1, nullptr);  // families on one rank: it coarsens no others
    for_each([](p4est_topidx_t, typename Names::Quadrant& q) { q.p.user_int = 0; });
    Names::coarsen(forest_.get(), 0, &coarsens, &mark_new);
    Names::refine(forest_.get(), 0, &refines, &mark_new);
    decide_ = nullptr;
  }
  void balance() { Names::balance(forest_.get(), Names::connect(rules_.balance), nullptr); }
  void partition() { Names::partition(forest_.get(), 0, nullptr); }
  /// Make a ghost layer. @return bytes of it and of the forest on this rank
  std::size_t find_neighbours(Adjacency reach) {
    auto* ghost = Names::make_ghost(forest_.get(), Names::connect(reach));
    const std::size_t n = Names::ghost_memory_used(ghost) + Names::memory_used(forest_.get());
    Names::destroy_ghost(ghost);
    return n;
  }
  std::int64_t n_global() const { return forest_->global_num_quadrants; }
  /// This rank's leaves.
  std::vector<Key<D>> leaves() {
    std::vector<Key<D>> keys;
    for_each(
        [&](p4est_topidx_t tree, typename Names::Quadrant& q) { keys.push_back(key_of(tree, q)); });
    return keys;
  }

 private:
  Key<D> key_of(p4est_topidx_t tree, const typename Names::Quadrant& q) const {
    const Index<D> corner = Names::corner(q);
    Index<D> place;
    for (int a = 0; a < D; ++a)
      place[a] = (places_[static_cast<std::size_t>(tree)][a] << q.level) +
                 (corner[a] >> (Names::max_level - q.level));
    return key_at(q.level, place);
  }

  template <class F>
  void for_each(F f) {
    for (auto t = forest_->first_local_tree; t <= forest_->last_local_tree; ++t) {
      auto& quadrants = static_cast<typename Names::Tree*>(
                            sc_array_index(forest_->trees, static_cast<std::size_t>(t)))
                            ->quadrants;
      for (std::size_t i = 0; i < quadrants.elem_count; ++i)
        f(t, *static_cast<typename Names::Quadrant*>(sc_array_index(&quadrants, i)));
    }
  }

  static void mark_new(typename Names::Forest*, p4est_topidx_t, typename Names::Quadrant* q) {
    q->p.user_int = 1;
  }
  static int refines(typename Names::Forest* forest, p4est_topidx_t tree,
                     typename Names::Quadrant* q) {
    const auto& self = *static_cast<P4estForest*>(forest->user_pointer);
    return q->p.user_int == 0 && (*self.decide_)(self.key_of(tree, *q)) == RefineFlag::refine;
  }
  static int coarsens(typename Names::Forest* forest, p4est_topidx_t tree,
                      typename Names::Quadrant* family[]) {
    const auto& self = *static_cast<P4estForest*>(forest->user_pointer);
    for (int i = 0; i < (1 << D); ++i)
      if (family[i]->p.user_int != 0 ||
          (*self.decide_)(self.key_of(tree, *family[i])) != RefineFlag::coarsen)
        return 0;
    return 1;
  }

  struct Destroy {
    void operator()(typename Names::Forest* f) const { Names::destroy(f); }
    void operator()(typename Names::Connectivity* c) const { Names::destroy_connectivity(c); }
  };

  LeafRules<D> rules_;
  std::unique_ptr<typename Names::Connectivity, Destroy> connectivity_;
  std::vector<Index<D>> places_;  ///< of the trees
  std::unique_ptr<typename Names::Forest, Destroy> forest_;
  const Decide* decide_ = nullptr;
};

}  // namespace thalweg::mesh::testing
