// SPDX-License-Identifier: MIT
#include <thalweg/field/fields.hpp>

#include <algorithm>
#include <cctype>
#include <iterator>

#include <fmt/format.h>

#include <thalweg/core/complaints.hpp>
#include <thalweg/core/counted.hpp>

namespace thalweg::field {

bool is_unit(std::string_view text) {
  return std::ranges::none_of(text, [](char c) {
    return c == ',' || c == '"' || std::iscntrl(static_cast<unsigned char>(c)) != 0;
  });
}

void check_fields(std::span<const Field> fields) {
  Complaints complaints;
  const Field* coefficient = nullptr;
  for (const Field& f : fields) {
    if (f.place != Place::cells) {
      if (!f.components.empty() || !f.units.empty())
        complaints.add(
            fmt::format("the field '{}' has components or units (they are of fields in cells, and "
                        "would have no effect); leave Field::components and units out",
                        f.name));
      continue;
    }
    if (f.role == Role::coefficient)
      coefficient = &f;
    else if (coefficient != nullptr)
      complaints.add(
          fmt::format("the field '{}' comes behind the coefficient '{}' (coefficients are the last "
                      "components of a state); put it before",
                      f.name, coefficient->name));
    const auto n = f.components.empty() ? 1 : std::ssize(f.components);
    if (std::ssize(f.units) > n)
      complaints.add(fmt::format(
          "the field '{}' has {} for {} (each component has one); leave the others out of "
          "Field::units",
          f.name, counted(std::ssize(f.units), "unit"), counted(n, "component")));
    if (f.n_ghosts != 0)
      complaints.add(
          fmt::format("the field '{}' has n_ghosts = {} (in cells there are as many as the scheme "
                      "reads, and this would have no effect); leave Field::n_ghosts out",
                      f.name, f.n_ghosts));
    for (const std::string& unit : f.units)
      if (!is_unit(unit))
        complaints.add(
            fmt::format("the field '{}' has the unit '{}' (a comma, a quote or a control character "
                        "breaks the heading of series.csv); write it without in Field::units",
                        f.name, unit));
  }
  complaints.throw_if_any();
}

}  // namespace thalweg::field
