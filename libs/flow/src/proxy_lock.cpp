// SPDX-License-Identifier: MIT
#include "proxy_lock.hpp"

#if defined(__linux__)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace thalweg::flow {

#if defined(__linux__)
bool fence_all_threads() {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}
bool can_fence_all_threads() {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}
#else
bool fence_all_threads() {
  return false;
}
bool can_fence_all_threads() {
  return false;
}
#endif

}  // namespace thalweg::flow
