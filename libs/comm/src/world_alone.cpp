// SPDX-License-Identifier: MIT
#include <thalweg/comm/transport_alone.hpp>
#include <thalweg/comm/world.hpp>

namespace thalweg::comm {

struct World::Impl {
  AloneTransport transport;
};

World::World(int*, char***) : impl_(std::make_unique<Impl>()) {}
World::~World() = default;

flow::Transport& World::transport() const {
  return impl_->transport;
}

}  // namespace thalweg::comm
