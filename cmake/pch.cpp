// SPDX-License-Identifier: MIT
// Nothing: a precompiled header belongs to a target, and a target has a source (ThalwegModule.cmake, ThalwegTest.cmake).
