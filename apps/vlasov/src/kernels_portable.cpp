// SPDX-License-Identifier: MIT
#include "kernels.hpp"
#include "tile_kernels.hpp"

namespace thalweg::vlasov {

const Kernels& portable_kernels(int degree) {
  static const auto all = all_kernels<4>("portable");
  return all[static_cast<std::size_t>(degree / 2 - 1)];
}

}  // namespace thalweg::vlasov
