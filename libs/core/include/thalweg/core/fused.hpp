// SPDX-License-Identifier: MIT
#pragma once

namespace thalweg {

/// a * b + c, rounded once: the same bits on every processor, one instruction where it has one.
///
/// Compilers may not fuse by themselves here, as they would do so in some loops and not in others
/// (docs/adr/0003-layout-floating-point-vectors.md). Inlined in any build, as some files are also
/// compiled for processors that have more instructions than others.
[[gnu::always_inline]] constexpr double fused(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}

}  // namespace thalweg
