// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "run_deck.hpp"

namespace thalweg::vlasov {
namespace {

/// What a prototype found on 64 x 64 points after 20 steps of 0.05.
struct Golden {
  std::vector<std::string> deck;
  double mass, momentum, l1, l2, kinetic, potential, entropy;
  double modes[3];
  double f_min, f_max;
};

const std::vector<std::string> v_squared{"vlasov.beams=[{a0=0, a2=1}]",
                                         "vlasov.modes=[{amplitude=0.05}]"};

std::vector<Golden> goldens() {
  auto with_leapfrog = v_squared;
  with_leapfrog.push_back("vlasov.predictor=leapfrog");
  auto with_fft = v_squared, with_both = with_leapfrog;
  with_fft.push_back("vlasov.poisson=fft");
  with_both.push_back("vlasov.poisson=fft");
  return {{{"vlasov.modes=[{amplitude=0.5}]"},
           12.566370660898437,
           -1.8258152174141618e-06,
           12.566370663240495,
           1.9969951011273055,
           8.761406233049048,
           0.6631425091023424,
           17.018640873245428,
           {0.457808789433, 0.03843174962128, 0.004319128479127},
           -8.123141e-09,
           0.5984134},
          {{"vlasov.modes=[{amplitude=0.5}]", "vlasov.predictor=leapfrog"},
           12.566370660765841,
           -1.8214655915634277e-06,
           12.566370663088877,
           1.9969951055455126,
           8.758706227245646,
           0.6639902489778186,
           17.018640871011232,
           {0.4581049304141, 0.03841430536866, 0.004312890704957},
           -8.07348e-09,
           0.5984134},
          {v_squared,
           12.566369571709842,
           -3.4897015720370175e-06,
           12.566369571709842,
           1.6315580263680176,
           18.877914710676013,
           0.0030295890790618305,
           21.22089131040273,
           {0.03105394480206, 2.563908059996e-05, 3.130125585382e-06},
           1.869863e-13,
           0.3071658},
          {with_leapfrog,
           12.566369571704994,
           -3.489189521989657e-06,
           12.566369571704994,
           1.6315580315588751,
           18.877883497181696,
           0.0030357529788907645,
           21.22088846996709,
           {0.03108551922436, 2.588403500557e-05, 3.122705413052e-06},
           1.871097e-13,
           0.3071652},
          {{"vlasov.modes=[{amplitude=0.5}]", "vlasov.poisson=fft"},
           12.566370660898446,
           -1.8258152473968875e-06,
           12.566370663240507,
           1.9969951011273062,
           8.761406241857522,
           0.6631425122357758,
           17.018640873245435,
           {0.4578087899212, 0.03843175576155, 0.004319136826165},
           -8.123142e-09,
           0.5984134},
          {{"vlasov.modes=[{amplitude=0.5}]", "vlasov.predictor=leapfrog", "vlasov.poisson=fft"},
           12.566370660765859,
           -1.8214656205590594e-06,
           12.566370663088895,
           1.9969951055455124,
           8.758706236369393,
           0.6639902520260407,
           17.018640871011243,
           {0.4581049308686, 0.03841431155506, 0.004312899082763},
           -8.07348e-09,
           0.5984134},
          {with_fft,
           12.566369571709838,
           -3.4897015777557253e-06,
           12.566369571709838,
           1.6315580263679998,
           18.877914710776526,
           0.0030295890783776152,
           21.22089131041158,
           {0.03105394479855, 2.563907947703e-05, 3.130132095968e-06},
           1.869809e-13,
           0.3071658},
          {with_both,
           12.56636957170499,
           -3.489189529154008e-06,
           12.56636957170499,
           1.631558031558859,
           18.877883497284905,
           0.0030357529779861214,
           21.220888469976167,
           {0.03108551921973, 2.588403415476e-05, 3.122711912629e-06},
           1.871241e-13,
           0.3071652}};
}

TEST(VlasovReference, golden_values_after_20_steps) {
  constexpr double tolerance = 1e-11;  // the prototype's sums are in another order
  for (const Golden& golden : goldens()) {
    auto deck = golden.deck;
    deck.insert(deck.end(), {"vlasov.cells=[64, 64]", "time.dt=0.05", "time.end=1"});
    const auto line = testing::outcome_of(deck, 20, {}).line;
    ASSERT_EQ(line.size(), 14u);
    EXPECT_EQ(line[0], 1);
    EXPECT_NEAR(line[2] / golden.mass, 1, tolerance);
    EXPECT_NEAR(line[3], golden.momentum, 1e-14);  // the rest of a sum of terms near 1
    EXPECT_NEAR(line[4] / golden.kinetic, 1, tolerance);
    EXPECT_NEAR(line[5] / golden.potential, 1, tolerance);
    EXPECT_NEAR(line[6] / golden.l1, 1, tolerance);
    EXPECT_NEAR(line[7] / golden.l2, 1, tolerance);
    EXPECT_NEAR(line[8] / golden.entropy, 1, tolerance);
    // Higher modes are the rest of a sum of terms as large as the first.
    for (std::size_t m = 0; m < 3; ++m)
      EXPECT_NEAR(line[9 + m], golden.modes[m], tolerance * golden.modes[0]) << "mode " << m + 1;
    EXPECT_NEAR(line[12], golden.f_min, 1e-14);  // seven digits are known
    EXPECT_NEAR(line[13] / golden.f_max, 1, 1e-6);
  }
}

}  // namespace
}  // namespace thalweg::vlasov
