// SPDX-License-Identifier: MIT
#include "around.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include <thalweg/core/contract.hpp>

namespace thalweg::miniamr::data {

std::vector<Group> groups_of(int n_vars, int group_size) {
  const int size = group_size == 0 ? n_vars : std::min(group_size, n_vars);
  std::vector<Group> groups;
  for (int first = 0; first < n_vars; first += size)
    groups.push_back({first, std::min(size, n_vars - first)});
  return groups;
}

void Packing::operator()() const {
  for (const Part& part : parts) {
    if (part.transfer.is_same_level()) {
      std::copy_n(part.from, part.size * static_cast<std::size_t>(n_vars), part.to);
      continue;
    }
    for (int v = 0; v < n_vars; ++v)
      pack_quarter(part, part.from + std::ptrdiff_t{v} * part.plane.size(),
                   part.to + static_cast<std::size_t>(v) * part.size);
  }
}

void Packing::pack_quarter(const Part& part, const double* from, double* to) {
  const Plane& plane = part.plane;
  const PackedQuarter& packed = part.packed;
  if (part.transfer.is_coarse()) {
    const double* const first = from + quarter_origin(plane, part.transfer.half()) - packed.lead0 -
                                plane.pitch() * packed.lead1;
    for (int b = 0; b < packed.n_rows; ++b)
      std::copy_n(first + plane.pitch() * b, packed.pitch, to + packed.pitch * b);
    return;
  }
  const double* const first = from + plane.origin();
  if (packed.pitch == plane.n0 / 2)  // no border
    return sum_quads(plane, first, plane.pitch(), to, packed.pitch);
  for (int b = 0; b < packed.n_rows; ++b)
    for (int a = 0; a < packed.pitch; ++a)
      *to++ = sum_under(plane, first, plane.pitch(), a - packed.lead0, b - packed.lead1);
}

namespace {

std::size_t size_of(const Shape& shape, const FaceMessage& message, Group group) {
  std::size_t size = 0;
  for (const Transfer& t : message.transfers) size += t.size(shape);
  return size * static_cast<std::size_t>(group.n);
}

}  // namespace

/// What messages are packed into: the n-th ones to a neighbour in each direction share a buffer, or
/// have one each.
class FaceSet::SendBuffers {
 public:
  SendBuffers(const Shape& shape, std::span<const FaceExchange> exchanges, Group group,
              bool are_separate)
      : are_separate_(are_separate) {
    for (int axis = 0; axis < 3; ++axis) {
      std::map<Rank, int> n_before;
      for (const FaceMessage& message : exchanges[static_cast<std::size_t>(axis)].sends) {
        std::size_t& size = sizes_[key(axis, message.peer, n_before[message.peer]++)];
        size = std::max(size, size_of(shape, message, group));
      }
    }
  }

  flow::Data<double> at(flow::Recorder& recorder, int axis, Rank peer, int number) {
    const Key wanted = key(axis, peer, number);
    const auto found = buffers_.find(wanted);
    if (found != buffers_.end()) return found->second;
    return buffers_.emplace(wanted, recorder.data_unset<double>("faces", sizes_.at(wanted)))
        .first->second;
  }

 private:
  using Key = std::tuple<int, Rank, int>;

  Key key(int axis, Rank peer, int number) const {
    return {are_separate_ ? axis : 0, peer, number};
  }

