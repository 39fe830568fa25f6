// SPDX-License-Identifier: MIT
// The collectives of Recorder that are no templates.
#include <functional>
#include <string>
#include <vector>

#include <thalweg/core/error.hpp>
#include <thalweg/core/exact_sum.hpp>
#include <thalweg/flow/recorder.hpp>

namespace thalweg::flow {

void Recorder::all_reduce_exact_sum(std::string_view name,
                                    const Use<Mode::in, DataRef<double>>& terms,
                                    const Use<Mode::out, DataRef<double>>& sum,
                                    const TaskOptions& options) {
  if (const std::size_t size = sum.view().size(); size != 1)
    throw Error("the sum '" + std::string(name) + "' goes to an array of " + std::to_string(size) +
                " (it is one number); give it an array of one");
  auto limbs = data<std::int64_t>(std::string(name) + " limbs", ExactSum::n_limbs);
  task(
      name, uses(terms, out(limbs)),
      [](std::span<const double> values, std::span<std::int64_t> to) {
        ExactSum total;
        total.add(values);
        std::ranges::copy(total.limbs(), to.begin());
      },
      options);
  // Limbs are integers below 2^32 with their carries done, so sums of 2^31 ranks are exact.
  all_reduce(name, inout(limbs), std::plus<std::int64_t>(), options);
  task(
      name, uses(in(limbs), sum),
      [](std::span<const std::int64_t> from, std::span<double> to) {
        to[0] = ExactSum::from_limbs(from.first<ExactSum::n_limbs>()).value();
      },
      options);
}

void Recorder::barrier(std::string_view name, std::span<const DatumId> data_held,
                       const TaskOptions& options) {
  const auto nothing = [](TaskContext&) {};
  std::vector<Access> accesses;
  for (const DatumId datum : data_held) accesses.push_back({datum, Mode::inout});
  auto come = data<std::byte>(std::string(name) + " come", 1);
  accesses.push_back(out(come).access());
  task(name, accesses, nothing, options);
  all_reduce(name, inout(come), std::bit_and<std::byte>(), options);
  accesses.back() = in(come).access();
  task(name, accesses, nothing, options);
}

}  // namespace thalweg::flow
