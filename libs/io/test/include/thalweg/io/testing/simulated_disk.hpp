// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <thalweg/core/random.hpp>
#include <thalweg/io/file_system.hpp>

namespace thalweg::io::testing {

/// Everything on a disk: files and directories by number; 0 is the root.
struct DiskImage {
  struct Node {
    bool is_directory = false;
    std::vector<std::byte> bytes{};              // of a file
    std::map<std::string, std::size_t> names{};  // of a directory: name to node
  };
  std::vector<Node> nodes{Node{.is_directory = true}};
};

/// A disk with a memory in front of it, as POSIX describes it and nothing more.
///
/// What is written, and every name that is made, moved or removed, may or may not reach the disk
/// until the file, or the directory that holds the name, has been synced. Syncing a file does not
/// sync its name. The journal tells everything that has been done, so that a loss of power can be
/// simulated after any part of it.
/// @threads one at a time
class SimulatedDisk final : public FileSystem {
 public:
  /// One thing that was done; or that something was announced to the user.
  struct Change {
    enum class Kind { make, write, link, unlink, move, sync, announce };
    Kind kind = Kind::make;
    std::size_t node = 0;            // the file or directory
    std::size_t target = 0;          // link and move: which node gets the name
    std::string name{};              // of link, unlink; the old one of move
    std::string new_name{};          // of move
    std::uint64_t offset = 0;        // of write
    std::vector<std::byte> bytes{};  // of write
    bool is_directory = false;       // of make
  };

  explicit SimulatedDisk(DiskImage image = {}) : now_(std::move(image)) {}

  /// All that has been done since the beginning.
  const std::vector<Change>& journal() const { return journal_; }
  /// Note that the user has now been told of something.
  void announce(const std::string& what);

  Result<void> make_directory(const std::string& path) override;
  Result<bool> make_file(const std::string& path) override;
  Result<void> write(const std::string& path, std::uint64_t offset,
                     std::span<const std::byte> bytes) override;
  Result<void> read(const std::string& path, std::uint64_t offset,
                    std::span<std::byte> bytes) const override;
  Result<std::optional<FileStatus>> status(const std::string& path) const override;
  Result<std::vector<std::string>> list(const std::string& path) const override;
  Result<void> rename(const std::string& from, const std::string& to) override;
  Result<void> remove(const std::string& path) override;
  Result<void> sync(const std::string& path) override;

 private:
  std::optional<std::size_t> find(std::string_view path) const;
  void apply(Change change);
  void remove_name(std::size_t directory, const std::string& name);

  DiskImage now_;
  std::vector<Change> journal_;
};

/// Loses power after a part of a journal, as often as wanted.
class PowerLoss {
 public:
  explicit PowerLoss(const std::vector<SimulatedDisk::Change>& journal) : journal_(journal) {}

  /// Let one more change happen. @return false after the last
  bool next();
  /// What the user has been told last; empty if nothing yet.
  const std::string& announced() const { return announced_; }
  /// What is on the disk if power is lost now and nothing but what was synced has arrived.
  const DiskImage& durable() const { return durable_; }
  /// What may be on the disk if power is lost now: all that was synced, and by chance, for each
  /// file and directory by itself, nothing else, everything, a beginning, some changes, or torn
  /// pieces of writes.
  DiskImage image(SplitMix64& random) const;

 private:
  const std::vector<SimulatedDisk::Change>& journal_;
  std::size_t n_done_ = 0;
  DiskImage durable_;
  std::vector<std::vector<std::size_t>> pending_;  // of each node: changes that may be lost
  std::string announced_;
};

}  // namespace thalweg::io::testing
