// SPDX-License-Identifier: MIT
#pragma once
#include <source_location>
#include <stdexcept>
#include <string>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "Thalweg is not to be compiled with -ffast-math or -ffinite-math-only: NaN would pass checks"
#endif

namespace thalweg {

/// Thrown where a contract is broken: a bug in the caller or in the library, never a bad request.
struct ContractViolation : std::logic_error {
  using std::logic_error::logic_error;
};

namespace detail {
/// Throw ContractViolation naming the expression, the message and the place.
[[noreturn]] void fail_contract(const char* kind, const char* expression,
                                const std::string& message, std::source_location where);
}  // namespace detail

}  // namespace thalweg

// Contracts: EXPECT what the caller promises, ASSERT what holds inside, ENSURE what is returned.
#ifdef THALWEG_CONTRACTS
#define THALWEG_CONTRACT_(kind, condition, message)                      \
  do {                                                                   \
    if (!(condition)) [[unlikely]]                                       \
      ::thalweg::detail::fail_contract(kind, #condition, message,        \
                                       std::source_location::current()); \
  } while (false)
#else
#define THALWEG_CONTRACT_(kind, condition, message) \
  do {                                              \
  } while (false)
#endif
#define THALWEG_EXPECT(condition, message) THALWEG_CONTRACT_("expected", condition, message)
#define THALWEG_ASSERT(condition, message) THALWEG_CONTRACT_("asserted", condition, message)
#define THALWEG_ENSURE(condition, message) THALWEG_CONTRACT_("ensured", condition, message)
