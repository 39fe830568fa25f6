// SPDX-License-Identifier: MIT
#include <thalweg/io/testing/simulated_disk.hpp>

#include <algorithm>
#include <utility>

namespace thalweg::io::testing {

namespace {

using Change = SimulatedDisk::Change;

std::unexpected<Failure> failed(const std::string& what, const std::string& path) {
  return std::unexpected(Failure{what + " '" + path + "'"});
}

std::pair<std::string, std::string> split(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {"", path};
  return {path.substr(0, slash), path.substr(slash + 1)};
}

void store(std::vector<std::byte>& file, std::uint64_t offset, std::span<const std::byte> bytes) {
  if (file.size() < offset + bytes.size()) file.resize(offset + bytes.size());
  std::ranges::copy(bytes, file.begin() + static_cast<std::ptrdiff_t>(offset));
}

/// What a change does to the one node it is about.
void apply_to(DiskImage::Node& node, const Change& change) {
  switch (change.kind) {
    case Change::Kind::write:
      store(node.bytes, change.offset, change.bytes);
      break;
    case Change::Kind::link:
      node.names[change.name] = change.target;
      break;
    case Change::Kind::unlink:
      node.names.erase(change.name);
      break;
    case Change::Kind::move:
      node.names.erase(change.name);
      node.names[change.new_name] = change.target;
      break;
    case Change::Kind::make:
    case Change::Kind::sync:
    case Change::Kind::announce:
      break;
  }
}

/// A write of which some sectors have not arrived: the file has its size all the same.
void apply_torn(DiskImage::Node& node, const Change& change, SplitMix64& random) {
  constexpr std::size_t sector = 16;  // small, as the files are
  if (node.bytes.size() < change.offset + change.bytes.size())
    node.bytes.resize(change.offset + change.bytes.size());
  for (std::size_t at = 0; at < change.bytes.size(); at += sector) {
    if (random.below(2) == 0) continue;
    const std::size_t n = std::min(sector, change.bytes.size() - at);
    store(node.bytes, change.offset + at, std::span(change.bytes).subspan(at, n));
  }
}

}  // namespace

std::optional<std::size_t> SimulatedDisk::find(std::string_view path) const {
  std::size_t at = 0;
  while (!path.empty() && path != ".") {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const auto& names = now_.nodes[at].names;
    const auto found = names.find(std::string(path.substr(0, slash)));
    if (found == names.end()) return std::nullopt;
    at = found->second;
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return at;
}

void SimulatedDisk::apply(Change change) {
  if (change.kind == Change::Kind::make)
    now_.nodes.push_back({.is_directory = change.is_directory});
  else
    apply_to(now_.nodes[change.node], change);
  journal_.push_back(std::move(change));
}

void SimulatedDisk::announce(const std::string& what) {
  journal_.push_back({.kind = Change::Kind::announce, .name = what});
}

Result<void> SimulatedDisk::make_directory(const std::string& path) {
  const auto found = find(path);
  if (found) {
    if (!now_.nodes[*found].is_directory) return failed("not a directory:", path);
    return {};
  }
  const auto [parent, name] = split(path);
  if (const auto made = make_directory(parent); !made) return made;
  const std::size_t directory = *find(parent), node = now_.nodes.size();
  apply({.kind = Change::Kind::make, .is_directory = true});
  apply({.kind = Change::Kind::link, .node = directory, .target = node, .name = name});
  return {};
}

Result<bool> SimulatedDisk::make_file(const std::string& path) {
  if (find(path)) return false;
  if (const auto made = write(path, 0, {}); !made) return std::unexpected(made.error());
  return true;
}

Result<void> SimulatedDisk::write(const std::string& path, std::uint64_t offset,
                                  std::span<const std::byte> bytes) {
  const auto [parent, name] = split(path);
  const auto directory = find(parent);
  if (!directory || !now_.nodes[*directory].is_directory) return failed("no directory for", path);
  auto node = find(path);
  if (!node) {
    node = now_.nodes.size();
    apply({.kind = Change::Kind::make});
    apply({.kind = Change::Kind::link, .node = *directory, .target = *node, .name = name});
  }
  if (now_.nodes[*node].is_directory) return failed("is a directory:", path);
  if (!bytes.empty())
    apply({.kind = Change::Kind::write,
           .node = *node,
           .offset = offset,
           .bytes = {bytes.begin(), bytes.end()}});
  return {};
}

Result<void> SimulatedDisk::read(const std::string& path, std::uint64_t offset,
                                 std::span<std::byte> bytes) const {
  const auto node = find(path);
  if (!node || now_.nodes[*node].is_directory) return failed("no file", path);
  const auto& file = now_.nodes[*node].bytes;
  if (offset > file.size() || bytes.size() > file.size() - offset)
    return failed("it ends too soon:", path);
  std::ranges::copy_n(file.begin() + static_cast<std::ptrdiff_t>(offset),
                      static_cast<std::ptrdiff_t>(bytes.size()), bytes.begin());
  return {};
}

Result<std::optional<FileStatus>> SimulatedDisk::status(const std::string& path) const {
  const auto node = find(path);
  if (!node) return std::nullopt;
  if (now_.nodes[*node].is_directory) return FileStatus{FileStatus::Kind::directory, 0};
  return FileStatus{FileStatus::Kind::file, now_.nodes[*node].bytes.size()};
}

Result<std::vector<std::string>> SimulatedDisk::list(const std::string& path) const {
  const auto node = find(path);
  if (!node || !now_.nodes[*node].is_directory) return failed("no directory", path);
  std::vector<std::string> names;
  for (const auto& [name, target] : now_.nodes[*node].names) names.push_back(name);
  return names;
}

Result<void> SimulatedDisk::rename(const std::string& from, const std::string& to) {
  const auto [parent, name] = split(from);
  const auto [new_parent, new_name] = split(to);
  const auto node = find(from);
  // Nothing moves things from one directory to another, so what power loss does then is left open.
  if (!node || parent != new_parent) return failed("cannot move", from);
  if (const auto old = find(to); old && !now_.nodes[*old].names.empty())
    return failed("not empty:", to);
  apply({.kind = Change::Kind::move,
         .node = *find(parent),
         .target = *node,
         .name = name,
         .new_name = new_name});
  return {};
}

void SimulatedDisk::remove_name(std::size_t directory, const std::string& name) {
  const std::size_t node = now_.nodes[directory].names.at(name);
  while (!now_.nodes[node].names.empty())
    remove_name(node, std::string(now_.nodes[node].names.begin()->first));
  apply({.kind = Change::Kind::unlink, .node = directory, .name = name});
}

Result<void> SimulatedDisk::remove(const std::string& path) {
  const auto [parent, name] = split(path);
  if (find(path)) remove_name(*find(parent), name);
  return {};
}

Result<void> SimulatedDisk::sync(const std::string& path) {
  const auto node = find(path);
  if (!node) return failed("nothing to sync:", path);
  apply({.kind = Change::Kind::sync, .node = *node});
  return {};
}

bool PowerLoss::next() {
  if (n_done_ == journal_.size()) return false;
  const Change& change = journal_[n_done_];
  pending_.resize(durable_.nodes.size());
  switch (change.kind) {
    case Change::Kind::make:
      // A node without a name is nowhere, so it does no harm to have it from the beginning.
      durable_.nodes.push_back({.is_directory = change.is_directory});
      break;
    case Change::Kind::announce:
      announced_ = change.name;
      break;
    case Change::Kind::sync:
      for (const std::size_t i : pending_[change.node])
        apply_to(durable_.nodes[change.node], journal_[i]);
      pending_[change.node].clear();
      break;
    case Change::Kind::write:
    case Change::Kind::link:
    case Change::Kind::unlink:
    case Change::Kind::move:
      pending_[change.node].push_back(n_done_);
      break;
  }
  ++n_done_;
  return true;
}

DiskImage PowerLoss::image(SplitMix64& random) const {
  DiskImage image = durable_;
  for (std::size_t n = 0; n < pending_.size(); ++n) {
    const auto& changes = pending_[n];
    if (changes.empty()) continue;
    auto& node = image.nodes[n];
    const std::uint64_t how = random.below(5);
    const std::size_t n_kept = how == 0   ? 0
                               : how == 1 ? random.below(changes.size())
                                          : changes.size();
    for (std::size_t i = 0; i < n_kept; ++i) {
      const Change& change = journal_[changes[i]];
      if (how == 3 && random.below(2) == 0) continue;
      if (how == 4 && change.kind == Change::Kind::write)
        apply_torn(node, change, random);
      else
        apply_to(node, change);
    }
  }
  return image;
}

}  // namespace thalweg::io::testing
