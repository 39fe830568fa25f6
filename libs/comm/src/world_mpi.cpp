// SPDX-License-Identifier: MIT
#include <thalweg/comm/session.hpp>
#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/comm/world.hpp>

namespace thalweg::comm {

struct World::Impl {
  Impl(int* argc, char*** argv, std::optional<int> communicator)
      : session(argc, argv, communicator), transport(session) {}

  Session session;
  MpiTransport transport;
};

World::World(int* argc, char*** argv, std::optional<int> communicator)
    : impl_(std::make_unique<Impl>(argc, argv, communicator)) {}
World::~World() = default;

flow::Transport& World::transport() const {
  return impl_->transport;
}

}  // namespace thalweg::comm
