// SPDX-License-Identifier: MIT
#include <thalweg/comm/session.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <thalweg/comm/launcher.hpp>
#include <thalweg/core/error.hpp>

namespace thalweg::comm {

void check(int code, const char* doing) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int size = 0;
  MPI_Error_string(code, text, &size);
  throw RankError("cannot " + std::string(doing) +
                  " (MPI says: " + std::string(text, static_cast<std::size_t>(size)) + ")");
}

namespace {

/// @errors Error
MPI_Comm communicator_of(MPI_Fint number) {
  const MPI_Comm found = MPI_Comm_f2c(number);
  int has_two_groups = 0;
  if (found != MPI_COMM_NULL)
    check(MPI_Comm_test_inter(found, &has_two_groups), "look at the communicator");
  if (found == MPI_COMM_NULL || has_two_groups != 0)
    throw Error(has_two_groups != 0
                    ? "the communicator is one between two groups (ranks of one group are needed); "
                      "merge them"
                    : "the communicator is MPI_COMM_NULL (this process is in none); make no "
                      "simulation here");
  return found;
}

/// A variable of the environment that has a value as long as this lives, unless it has one already.
class Setting {
 public:
  Setting(const char* name, const char* value)
      : name_(std::getenv(name) == nullptr ? name : nullptr) {
    if (name_ != nullptr) setenv(name, value, 1);
  }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;
  ~Setting() {
    if (name_ != nullptr) unsetenv(name_);
  }

 private:
  const char* name_;
};

/// While this is there, a line is said if it takes long: MPI_Init waits for all processes of an
/// mpirun for ever, also for those that are programs without MPI.
class SaysWhyItWaits {
 public:
  ~SaysWhyItWaits() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    over_.notify_one();
  }

 private:
  void wait() {
    std::unique_lock lock(mutex_);
    if (over_.wait_for(lock, std::chrono::seconds(10), [this] { return is_over_; })) return;
    std::fputs(
        "warning: MPI_Init has waited for 10 s (it ends when all processes of an mpirun are in it, "
        "and a command without ranks, or another program, never is); start one command on all "
        "ranks\n",
        stderr);
  }

  std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;
  std::jthread thread_{[this] { wait(); }};
};

/// MPI_Init_thread. For a process that nobody has started with mpiexec, Open MPI would start a
/// daemon in case MPI_Comm_spawn is called, which nothing here does: it takes a tenth of a second.
/// Without it all such processes share one folder below /tmp, which one removes while another
/// begins: of some hundred that were started four at a time, one ended in MPI_Init. None is needed.
int init_mpi(int* argc, char*** argv, int* provided) {
  const Setting without_daemon("OMPI_MCA_ess_singleton_isolated", "1");
  std::optional<Setting> without_folder;
  if (n_ranks_started() == 0) without_folder.emplace("OMPI_MCA_orte_create_session_dirs", "0");
  const SaysWhyItWaits while_it_waits;
  return MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, provided);
}

}  // namespace

Session::Session(int* argc, char*** argv, std::optional<MPI_Fint> communicator) {
  int provided = MPI_THREAD_SINGLE, is_there = 0, is_over = 0;
  check(MPI_Finalized(&is_over), "ask whether MPI has ended");
  if (is_over != 0)
    throw Error(
        "MPI has ended in this process (it cannot start again); do this before MPI_Finalize: keep "
        "one World, or Session, to the end of the program");
  check(MPI_Initialized(&is_there), "ask whether MPI has been started");
  is_owner_ = is_there == 0;
  if (is_owner_ && communicator)
    throw Error("a communicator is given (nobody has started MPI, so there is none); leave it out");
  check(is_owner_ ? init_mpi(argc, argv, &provided) : MPI_Query_thread(&provided), "start MPI");
  // A program that has started MPI keeps its own; messages go through communicators of ours.
  if (is_owner_)
    check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "set MPI's error handler");
  if (provided < MPI_THREAD_SERIALIZED) {
    if (is_owner_) MPI_Finalize();
    throw Error("this MPI gives thread level " + std::to_string(provided) +
                " (workers take turns in MPI, so MPI_THREAD_SERIALIZED = " +
                std::to_string(MPI_THREAD_SERIALIZED) +
                " is needed); use another build of MPI, or start it with that level");
  }
  if (communicator) world_ = communicator_of(*communicator);
  int rank = 0;
  check(MPI_Comm_rank(world_, &rank), "ask for the rank");
  check(MPI_Comm_size(world_, &n_ranks_), "ask for the number of ranks");
  rank_ = Rank(rank);
}

Session::~Session() {
  if (!is_owner_) return;
  if (wait_for_all()) {
    MPI_Finalize();
    return;
  }
  std::fprintf(stderr,
               "[r%u] error: an exception ends this rank, and others have not come to their end "
               "(they would wait for it); all ranks end\n",
               rank_());
  std::atexit([] { MPI_Abort(MPI_COMM_WORLD, 3); });
}

bool Session::wait_for_all() const {
  // Not left to MPI_Finalize: where one rank aborts while another is in there, the mpiexec of Open
  // MPI 4.1 with PMIx 4.2 locks up or crashes (seen in half of the cases), and so the job hangs.
  using std::chrono::steady_clock;
  constexpr std::chrono::seconds most(2);  // in which ranks come that throw the same
  const bool is_thrown_out = std::uncaught_exceptions() > n_exceptions_;
  const auto start = steady_clock::now();
  MPI_Request request = MPI_REQUEST_NULL;
  int is_done = 0;
  if (MPI_Ibarrier(world(), &request) != MPI_SUCCESS) return true;
  while (is_done == 0) {
    if (MPI_Test(&request, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return true;
    if (is_done == 0 && is_thrown_out && steady_clock::now() - start > most) return false;
    if (is_done == 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return true;
}

}  // namespace thalweg::comm
