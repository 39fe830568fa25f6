// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace thalweg::taskbench::detail {

/// Points of a timestep, half-open.
using Points = std::pair<long, long>;

/// Memory in whole cache lines, so that no two workers write to the same one.
class Lines {
 public:
  Lines() = default;
  explicit Lines(std::size_t n_bytes)
      : lines_(std::make_unique<Line[]>((n_bytes + sizeof(Line) - 1) / sizeof(Line))) {}

  char* data() const { return reinterpret_cast<char*>(lines_.get()); }
  explicit operator bool() const { return lines_ != nullptr; }

 private:
  struct alignas(64) Line {
    char bytes[64];
  };
  std::unique_ptr<Line[]> lines_;
};

/// The outputs of the points of one graph that a rank writes or receives, in several copies.
class Outputs {
 public:
  Outputs(long n_copies, long width, std::size_t output_bytes)
      : n_copies_(n_copies),
        output_bytes_(output_bytes),
        buffers_(static_cast<std::size_t>(n_copies * width)) {}

  long n_copies() const { return n_copies_; }
  /// Which of all buffers a task writes.
  std::size_t index(long timestep, long point) const {
    return static_cast<std::size_t>(point * n_copies_ + timestep % n_copies_);
  }
  std::size_t size() const { return buffers_.size(); }
  /// Bytes of the buffers that were asked for.
  std::size_t n_bytes() const {
    std::size_t n = 0;
    for (const Lines& buffer : buffers_) n += buffer ? output_bytes_ : 0;
    return n;
  }
  /// The buffer, made when first asked for.
  char* at(std::size_t index) {
    Lines& buffer = buffers_[index];
    if (!buffer) {
      buffer = Lines(output_bytes_);
      // Nothing that a task writes: all its bytes are the sign of a negative number.
      std::memset(buffer.data(), 0xff, output_bytes_);
    }
    return buffer.data();
  }

 private:
  long n_copies_;
  std::size_t output_bytes_;
  std::vector<Lines> buffers_;
};

}  // namespace thalweg::taskbench::detail
