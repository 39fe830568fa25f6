// SPDX-License-Identifier: MIT
#pragma once
#include <signal.h>

#include <array>

namespace thalweg::app {

/// What somebody outside asks a run to do, between two steps.
struct Request {
  bool checkpoint = false;  ///< write a checkpoint and go on
  bool stop = false;        ///< write a checkpoint and end
};

/// Where requests come from: the signals of this process, or a test.
class Requests {
 public:
  virtual ~Requests() = default;
  /// What has been asked since the last call; on one rank perhaps, and not on others.
  virtual Request take() = 0;
};

/// Keep a SIGUSR2 that comes before there are SignalRequests, for these: it would end the process.
/// Where there never are any, it then comes to nothing. Call it before anything else.
void take_early_requests();

/// SIGUSR2 asks for a checkpoint; SIGTERM, SIGINT, SIGHUP, SIGUSR1 and SIGXCPU to stop with one,
/// for as long as this lives. A second SIGINT ends the process at once. SIGPIPE is ignored: a
/// reader of the log who goes away does not end a run. What was ignored before, as nohup does,
/// stays so.
///
/// One at a time in a process. @threads take() from one; signals may reach any
class SignalRequests final : public Requests {
 public:
  SignalRequests();
  ~SignalRequests() override;
  SignalRequests(const SignalRequests&) = delete;
  SignalRequests& operator=(const SignalRequests&) = delete;

  Request take() override;

 private:
  struct Handled {
    int signal;
    void (*handler)(int);
    struct sigaction before{};
  };
  std::array<Handled, 7> handled_;
};

}  // namespace thalweg::app
