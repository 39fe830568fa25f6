// SPDX-License-Identifier: MIT
#pragma once
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
/// @errors a rank that cannot write says so; the others wait until it aborts the transport
/// @cost 2 log P messages a section, of 16 bytes at most
Result<void> write_shared_text(const Context& context, const std::string& path,
                               const io::SharedText& text);

/// Replace a file by a text that all ranks share: a reader sees the old file or the new one, never
/// a part. Collective.
/// @errors as write_shared_text; the old file is as it was
Result<void> replace_by_shared_text(const Context& context, const std::string& path,
                                    const io::SharedText& text);

}  // namespace thalweg::app
