// SPDX-License-Identifier: MIT
#include <thalweg/cholesky/dense/open_blas.hpp>

#include <dlfcn.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>

namespace thalweg::cholesky {
namespace {

/// The kernels that OpenBLAS should take where it would choose others that are slower; null: none.
///
/// Version 0.3.21 takes AMD's Zen 4, which has AVX-512, for Intel's Cooper Lake.
const char* better_core_type() {
#if defined(__x86_64__)
  if (__builtin_cpu_is("amdfam19h") && __builtin_cpu_supports("avx512f")) return "Zen";
#endif
  return nullptr;
}

}  // namespace

Result<OpenBlas> OpenBlas::load(const std::string& file) {
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  if (const char* core_type = better_core_type()) setenv("OPENBLAS_CORETYPE", core_type, 0);
  const std::shared_ptr<void> library(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL),
                                      [](void* handle) {
                                        if (handle != nullptr) dlclose(handle);
                                      });
  if (!library)
    return std::unexpected(
        Failure{"OpenBLAS cannot be loaded (" + std::string(dlerror()) +
                "); install it, Debian's libopenblas0-pthread say, or set LD_LIBRARY_PATH"});
  OpenBlas blas(library);
  // Of a program that had loaded it before, which then has read the environment before, too.
  reinterpret_cast<void (*)(int)>(blas.function("openblas_set_num_threads"))(1);
  return blas;
}

void* OpenBlas::function(const std::string& name) const {
  void* found = dlsym(library_.get(), name.c_str());
  if (found == nullptr)
    throw Error("OpenBLAS has no function " + name + " (" + dlerror() +
                "); install a build with LAPACK, Debian's libopenblas0-pthread say");
  return found;
}

Result<void> OpenBlas::check_room(unsigned n_threads) {
  constexpr std::size_t area_mib = 129;  // with its alignment, in 0.3.21 on x86-64
  const std::size_t bytes = n_threads * (area_mib << 20);
  void* const room = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED)
    return std::unexpected(
        Failure{"no room for OpenBLAS (its work areas take " + std::to_string(area_mib) +
                " MiB for each of " + std::to_string(n_threads) +
                " threads); raise the limit of memory, ulimit -v say, or take fewer threads"});
  munmap(room, bytes);
  return {};
}

std::string OpenBlas::description() const {
  return reinterpret_cast<const char* (*)()>(function("openblas_get_config"))();
}

}  // namespace thalweg::cholesky
