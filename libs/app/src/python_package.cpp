// SPDX-License-Identifier: MIT
#include <thalweg/app/python_package.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

namespace thalweg::app {

namespace {

constexpr const char* how_to_install =
    "install it from a checkout, `pip install './python[figures]'`, and name that Python in "
    "THALWEG_PYTHON if it is not python3";

/// What a program that is started sees in place of the files of this one.
class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

Result<pid_t> start(const std::vector<std::string>& words, FileActions& files) {
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t process = 0;
  const int code =
      ::posix_spawnp(&process, arguments[0], files.get(), nullptr, arguments.data(), environ);
  if (code != 0)
    return std::unexpected(
        Failure{fmt::format("'{}' cannot be started ({})", words[0], std::strerror(code))});
  return process;
}

int exit_code_of(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return EXIT_FAILURE;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// What a program prints, if it ends well.
Result<std::string> output_of(const std::vector<std::string>& words) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0)
    return std::unexpected(Failure{fmt::format("no pipe ({})", std::strerror(errno))});
  FileActions files;
  posix_spawn_file_actions_adddup2(files.get(), pipe[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(files.get(), STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const auto process = start(words, files);
  ::close(pipe[1]);
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t n = 0; process && (n = ::read(pipe[0], part.data(), part.size())) != 0;) {
    if (n > 0) text.append(part.data(), static_cast<std::size_t>(n));
    if (n < 0 && errno != EINTR) break;
  }
  ::close(pipe[0]);
  if (!process) return std::unexpected(process.error());
  if (const int code = exit_code_of(*process); code != 0)
    return std::unexpected(Failure{fmt::format("'{}' ends with {}", words[0], code)});
  return text;
}

}  // namespace

Result<PythonPackage> find_python_package() {
  const char* const named = std::getenv("THALWEG_PYTHON");
  const std::string python = named != nullptr && *named != '\0' ? named : "python3";
  // Without the folder that the program is started in: what lies there is nobody's package.
  const auto folder = output_of(
      {python, "-P", "-c", "import os, thalweg; print(os.path.dirname(thalweg.__file__), end='')"});
  if (!folder)
    return std::unexpected(Failure{fmt::format("no Python package thalweg ({}: import thalweg); {}",
                                               folder.error().message, how_to_install)});
  return PythonPackage{.python = python, .folder = *folder};
}

Result<int> run_python_package(const PythonPackage& package, const std::vector<std::string>& words,
                               PythonOutput output) {
  std::vector<std::string> all{package.python, "-P", "-m", "thalweg"};
  all.insert(all.end(), words.begin(), words.end());
  FileActions files;
  if (output == PythonOutput::errors)
    posix_spawn_file_actions_adddup2(files.get(), STDERR_FILENO, STDOUT_FILENO);
  std::fflush(stdout);
  const auto process = start(all, files);
  if (!process) return std::unexpected(process.error());
  return exit_code_of(*process);
}

}  // namespace thalweg::app
