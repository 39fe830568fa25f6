// SPDX-License-Identifier: MIT
#include <thalweg/app/shared_text.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include <thalweg/flow/collective.hpp>

namespace thalweg::app {

Result<void> write_shared_text(const Context& context, const std::string& path,
                               const io::SharedText& text) {
  auto& transport = context.transport;
  bool has_written = false;
  const auto write = [&](std::uint64_t offset, std::string_view words) -> Result<void> {
    if (words.empty()) return {};
    has_written = true;
    return context.files.write(path, offset, std::as_bytes(std::span(words)));
  };
  std::uint64_t at = 0;
  for (const io::SharedSection& section : text) {
    if (transport.rank() == Rank{0})
      if (const auto done = write(at, section.heading); !done) return done;
    at += section.heading.size();
    const std::uint64_t mine = section.lines.size();
    const std::uint64_t before =
        flow::exclusive_scan(transport, mine, std::plus<>(), std::uint64_t{0});
    if (const auto done = write(at + before, section.lines); !done) return done;
    at += flow::all_reduce_unordered(transport, mine, std::plus<>(), std::uint64_t{0});
  }
  return has_written ? context.files.sync(path) : Result<void>{};
}

Result<void> replace_by_shared_text(const Context& context, const std::string& path,
                                    const io::SharedText& text) {
  const std::string temporary = path + ".tmp";
  const bool is_first = context.transport.rank() == Rank{0};
  if (is_first)
    if (const auto gone = context.files.remove(temporary); !gone) return gone;
  flow::barrier(context.transport);
  if (const auto written = write_shared_text(context, temporary, text); !written) return written;
  flow::barrier(context.transport);
  return is_first ? context.files.rename(temporary, path) : Result<void>{};
}

}  // namespace thalweg::app
