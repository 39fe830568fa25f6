// SPDX-License-Identifier: MIT
// A checkpoint made of any bytes: no crash, no memory beyond what the bytes can ask for, and what
// is accepted is written as it was read.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <thalweg/io/checkpoint.hpp>
#include <thalweg/io/file_system.hpp>

#include "../../../libs/io/test/sample_manifest.hpp"

namespace {

using namespace thalweg;

// The bytes up to the first zero are the manifest, those up to the next the index, then cells.
std::string_view take(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\0'), rest.size());
  const auto part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

void write(io::FileSystem& files, const std::string& path, std::string_view bytes) {
  if (!files.write(path, 0, std::as_bytes(std::span(bytes)))) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  std::string text(take(rest));
  // The sum guards all else, so most inputs get the right one.
  if (!text.starts_with('!')) text = io::testing::resealed(text);
  const auto manifest = io::parse_manifest(text);
  if (!manifest) return 0;
  if (io::to_text(*manifest) != text) std::abort();

  io::MemoryFileSystem files;
  if (!files.make_directory("out/chk00001")) std::abort();
  write(files, "out/chk00001/manifest", text);
  write(files, "out/chk00001/index", take(rest));
  write(files, "out/chk00001/cells_00000", rest);
  const auto found = io::find_checkpoints(files, "out");
  if (!found || found->size() != 1 || !found->front().manifest) std::abort();
  const auto sum = io::check_blocks(files, "out/chk00001", *manifest, 0, manifest->n_blocks());
  static_cast<void>(sum);
  return 0;
}
