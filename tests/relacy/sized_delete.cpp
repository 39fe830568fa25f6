// SPDX-License-Identifier: MIT
// Relacy replaces new and delete, but for the deletes that C++14 has added.
#include "model.hpp"

void operator delete(void* p, std::size_t) noexcept {
  ::operator delete(p);
}
void operator delete[](void* p, std::size_t) noexcept {
  ::operator delete[](p);
}
