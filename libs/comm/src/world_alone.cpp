// SPDX-License-Identifier: MIT
#include <thalweg/comm/transport_alone.hpp>
#include <thalweg/comm/world.hpp>

#include <thalweg/core/error.hpp>

namespace thalweg::comm {

struct World::Impl {
  AloneTransport transport;
};

World::World(int*, char***, std::optional<int> communicator) : impl_(std::make_unique<Impl>()) {
  if (communicator) throw Error("a communicator is given (this build has no MPI); leave it out");
}
World::~World() = default;

flow::Transport& World::transport() const {
  return impl_->transport;
}

}  // namespace thalweg::comm
