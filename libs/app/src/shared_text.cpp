// SPDX-License-Identifier: MIT
#include <thalweg/app/shared_text.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/flow/collective.hpp>

namespace thalweg::app {

Result<void> write_shared_text(const Context& context, const std::string& path,
                               const io::SharedText& text) {
  auto& transport = context.transport;
  bool has_written = false;
  Result<void> mine_done;
  const auto write = [&](std::uint64_t offset, std::string_view words) {
    if (words.empty() || !mine_done) return;
    has_written = true;
    mine_done = context.files.write(path, offset, std::as_bytes(std::span(words)));
  };
  std::uint64_t at = 0;
  for (const io::SharedSection& section : text) {
    if (transport.rank() == Rank{0}) write(at, section.heading);
    at += section.heading.size();
    const std::uint64_t mine = section.lines.size();
    const std::uint64_t before =
        flow::exclusive_scan(transport, mine, std::plus<>(), std::uint64_t{0});
    write(at + before, section.lines);
    at += flow::all_reduce(transport, mine, std::plus<>());
  }
  if (has_written && mine_done) mine_done = context.files.sync(path);
  return mine_done;
}

Result<void> replace_by_shared_text(const Context& context, const std::string& path,
                                    const io::SharedText& text) {
  const auto temporary = make_shared_temporary(context, path);
  if (!temporary) return std::unexpected(temporary.error());
  const auto mine = write_shared_text(context, *temporary, text);
  return publish_or_remove(context, *temporary, mine,
                           [&] { return context.files.rename(*temporary, path); });
}

Result<std::string> make_shared_temporary(const Context& context, const std::string& path) {
  return made_by_rank_0(context.transport, [&] { return io::make_temporary(context.files, path); });
}

Result<void> publish_or_remove(const Context& context, const std::string& remains,
                               const Result<void>& mine,
                               const std::function<Result<void>()>& publish) {
  auto written = check_on_all_ranks(context.transport, mine);
  if (context.transport.rank() == Rank{0}) {
    if (written) written = publish();
    // The disk may be full. If this fails as well, so be it.
    if (!written) static_cast<void>(context.files.remove(remains));
  }
  return check_on_all_ranks(context.transport, written);
}

}  // namespace thalweg::app
