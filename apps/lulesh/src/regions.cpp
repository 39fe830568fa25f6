// SPDX-License-Identifier: MIT
#include <thalweg/lulesh/regions.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace thalweg::lulesh {
namespace {

/// The numbers that glibc's rand() gives after srand(seed), without its global state.
class GlibcRand {
 public:
  explicit GlibcRand(std::uint32_t seed) {
    initstate_r(seed, state_.data(), state_.size(), &data_);
  }
  GlibcRand(const GlibcRand&) = delete;
  GlibcRand& operator=(const GlibcRand&) = delete;

  int operator()() {
    std::int32_t number = 0;
    random_r(&data_, &number);
    return number;
  }

 private:
  alignas(8) std::array<char, 128> state_{};
  random_data data_{};
};

/// The length of a run: mostly short, some of them very long.
int draw_length(GlibcRand& random) {
  const int bin = random() % 1000;
  if (bin < 773) return random() % 15 + 1;
  if (bin < 937) return random() % 16 + 16;
  if (bin < 970) return random() % 32 + 32;
  if (bin < 974) return random() % 64 + 64;
  if (bin < 978) return random() % 128 + 128;
  if (bin < 981) return random() % 256 + 256;
  return random() % 1537 + 512;
}

/// Sums of weights up to each region; the last is that of all.
std::vector<double> weight_ends(const RegionSettings& settings) {
  std::vector<double> ends;
  double sum = 0;
  for (int r = 0; r < settings.n_regions; ++r)
    ends.push_back(sum += std::pow(r + 1, settings.balance));
  return ends;
}

std::int64_t repetitions_of(int region, const RegionSettings& settings) {
  const int n = settings.n_regions;
  const std::int64_t dearer = 1 + std::int64_t{settings.cost};
  if (region < n / 2) return 1;
  if (region < n - (n + 15) / 20) return dearer;
  return 10 * dearer;
}

}  // namespace

bool is_drawable(const RegionSettings& settings) {
  const double heaviest = std::pow(settings.n_regions, settings.balance);
  const double all = weight_ends(settings).back();
  return all <= std::numeric_limits<std::int32_t>::max() &&
         (settings.n_regions == 1 || all - heaviest >= 1e-4 * all);
}

std::vector<Region> make_regions(const RegionSettings& settings, std::uint32_t n_elements,
                                 std::uint32_t rank) {
  const int n = settings.n_regions;
  std::vector<Region> regions(static_cast<std::size_t>(n));
  for (int r = 0; r < n; ++r)
    regions[static_cast<std::size_t>(r)].n_repetitions = repetitions_of(r, settings);
  const auto add_run = [&](std::size_t region, std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t e = begin; e < end; ++e) regions[region].elements.push_back(e);
  };
  if (n == 1) {
    add_run(0, 0, n_elements);
    return regions;
  }
  const std::vector<double> ends = weight_ends(settings);
  GlibcRand random(rank);
  const auto draw_region = [&] {
    const int drawn = random() % static_cast<int>(ends.back());
    const auto i = static_cast<std::size_t>(std::ranges::upper_bound(ends, drawn) - ends.begin());
    return (i + rank) % static_cast<std::size_t>(n);
  };
  std::size_t last = regions.size();
  for (std::uint32_t next = 0; next < n_elements;) {
    std::size_t region = draw_region();
    while (region == last) region = draw_region();
    const auto length = static_cast<std::uint32_t>(draw_length(random));
    const std::uint32_t end = std::min(n_elements, next + length);
    add_run(region, next, end);
    next = end;
    last = region;
  }
  return regions;
}

}  // namespace thalweg::lulesh
