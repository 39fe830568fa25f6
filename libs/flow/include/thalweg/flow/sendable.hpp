// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <type_traits>
#include <utility>

#include <thalweg/flow/access.hpp>

namespace thalweg::flow {

/// What can be sent as it lies in memory.
///
/// Valid: double, Box<3>. Invalid: std::string, const char*, anything with pointers to its own,
/// which mean nothing on another rank (those within a struct nobody can see).
template <class T>
concept Sendable = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>;

/// A handle of values that can be sent.
///
/// Valid: Data<double>. Invalid: Data<std::string>.
template <class H>
concept SendableDatum =
    Datum<H> &&
    Sendable<typename decltype(std::span(std::declval<const H&>().const_view()))::value_type>;

}  // namespace thalweg::flow
