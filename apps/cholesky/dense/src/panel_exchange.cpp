// SPDX-License-Identifier: MIT
#include "panel_exchange.hpp"

#include <complex>
#include <cstddef>
#include <cstdint>

namespace thalweg::cholesky {
namespace {

/// An array of the recording that begins a cache line.
template <Scalar T>
T* aligned(const flow::Data<T>& data) {
  constexpr std::size_t alignment = AlignedArray<T>::alignment;
  T* first = data.view().data();
  const std::size_t over = reinterpret_cast<std::uintptr_t>(first) % alignment;
  return over == 0 ? first : first + (alignment - over) / sizeof(T);
}

}  // namespace

template <Scalar T>
PanelExchange<T>::PanelExchange(flow::Recorder& recorder, const Matrix<T>& matrix,
                                Broadcast broadcast, int n_slots)
    : g_(recorder),
      matrix_(matrix),
      broadcast_(broadcast),
      n_slots_(static_cast<std::size_t>(n_slots)) {
  const int nt = matrix.layout().n_tiles();
  data_.resize(static_cast<std::size_t>(nt));
  buffers_.resize(n_slots_);
  for (auto& slot : buffers_) slot.resize(static_cast<std::size_t>(nt));
  for (int j = 0; j < nt; ++j)
    data_[static_cast<std::size_t>(j)].resize(static_cast<std::size_t>(nt - j));
  for_each_tile(matrix.layout(), matrix.rank(), [&](int i, int j) {
    data_[static_cast<std::size_t>(j)][static_cast<std::size_t>(i - j)] = g_.datum("tile");
  });
}

template <Scalar T>
typename PanelExchange<T>::Buffer PanelExchange<T>::buffer_of(int m, int k, std::size_t n_values) {
  if (panel_ != k) {
    panel_ = k;
    ++n_panels_;
  }
  auto& buffer = buffers_[n_panels_ % n_slots_][static_cast<std::size_t>(m)];
  if (!buffer) {
    const auto room =
        g_.data<T>("received tile", n_values + AlignedArray<T>::alignment / sizeof(T));
    buffer = Buffer{room.datum(), aligned(room)};
  }
  return *buffer;
}

template <Scalar T>
HeldTile<T> PanelExchange<T>::bring(int m, int k, const flow::TaskOptions& options) {
  const Layout& layout = matrix_.layout();
  if (!may_hold(layout, matrix_.rank(), m)) return {};  // as for most tiles of many ranks
  const Rank owner = layout.owner(m, k);
  const Route route = route_of(broadcast_, owner, readers(layout, m, k), matrix_.rank());
  const auto n_values =
      static_cast<std::size_t>(layout.rows(m)) * static_cast<std::size_t>(layout.rows(k));
  HeldTile<T> held;
  if (owner == matrix_.rank()) {
    held = {datum(m, k), matrix_.tile(m, k)};
  } else if (route.from) {
    const Buffer buffer = buffer_of(m, k, n_values);
    g_.recv(buffer.datum, std::as_writable_bytes(std::span(buffer.values, n_values)), *route.from,
            options);
    held = {buffer.datum, buffer.values};
  }
  for (const Rank to : route.to)
    g_.send(held.datum, std::as_bytes(std::span(held.values, n_values)), to, options);
  return held;
}

template class PanelExchange<float>;
template class PanelExchange<double>;
template class PanelExchange<std::complex<float>>;
template class PanelExchange<std::complex<double>>;

}  // namespace thalweg::cholesky
