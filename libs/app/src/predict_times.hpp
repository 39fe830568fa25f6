// SPDX-License-Identifier: MIT
// Times of tasks for `thalweg predict`: measured, or from a file.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <thalweg/app/application.hpp>
#include <thalweg/app/virtual_program.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/predict/job.hpp>
#include <thalweg/predict/task_times.hpp>
#include <thalweg/predict/what_if.hpp>

#include "commands.hpp"

namespace thalweg::app {

/// The text of a file that an option names. @errors throws Error
std::string text_of_option(const std::string& path, std::string_view option, std::string_view what);

/// What times of tasks of a deck are of: its application, the size of its blocks, and what other
/// words and whole numbers of the application choose.
predict::TimesOf times_of_deck(const Application& application, const io::Deck& deck);

/// Complain where the ranks on which tasks are timed take more memory than there is.
/// @param free_bytes  0: nobody knows  @errors throws Error
void check_memory_to_time(const VirtualProgram& program, std::uint64_t free_bytes);

/// Complain where times that are given are those of none of the tasks of a step.
/// @errors throws Error
void check_times(const predict::Job& job, const PredictRequest& request);

/// Times of tasks for all programs of a request, by the workers of a rank: some programs cut their
/// work by them.
class PredictTimes {
 public:
  /// @param of  what they are needed for; all but the threads  All outlive this
  PredictTimes(const Program& program, const PredictRequest& request,
               const std::vector<VirtualProgram>& programs, const predict::TimesOf& of)
      : program_(program), request_(request), programs_(programs), of_(of) {}

  /// What the request says of times, or what was measured already for as many workers, or is now.
  /// Times that may be those of other tasks are warned of on stderr.
  /// @errors says which program failed; throws Error where times are those of other tasks
  Result<const predict::TaskTimes*> of(const VirtualProgram& each);

 private:
  bool are_given() const { return request_.times || request_.trace; }
  predict::TimesOf of_workers(std::uint32_t n_workers) const;
  Result<predict::TaskTimes> measure(std::uint32_t n_workers) const;
  predict::TaskTimes read() const;
  predict::TaskTimes read_trace() const;
  void check(const predict::TimesOf& there) const;
  /// What is predicted, as it was asked for.
  std::string subject() const;

  const Program& program_;
  const PredictRequest& request_;
  const std::vector<VirtualProgram>& programs_;
  const predict::TimesOf& of_;
  std::map<std::uint32_t, predict::TaskTimes> known_;
};

/// Complain of changes of tasks of which the times of no program say anything.
/// @errors says which program failed; throws Error
Result<void> check_what_ifs(const std::vector<VirtualProgram>& programs, PredictTimes& all_times,
                            std::span<const predict::WhatIf> what_ifs);

}  // namespace thalweg::app
