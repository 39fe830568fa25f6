// SPDX-License-Identifier: MIT
#include <thalweg/taskbench/drive.hpp>

#include "core.h"

int main(int argc, char** argv) {
  return thalweg::taskbench::drive<App>(argc, argv);
}
