// SPDX-License-Identifier: MIT
#include <thalweg/core/routed_buffer.hpp>

#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

struct Envelope {
  Rank from;
  std::uint32_t stop;
};
struct Packet {
  Envelope label;
  std::uint64_t value;
};

std::vector<std::uint64_t> values_in(std::span<const std::byte> bytes) {
  std::vector<std::uint64_t> values;
  for (const Packet& packet : values_of<Packet>(bytes)) values.push_back(packet.value);
  return values;
}

const std::vector<Packet> some{
    {{Rank(2), 0}, 20}, {{Rank(0), 1}, 1}, {{Rank(2), 1}, 21}, {{Rank(0), 0}, 2}};

RoutedBuffer<Envelope> hold(std::span<const Packet> packets) {
  return {std::as_bytes(packets), sizeof(Packet)};
}

TEST(RoutedBuffer, are_taken_by_label_and_both_parts_stay_in_order) {
  auto held = hold(some);
  const auto taken = held.take([](const Envelope& label) { return label.stop == 1; });
  EXPECT_EQ(values_in(taken), (std::vector<std::uint64_t>{1, 21}));
  held.append(taken);
  const auto all = held.take([](const Envelope&) { return true; });
  EXPECT_EQ(values_in(all), (std::vector<std::uint64_t>{20, 2, 1, 21}));
}

TEST(RoutedBuffer, come_by_source_and_then_as_they_were) {
  EXPECT_EQ(values_in(hold(some).by_source()), (std::vector<std::uint64_t>{1, 2, 20, 21}));
}

TEST(RoutedBuffer, can_be_none) {
  auto none = hold({});
  EXPECT_TRUE(none.take([](const Envelope&) { return true; }).empty());
  EXPECT_TRUE(none.by_source().empty());
}

}  // namespace
}  // namespace thalweg
