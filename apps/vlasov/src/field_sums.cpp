// SPDX-License-Identifier: MIT
#include <thalweg/vlasov/field_sums.hpp>

namespace thalweg::vlasov {

FieldSums add_up_field(std::span<const double> charge, double dx, std::span<double> level) {
  THALWEG_EXPECT(charge.size() == level.size() + rise_reads_below + rise_reads_above,
                 "the charge of three points before and two behind is needed");
  FieldSums sums;
  for (std::size_t i = 0; i < level.size(); ++i) {
    const double* const r = charge.data() + i;  // r[3] is that of point i
    sums.rise += dx / 1440 * (11 * (r[0] + r[5]) - 93 * (r[1] + r[4]) + 802 * (r[2] + r[3]));
    level[i] = sums.rise;
    sums.level += sums.rise;
    sums.field.add(sums.rise);
    sums.charge += r[rise_reads_below];
  }
  sums.n = static_cast<double>(level.size());
  return sums;
}

}  // namespace thalweg::vlasov