  bool are_separate_;
  std::map<Key, std::size_t> sizes_;
  std::map<Key, flow::Data<double>> buffers_;
};

FaceSet::FaceSet(flow::Recorder& recorder, const Store& store, const Layout& layout,
                 std::span<const FaceExchange> exchanges, Group group, int set,
                 bool has_separate_buffers)
    : group_(group), set_(set) {
  THALWEG_EXPECT(store.size() == layout.blocks.size(), "the store holds the layout's blocks");
  for (std::size_t b = 0; b < layout.blocks.size(); ++b)
    faces_.push_back(
        {recorder.datum("x faces"), recorder.datum("y faces"), recorder.datum("z faces")});
  SendBuffers buffers(store.shape(), exchanges, group, has_separate_buffers);
  for (int axis = 0; axis < 3; ++axis) {
    const FaceExchange& exchange = exchanges[static_cast<std::size_t>(axis)];
    receive(recorder, store.shape(), exchange, axis);
    send(recorder, store, exchange, axis, buffers);
  }
  std::ranges::sort(arrivals_, {}, &Arrival::transfer);
  for (std::size_t b = 0; b < layout.blocks.size(); ++b)
    add_parts(store, layout.blocks[b], b, recorder.rank());
}

void FaceSet::receive(flow::Recorder& recorder, const Shape& shape, const FaceExchange& exchange,
                      int axis) {
  for (const FaceMessage& message : exchange.recvs) {
    const auto n_vars = static_cast<std::size_t>(group_.n);
    const auto buffer = recorder.data_unset<double>("faces", size_of(shape, message, group_));
    const double* from = buffer.view().data();
    for (const Transfer& t : message.transfers) {
      arrivals_.push_back({t, from, buffer.datum()});
      from += t.size(shape) * n_vars;
    }
    incoming_[static_cast<std::size_t>(axis)].push_back(
        {message.peer, buffer.view(), buffer.datum()});
  }
}

void FaceSet::send(flow::Recorder& recorder, const Store& store, const FaceExchange& exchange,
                   int axis, SendBuffers& buffers) {
  const Shape& shape = store.shape();
  const Plane plane = shape.face_plane(axis);
  const auto n_vars = static_cast<std::size_t>(group_.n);
  std::map<Rank, int> n_before;
  for (const FaceMessage& message : exchange.sends) {
    const int number = n_before[message.peer]++;
    const std::size_t size = size_of(shape, message, group_);
    Packing packing{{}, group_.n};
    std::vector<flow::Access> packed;
    for (const Transfer& t : message.transfers) {
      const std::size_t block = *store.find(t.from);
      packing.parts.push_back({plane, t, t.is_same_level() ? PackedQuarter() : t.packed(shape),
                               t.size(shape),
                               store.memory(block).face(set_, t.face ^ 1, group_.first), nullptr});
      const flow::Access access{faces(block, axis), flow::Mode::in};
      if (std::ranges::find(packed, access) == packed.end()) packed.push_back(access);
    }
    auto& outgoing = outgoing_[static_cast<std::size_t>(axis)];
    if (packing.parts.size() == 1 && packing.parts[0].transfer.is_same_level()) {
      outgoing.push_back({message.peer, {packing.parts[0].from, size}, packed[0], nullptr, {}});
      continue;
    }
    const auto buffer = buffers.at(recorder, axis, message.peer, number);
    double* to = buffer.view().data();
    for (Packing::Part& part : packing.parts) {
      part.to = to;
      to += part.size * n_vars;
    }
    packed.push_back({buffer.datum(), flow::Mode::out});
    outgoing.push_back({message.peer,
                        buffer.view().first(size),
                        {buffer.datum(), flow::Mode::in},
                        std::make_shared<const Packing>(std::move(packing)),
                        std::move(packed)});
  }
}

void FaceSet::add_parts(const Store& store, const Block& block, std::size_t number, Rank rank) {
  for (int face = 0; face < 6; ++face) {
    const int axis = face / 2;
    if (face % 2 == 0) sources_.emplace_back();
    auto& sources = sources_.back();
    const auto add_source = [&](flow::DatumId datum) {
      if (std::ranges::find(sources, datum) == sources.end()) sources.push_back(datum);
    };
    const auto& leaves = block.faces[static_cast<std::size_t>(face)];
    // At the boundary ghost cells are like the cells beside them: this face itself.
    Filling filling = leaves.empty()                           ? Filling::boundary
                      : leaves[0].key.level == block.key.level ? Filling::same
                                                               : Filling::different;
    if (leaves.empty()) {
      parts_.push_back(whole_face(store, number, face));
      add_source(faces(number, axis));
    }
    for (const auto& leaf : leaves) {
      const Transfer transfer{block.key, face, leaf.key};
      if (leaf.owner == rank) {
        parts_.push_back(local_part(store, transfer));
        add_source(faces(*store.find(leaf.key), axis));
        continue;
      }
      const auto arrival = std::ranges::lower_bound(arrivals_, transfer, {}, &Arrival::transfer);
      parts_.push_back(arrived_part(store.shape(), *arrival));
      filling = Filling::message;
      add_source(arrival->datum);
    }
    parts_begin_.push_back(static_cast<std::uint32_t>(parts_.size()));
    fillings_.push_back(filling);
  }
}

GhostPart FaceSet::whole_face(const Store& store, std::size_t block, int face) const {
  const Plane plane = store.shape().face_plane(face / 2);
  return {.pitch = plane.pitch(),
          .stride = plane.size(),
          .from = store.memory(block).face(set_, face, group_.first) + plane.origin()};
}

GhostPart FaceSet::local_part(const Store& store, const Transfer& transfer) const {
  using enum GhostPart::Kind;
  const auto neighbour = store.find(transfer.from);
  THALWEG_EXPECT(neighbour.has_value(), "a neighbour that is said to be here");
  GhostPart part = whole_face(store, *neighbour, transfer.face ^ 1);
  if (transfer.is_same_level()) return part;
  part.kind = transfer.is_coarse() ? spread : sum;
  part.half = transfer.half();
  const Plane plane = store.shape().face_plane(transfer.face / 2);
  if (transfer.is_coarse()) part.from += quarter_origin(plane, part.half) - plane.origin();
  return part;
}

GhostPart FaceSet::arrived_part(const Shape& shape, const Arrival& arrival) const {
  using enum GhostPart::Kind;
  const Transfer& transfer = arrival.transfer;
  GhostPart part{.stride = static_cast<std::ptrdiff_t>(transfer.size(shape)), .from = arrival.from};
  if (transfer.is_same_level()) {
    const Plane plane = shape.face_plane(transfer.face / 2);
    part.pitch = plane.pitch();
    part.from += plane.origin();
    return part;
  }
  const PackedQuarter packed = transfer.packed(shape);
  part.kind = transfer.is_coarse() ? spread : place;
  part.half = transfer.half();
  part.pitch = packed.pitch;
  part.from += packed.origin();
  return part;
}

void FaceSet::add_sources(std::size_t block, int axis, std::vector<flow::Access>& accesses) const {
  for (const flow::DatumId datum : sources_[3 * block + static_cast<std::size_t>(axis)])
    accesses.push_back({datum, flow::Mode::in});
}

}  // namespace thalweg::miniamr::data
