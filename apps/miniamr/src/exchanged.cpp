// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/exchanged.hpp>

#include <thalweg/miniamr/data/exchange.hpp>

namespace thalweg::miniamr {
namespace {

double n_bytes(const data::Shape& shape, const std::vector<data::FaceMessage>& messages) {
  std::size_t n = 0;
  for (const data::FaceMessage& message : messages)
    for (const data::Transfer& transfer : message.transfers) n += transfer.size(shape);
  return static_cast<double>(n * sizeof(double)) * shape.n_vars;
}

}  // namespace

void Exchanged::add(const Exchanged& more, double n_times) {
  for (double Exchanged::* member :
       {&Exchanged::messages_received, &Exchanged::bytes_received, &Exchanged::faces_received,
        &Exchanged::messages_sent, &Exchanged::bytes_sent, &Exchanged::faces_sent,
        &Exchanged::faces_same, &Exchanged::faces_different, &Exchanged::faces_boundary})
    this->*member += n_times * (more.*member);
}

ExchangedByAxis exchanged_in_stage(const data::Shape& shape, const data::StageSettings& settings,
                                   const data::Layout& layout, Rank rank) {
  const int group_size = settings.group_size == 0 ? shape.n_vars : settings.group_size;
  const double n_groups = (shape.n_vars + group_size - 1) / group_size;
  ExchangedByAxis by_axis;
  for (std::size_t a = 0; a < 3; ++a) {
    Exchanged faces;
    for (const data::Block& block : layout.blocks)
      for (const std::size_t face : {2 * a, 2 * a + 1}) {
        const auto& across = block.faces[face];
        if (across.empty()) ++faces.faces_boundary;
        for (const auto& leaf : across) {
          const bool is_same = leaf.key.level == block.key.level;
          if (leaf.owner != rank) {
            ++faces.faces_sent;
            ++faces.faces_received;
          } else {
            ++(is_same ? faces.faces_same : faces.faces_different);
          }
        }
      }
    const data::FaceExchange plan =
        plan_exchange(shape, layout, rank, static_cast<int>(a), settings.max_comm_tasks);
    faces.messages_received = static_cast<double>(plan.recvs.size());
    faces.messages_sent = static_cast<double>(plan.sends.size());
    by_axis[a].add(faces, n_groups);
    by_axis[a].bytes_received = n_bytes(shape, plan.recvs);
    by_axis[a].bytes_sent = n_bytes(shape, plan.sends);
  }
  return by_axis;
}

}  // namespace thalweg::miniamr
