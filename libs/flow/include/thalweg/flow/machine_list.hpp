// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <thalweg/core/shared_list.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/transport.hpp>

namespace thalweg::flow {
namespace detail {

/// As all_gather_bytes, into memory of the machine.
std::shared_ptr<std::byte> all_gather_bytes_on_machine(Transport& transport, Machine& machine,
                                                       std::span<const std::byte> mine);
/// What goes between the ranks of a machine, after they have come here: what each wrote is there.
void meet(Transport& transport, const Machine& machine);

template <class T>
SharedList<T> list_on_machine(const std::shared_ptr<std::byte>& memory, std::size_t n_values,
                              const Machine& machine) {
  return {std::shared_ptr<const T>(memory, reinterpret_cast<const T*>(memory.get())), n_values,
          machine.ranks().size()};
}

}  // namespace detail

// Lists that are the same on all ranks, and lie in memory once a machine. Called as what is in
// collective.hpp.

/// The values of all ranks, as many of each, by rank.
/// @cost log P messages; the values come to a machine once
template <Sendable T>
SharedList<T> all_gather_on_machine(Transport& transport, std::span<const T> mine) {
  const auto bytes = std::as_bytes(mine);
  Machine* const machine = transport.machine();
  if (machine == nullptr) return values_of<T>(detail::all_gather_bytes(transport, bytes));
  return detail::list_on_machine<T>(detail::all_gather_bytes_on_machine(transport, *machine, bytes),
                                    mine.size() * static_cast<std::size_t>(transport.n_ranks()),
                                    *machine);
}

/// A list of n values that one rank of each machine writes, by write(std::span<T>): all know what.
/// @cost log of the ranks of a machine
template <Sendable T, class Write>
SharedList<T> write_on_machine(Transport& transport, std::size_t n_values, Write&& write) {
  Machine* const machine = transport.machine();
  if (machine == nullptr) {
    std::vector<T> values(n_values);
    write(std::span<T>(values));
    return values;
  }
  const std::shared_ptr<std::byte> memory = machine->lend(n_values * sizeof(T));
  if (machine->ranks().front() == transport.rank())
    write(std::span<T>(reinterpret_cast<T*>(memory.get()), n_values));
  detail::meet(transport, *machine);
  return detail::list_on_machine<T>(memory, n_values, *machine);
}

}  // namespace thalweg::flow
