// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <thalweg/flow/recorder.hpp>
#include <thalweg/miniamr/data/exchange.hpp>
#include <thalweg/miniamr/data/fill_times.hpp>
#include <thalweg/miniamr/data/ghosts.hpp>
#include <thalweg/miniamr/data/store.hpp>

namespace thalweg::miniamr::data {

/// Variables that are exchanged and computed together.
struct Group {
  int first = 0;
  int n = 0;
};

/// Cut variables into groups of so many; the last may have fewer.
std::vector<Group> groups_of(int n_vars, int group_size);

/// What a message needs to be packed: for each transfer where it starts and where it goes.
struct Packing {
  struct Part {
    Plane plane;
    Transfer transfer;
    PackedQuarter packed;  ///< where levels change
    std::size_t size;      ///< of one variable in the message
    const double* from;    ///< of the first variable: a face, with its border
    double* to;
  };
  std::vector<Part> parts;
  int n_vars = 0;

  void operator()() const;

 private:
  /// One variable. @param from  the face, with its border
  static void pack_quarter(const Part& part, const double* from, double* to);
};

/// A message to be sent: from a buffer that is packed, or straight from a face.
struct Outgoing {
  Rank peer;
  std::span<const double> values;
  flow::Access access;                     ///< of what is sent
  std::shared_ptr<const Packing> packing;  ///< null: nothing to pack
  std::vector<flow::Access> packed;        ///< what packing uses
};

struct Incoming {
  Rank peer;
  std::span<double> values;
  flow::DatumId datum;
};

/// One set of the faces of a group of variables: what its ghost cells are made of, and what is sent
/// and received for that.
class FaceSet {
 public:
  /// @param exchanges  by axis
  /// @param has_separate_buffers  see StageSettings
  FaceSet(flow::Recorder& recorder, const Store& store, const Layout& layout,
          std::span<const FaceExchange> exchanges, Group group, int set, bool has_separate_buffers);

  flow::DatumId faces(std::size_t block, int axis) const {
    return faces_[block][static_cast<std::size_t>(axis)];
  }
  std::span<const Outgoing> outgoing(int axis) const {
    return outgoing_[static_cast<std::size_t>(axis)];
  }
  std::span<const Incoming> incoming(int axis) const {
    return incoming_[static_cast<std::size_t>(axis)];
  }
  /// Add what the ghost cells of a block across an axis are made of.
  void add_sources(std::size_t block, int axis, std::vector<flow::Access>& accesses) const;
  /// The ghost cells of a face; see ghost_plane() and PersistentGhosts.
  std::span<const GhostPart> parts(std::size_t block, int face) const {
    const auto i = 6 * block + static_cast<std::size_t>(face);
    return std::span(parts_).subspan(parts_begin_[i], parts_begin_[i + 1] - parts_begin_[i]);
  }
  Filling filling(std::size_t block, int face) const {
    return fillings_[6 * block + static_cast<std::size_t>(face)];
  }
  /// Whether ghost cells must be made where blocks keep none; else they are read where they lie.
  bool makes_ghosts(std::size_t block, int face) const {
    return parts(block, face)[0].kind != GhostPart::Kind::copy;
  }

 private:
  class SendBuffers;
  struct Arrival {
    Transfer transfer;
    const double* from;
    flow::DatumId datum;
  };

  void receive(flow::Recorder& recorder, const Shape& shape, const FaceExchange& exchange,
               int axis);
  void send(flow::Recorder& recorder, const Store& store, const FaceExchange& exchange, int axis,
            SendBuffers& buffers);
  void add_parts(const Store& store, const Block& block, std::size_t number, Rank rank);
  /// The face of a block of this rank.
  GhostPart whole_face(const Store& store, std::size_t block, int face) const;
  GhostPart local_part(const Store& store, const Transfer& transfer) const;
  GhostPart arrived_part(const Shape& shape, const Arrival& arrival) const;

  Group group_;
  int set_;
  std::vector<std::array<flow::DatumId, 3>> faces_;
  std::array<std::vector<Outgoing>, 3> outgoing_;
  std::array<std::vector<Incoming>, 3> incoming_;
  std::vector<Arrival> arrivals_;  ///< sorted by transfer
  std::vector<GhostPart> parts_;
  std::vector<std::uint32_t> parts_begin_{0};
  std::vector<Filling> fillings_;
  std::vector<std::vector<flow::DatumId>> sources_;  ///< of block 3 b + axis
};

}  // namespace thalweg::miniamr::data
