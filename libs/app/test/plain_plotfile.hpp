// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <thalweg/core/box.hpp>
#include <thalweg/io/plotfile.hpp>

namespace thalweg::app::testing {

inline std::string printed(const char* format, ...) __attribute__((format(printf, 1, 2)));
inline std::string printed(const char* format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

/// What a plotfile of two dimensions consists of, by the format's description alone and without a
/// thought for memory: the bytes of each file by its path in the directory.
///
/// @param plot  with the boxes of all ranks
/// @param value  of (level, variable, cell)
template <class Value>
std::map<std::string, std::string> plain_plotfile(const io::PlotDescription<2>& plot,
                                                  std::size_t n_files, const Value& value) {
  const auto inclusive = [](const Box<2>& b) {
    return printed("((%d,%d) (%d,%d) (0,0))", b.lo[0], b.lo[1], b.hi[0] - 1, b.hi[1] - 1);
  };
  const std::size_t n_variables = plot.variables.size();
  std::map<std::string, std::string> files;
  std::string header = printed("HyperCLaw-V1.1\n%zu\n", n_variables), steps, domains, sizes, levels;
  for (const auto& name : plot.variables) header += name + "\n";
  header += printed("2\n%.17g\n%zu\n", plot.time, plot.levels.size() - 1);
  header += printed("%.17g %.17g\n%.17g %.17g\n", plot.lower[0], plot.lower[1], plot.upper[0],
                    plot.upper[1]);
  for (std::size_t l = 0; l < plot.levels.size(); ++l) {
    const auto& [domain, h, boxes, n_boxes, first_box, first_offset] = plot.levels[l];
    const char* const blank = l == 0 ? "" : " ";
    if (l > 0)
      header += printed("%s%d", l == 1 ? "" : " ",
                        domain.extent(0) / plot.levels[l - 1].domain.extent(0));
    domains += blank + inclusive(domain);
    steps += blank + std::to_string(plot.step);
    sizes += printed("%.17g %.17g\n", h[0], h[1]);
    levels +=
        printed("%zu %zu %.17g\n%d\n", l, boxes.size(), plot.time, static_cast<int>(plot.step));

    const std::string folder = printed("Level_%zu/", l);
    std::string bounds, records, least, most;
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      const Box<2>& box = boxes[b];
      for (int a = 0; a < 2; ++a)
        levels += printed("%.17g %.17g\n", plot.lower[a] + h[a] * box.lo[a],
                          plot.lower[a] + h[a] * box.hi[a]);
      bounds += inclusive(box) + "\n";
      const std::string file =
          printed("Cell_D_%05zu", b * std::min(n_files, boxes.size()) / boxes.size());
      std::string& data = files[folder + file];
      records += printed("FabOnDisk: %s %zu\n", file.c_str(), data.size());
      data += "FAB ((8, (64 11 52 0 1 12 0 1023)),(8, (8 7 6 5 4 3 2 1)))" + inclusive(box) +
              printed(" %zu\n", n_variables);
      for (std::size_t v = 0; v < n_variables; ++v) {
        std::vector<double> cells;
        for (int j = box.lo[1]; j < box.hi[1]; ++j)
          for (int i = box.lo[0]; i < box.hi[0]; ++i) cells.push_back(value(l, v, {i, j}));
        data.append(reinterpret_cast<const char*>(cells.data()), cells.size() * sizeof(double));
        least += printed("%.17e,", *std::min_element(cells.begin(), cells.end()));
        most += printed("%.17e,", *std::max_element(cells.begin(), cells.end()));
      }
      least += "\n";
      most += "\n";
    }
    levels += printed("Level_%zu/Cell\n", l);
    const std::size_t n = boxes.size();
    files[folder + "Cell_H"] = printed("1\n1\n%zu\n0\n(%zu 0\n", n_variables, n) + bounds +
                               printed(")\n%zu\n", n) + records +
                               printed("\n%zu,%zu\n", n, n_variables) + least +
                               printed("\n%zu,%zu\n", n, n_variables) + most;
  }
  files["Header"] = header + "\n" + domains + "\n" + steps + "\n" + sizes + "0\n0\n" + levels;
  return files;
}

}  // namespace thalweg::app::testing
