// SPDX-License-Identifier: MIT
#include "forest.hpp"

#include <thalweg/miniamr/data/octant.hpp>

namespace thalweg::miniamr::data::testing {

void load(Store& store, const Plain& plain) {
  for (std::size_t b = 0; b < store.size(); ++b) {
    const auto& vars = plain.at(store.key(b));
    for (int v = 0; v < store.shape().n_vars; ++v) {
      double* to = store.memory(b).cells(v);
      const PlainBlock& u = vars[static_cast<std::size_t>(v)];
      u.for_each([&](int i, int j, int k) { *to++ = u(i, j, k); });
    }
    refresh_faces(store.shape(), store.memory(b));
    store.memory(b).clear_kept();
  }
}

void expect_equal(const Store& store, const Plain& plain, const std::string& what) {
  std::size_t n_wrong = 0;
  for (std::size_t b = 0; b < store.size(); ++b) {
    const auto& vars = plain.at(store.key(b));
    for (int v = 0; v < store.shape().n_vars; ++v) {
      const double* from = store.memory(b).cells(v);
      const PlainBlock& u = vars[static_cast<std::size_t>(v)];
      u.for_each([&](int i, int j, int k) { n_wrong += *from++ == u(i, j, k) ? 0 : 1; });
    }
  }
  EXPECT_EQ(n_wrong, 0U) << "cells differ " << what;
}

}  // namespace thalweg::miniamr::data::testing
