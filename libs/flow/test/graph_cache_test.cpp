// SPDX-License-Identifier: MIT
#include <thalweg/flow/graph_cache.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include <thalweg/core/error.hpp>

namespace thalweg::flow {
namespace {

TEST(GraphCache, records_again_when_the_revision_has_changed_and_only_then) {
  GraphCache cache(Rank(0), 1, Model::dataflow, {.grain = 2});
  int n_recorded = 0;
  const auto record = [&](Recorder& r) {
    ++n_recorded;
    auto x = r.data<int>("x", 1);
    for (int i = 0; i < 3; ++i) r.task("t", uses(out(x)), [](auto) {});
  };

  EXPECT_EQ(cache.at(5, record).n_tasks(), 2u);
  EXPECT_EQ(cache.at(5, record).revision(), 5u);
  EXPECT_EQ(n_recorded, 1);
  EXPECT_EQ(cache.at(6, record).n_tasks(), 2u);  // of the same grain
  EXPECT_EQ(n_recorded, 2);
  EXPECT_EQ(&cache.current(6), &cache.at(6, record));
}

TEST(GraphCache, copies_sections_that_stay_the_same) {
  GraphCache cache(Rank(0), 1, Model::dataflow);
  int n_recorded = 0;
  const auto record = [&](Recorder& r) {
    for (const std::uint64_t key : {1u, 2u})
      r.section(key, key == 1 ? 0 : static_cast<std::uint64_t>(n_recorded), [&](Recorder& inner) {
        ++n_recorded;
        auto x = inner.data<int>("x", 1);
        inner.task("t", uses(out(x)), [](auto) {});
      });
  };

  cache.at(1, record);
  EXPECT_EQ(cache.at(2, record).n_tasks(), 2u);
  EXPECT_EQ(n_recorded, 3);
}

TEST(GraphCache, refuses_a_stale_graph_naming_both_revisions) {
  GraphCache cache(Rank(0), 1, Model::dataflow);
  EXPECT_THROW(cache.current(1), Error);
  cache.at(3, [](Recorder&) {});

  try {
    cache.current(4);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("revision 3"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("revision 4"), std::string::npos) << e.what();
  }
}

TEST(GraphCache, keeps_no_graph_whose_recording_threw) {
  GraphCache cache(Rank(0), 1, Model::dataflow);
  cache.at(1, [](Recorder&) {});

  EXPECT_THROW(cache.at(2, [](Recorder&) { throw std::runtime_error("no"); }), std::runtime_error);

  EXPECT_FALSE(cache.is_at(1));
  EXPECT_EQ(cache.at(2, [](Recorder&) {}).revision(), 2u);
}

}  // namespace
}  // namespace thalweg::flow
