// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <vector>

namespace thalweg::mesh {

/// Sort a list and keep one of each.
template <class T>
void sort_unique(std::vector<T>& v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
}

}  // namespace thalweg::mesh
