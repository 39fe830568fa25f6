// SPDX-License-Identifier: MIT
// A fiber that goes back and forth, where the C library checks its calls.
#include "../src/fiber.hpp"

int main() {
  using namespace thalweg::comm;
  const Stacks stacks(1, 1 << 16);
  int n_turns = 0;
  Fiber* self = nullptr;
  Fiber fiber(stacks.usable(0), [&] {
    while (++n_turns < 3) self->suspend();
  });
  self = &fiber;
  while (!fiber.is_finished()) fiber.resume();
  return n_turns == 3 ? 0 : 1;
}
