// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <thalweg/core/contract.hpp>

namespace thalweg {
namespace {

TEST(Contract, failure_names_kind_expression_message_and_place) {
  try {
    detail::fail_contract("expected", "n > 0", "n counts something",
                          std::source_location::current());
  } catch (const ContractViolation& e) {
    const std::string what = e.what();
    for (const char* part : {"expected", "n > 0", "n counts something", "contract_test.cpp"})
      EXPECT_NE(what.find(part), std::string::npos) << part << " not in: " << what;
    return;
  }
  FAIL() << "nothing was thrown";
}

#ifdef THALWEG_CONTRACTS
TEST(Contract, each_macro_throws_where_its_condition_is_false) {
  const int n = 0;

  EXPECT_THROW(THALWEG_EXPECT(n > 0, "positive"), ContractViolation);
  EXPECT_THROW(THALWEG_ASSERT(n > 0, "positive"), ContractViolation);
  EXPECT_THROW(THALWEG_ENSURE(n > 0, "positive"), ContractViolation);
  EXPECT_NO_THROW(THALWEG_EXPECT(n == 0, "zero"));
}
#else
TEST(Contract, nothing_is_evaluated_where_contracts_are_off) {
  [[maybe_unused]] int n = 0;

  THALWEG_EXPECT(++n > 5, "never looked at");

  EXPECT_EQ(n, 0);
}
#endif

}  // namespace
}  // namespace thalweg
