// SPDX-License-Identifier: MIT
// A program that is compiled with -ffast-math, which says so by this macro.
#ifndef THALWEG_RIGHT
#define __FAST_MATH__ 1
#endif
#include <thalweg/core/contract.hpp>

int main() {}
