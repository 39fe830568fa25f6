// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string_view>

/// What tasks and messages are called: in traces, and where times are told apart by it.
namespace thalweg::miniamr::data::task_names {

inline constexpr std::string_view stencil = "stencil";
inline constexpr std::array<std::string_view, 3> pack_faces{"pack x", "pack y", "pack z"};
inline constexpr std::array<std::string_view, 3> border{"border x", "border y", "border z"};

inline constexpr std::string_view add_sums = "checksum";
/// What tasks and messages of it begin with.
inline constexpr std::string_view reduce_sums = "checksum of all ranks";
inline constexpr std::string_view check_sums = "validate";

inline constexpr std::string_view split = "split";
inline constexpr std::string_view join = "join";
inline constexpr std::string_view pack_octant = "pack";
inline constexpr std::string_view join_octant = "join and pack";
inline constexpr std::string_view refresh_faces = "faces";

}  // namespace thalweg::miniamr::data::task_names
