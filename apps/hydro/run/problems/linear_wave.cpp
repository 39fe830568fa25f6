// SPDX-License-Identifier: MIT
#include <thalweg/hydro/problem_file.hpp>
#include <thalweg/hydro/problems.hpp>

namespace thalweg::hydro {

/// A sine wave of small amplitude along any direction of a periodic box.
ProblemFile problem_linear_wave() {
  return problem_file<1, 2, 3>(
      "A sine wave of small amplitude in a periodic box.",
      {{.name = "problem.wave",
        .default_value = "sound_backward",
        .choices = {"sound_backward", "sound_forward", "entropy"},
        .doc = "Sound against the wave vector or along it, or a wave of entropy."},
       keys::n_waves("Number of wavelengths along each axis of the domain."),
       keys::amplitude("", "Amplitude relative to the density of the gas.")},
      []<int D>(ProblemReader<D>& read) -> GasProblem<D> {
        const auto& wave = read.string("wave");
        return {.initial = read.linear_wave(wave == "sound_backward"  ? Wave::sound_backward
                                            : wave == "sound_forward" ? Wave::sound_forward
                                                                      : Wave::entropy)};
      },
      keys::sides("periodic", "periodic"));
}

}  // namespace thalweg::hydro
