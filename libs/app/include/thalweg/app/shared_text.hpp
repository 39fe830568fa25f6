// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <string>

#include <thalweg/app/context.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/io/shared_text.hpp>

namespace thalweg::app {

/// Write a text that all ranks share into a new file: of each section the heading, then the lines
/// of rank 0, of rank 1, ... Collective.
///
/// Each rank writes its own lines, where the lengths of the others' let them begin, and makes them
/// durable. All is there when all ranks have returned. A rank holds nothing of the others.
/// @pre the file is missing or empty
/// @errors on the rank that cannot write
/// @cost 2 log P messages a section, of 16 bytes at most
[[nodiscard]] Result<void> write_shared_text(const Context& context, const std::string& path,
                                             const io::SharedText& text);

/// Replace a file by a text that all ranks share: a reader sees the old file or the new one, never
/// a part. Collective.
/// @errors on all ranks alike; the old file is as it was
[[nodiscard]] Result<void> replace_by_shared_text(const Context& context, const std::string& path,
                                                  const io::SharedText& text);

/// io::make_temporary() by rank 0, whose path all ranks have. Collective.
/// @errors on all ranks alike
Result<std::string> make_shared_temporary(const Context& context, const std::string& path);

/// Let rank 0 publish what all ranks have written, or remove the remains where one has failed.
/// Collective.
/// @param remains  the file or folder that all have written to
/// @errors on all ranks alike
[[nodiscard]] Result<void> publish_or_remove(const Context& context, const std::string& remains,
                                             const Result<void>& mine,
                                             const std::function<Result<void>()>& publish);

}  // namespace thalweg::app
