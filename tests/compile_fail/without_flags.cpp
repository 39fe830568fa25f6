// SPDX-License-Identifier: MIT
// A program that is compiled without the flags that say for which numbers of dimensions.
#ifdef THALWEG_RIGHT
#define THALWEG_2D
#endif
#include <thalweg/app/read_setup.hpp>

int main() {}
