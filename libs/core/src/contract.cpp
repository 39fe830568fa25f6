// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <thalweg/core/contract.hpp>

namespace thalweg::detail {

void fail_contract(const char* kind, const char* expression, const std::string& message,
                   std::source_location where) {
  throw ContractViolation(fmt::format("{}:{}: {} {}: {} (in {})", where.file_name(), where.line(),
                                      kind, expression, message, where.function_name()));
}

}  // namespace thalweg::detail
