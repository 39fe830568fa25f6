// SPDX-License-Identifier: MIT
#include <thalweg/app/job.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/checkpoint.hpp>
#include <thalweg/app/driver.hpp>
#include <thalweg/app/runtime.hpp>
#include <thalweg/app/tracing.hpp>
#include <thalweg/core/complaints.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/io/checkpoint.hpp>
#include <thalweg/io/plotfile_read.hpp>
#include <thalweg/mesh/explicit_assignment.hpp>
#include <thalweg/mesh/forest.hpp>

#include "series_of_run.hpp"

namespace thalweg::app {

namespace {

std::string named(std::string_view key, std::string_view value) {
  return fmt::format("{}={}", key, value);
}

// A setting of the folder for results, exactly as it is called: in the text of a setting blanks
// around the value, and quotes, would go. What is no text stays as it is, and is refused.
std::string named_folder(const std::string& folder) {
  constexpr std::string_view lost = " '\"";
  const auto is_control = [](unsigned char c) { return c < 0x20; };
  const bool is_plain =
      folder.empty() || std::ranges::any_of(folder, is_control) ||
      (lost.find(folder.front()) == lost.npos && lost.find(folder.back()) == lost.npos);
  return named("output.folder", is_plain ? folder : io::toml_text(folder));
}

std::vector<std::string> all_overrides(const RunRequest& request) {
  auto overrides = request.overrides;
  if (request.model) overrides.push_back("run.model=" + *request.model);
  if (request.threads) overrides.push_back(fmt::format("run.threads={}", *request.threads));
  if (request.quiet) overrides.emplace_back("run.display=none");
  if (request.folder) overrides.push_back(named_folder(*request.folder));
  return overrides;
}

// Does all checks, and throws everything they complain about; what two of them say alike, once.
void check_all(std::initializer_list<std::function<void()>> checks) {
  Complaints complaints;
  std::set<std::string> said;
  for (const auto& check : checks) {
    try {
      check();
    } catch (const Error& error) {
      if (said.insert(error.what()).second) complaints.add(error.what());
    }
  }
  complaints.throw_if_any();
}

// Whether a text sets no key: any would be unknown.
bool is_empty_deck(const std::string& text) {
  try {
    io::Deck::load(text, "", {});
    return true;
  } catch (const Error&) {
    return false;
  }
}

// An application with one problem runs by its name alone, but not by nothing.
void check_says_something(const std::string& text, const RunRequest& request) {
  const auto is_named = [&](const char* key) {
    return io::find_string("", request.overrides, key).has_value();
  };
  if (!is_empty_deck(text) || is_named("application.name") || is_named("problem.name")) return;
  throw Error(
      fmt::format("{}: there is nothing in it (a deck says what is to be run); set "
                  "application.name at least, `thalweg params` lists what there is",
                  request.deck));
}

// A name that no other run has.
std::string new_identity(flow::Transport& transport) {
  std::random_device random;
  return broadcast(transport, fmt::format("{:08x}{:08x}", random(), random()));
}

// @errors throws Error where another application is asked for than a checkpoint is of: all keys of
// the one before would be unknown
void check_same_application(const Checkpoint& from, const std::vector<std::string>& overrides) {
  constexpr auto key = "application.name";
  const auto before = io::find_string(from.manifest.deck, {}, key);
  const auto asked = io::find_string("", overrides, key);
  if (before && asked && *asked != *before)
    throw Error(
        fmt::format("{} = \"{}\" ('{}' is of \"{}\", and a run goes on with the application it "
                    "began with); leave it out, or start a new run",
                    key, *asked, from.path, *before));
}

// The deck that is named, or else that of the checkpoint.
io::Deck load(std::span<const Application> applications, const RunRequest& request,
              const std::vector<std::string>& more, Runtime& runtime,
              const Checkpoint* from = nullptr) {
  auto overrides = all_overrides(request);
  overrides.insert(overrides.end(), more.begin(), more.end());
  if (request.deck.empty() && from != nullptr) {
    check_same_application(*from, overrides);
    return load_deck(applications, from->manifest.deck, from->path + "/manifest", overrides);
  }
  const auto text = request.deck_text
                        ? *request.deck_text
                        : read_text_everywhere(runtime.transport(), runtime.files(), request.deck,
                                               "without a deck there is nothing to run");
  auto deck = load_deck(applications, text, request.deck, overrides);
  check_says_something(text, request);
  return deck;
}

Job new_job(std::span<const Application> applications, const RunRequest& request,
            Runtime& runtime) {
  if (request.deck.empty())
    throw Error(
        "no deck (there is nothing to run); name a TOML file, or a checkpoint with --restart");
  return {load(applications, request, {named(identity_key, new_identity(runtime.transport()))},
               runtime),
          {},
          request.force ? Existing::replace : Existing::refuse};
}

// The folder of what may be a damaged checkpoint, if there are others that look whole; "" if not.
std::string other_checkpoints(const io::FileSystem& files, const std::string& path) {
  const auto normal = std::filesystem::path(path + "/").lexically_normal().parent_path();
  const auto folder = normal.has_parent_path() ? normal.parent_path().string() : ".";
  const auto found = io::find_checkpoints(files, folder);
  if (!found || !io::is_checkpoint_name(normal.filename().string())) return "";
  const auto is_other = [&](const io::FoundCheckpoint& c) {
    return c.manifest && std::filesystem::path(c.path).filename() != normal.filename();
  };
  return std::ranges::any_of(*found, is_other) ? folder : "";
}

// What somebody may have meant by what is no checkpoint; nothing if nothing comes to mind.
std::string advice_on(const io::FileSystem& files, const std::string& which,
                      const std::string& folder) {
  if (which.starts_with('-'))
    return "the name of a checkpoint, or latest, belongs behind --restart";
  if (!folder.empty() && io::read_manifest(files, folder + "/" + which))
    return fmt::format("did you mean '{}/{}'?", folder, which);
  const auto there = files.status(which);
  if (!there) return "check the path, and who may look there";
  if (!*there) return "there is no such folder; check the path";
  if (io::is_plotfile(files, which))
    return "it is a plotfile, from which no run can go on; name a checkpoint, chk*, or latest";
  if (const auto found = io::find_checkpoints(files, which); found && !found->empty())
    return fmt::format("it is a folder of results: give --restart latest --out {}", which);
  if (const auto others = other_checkpoints(files, which); !others.empty())
    return fmt::format("--restart latest --out {} takes the newest whole one", others);
  return "name a checkpoint, chk*, or latest";
}

// The checkpoint to go on from. @param folder  where to look for the newest, if known
Checkpoint find_checkpoint(const std::string& which, const std::string& folder, Runtime& runtime) {
  const auto context = runtime.context({});
  if (which == "latest" && folder.empty())
    throw Error(
        "--restart latest does not know where to look (there is no deck that says it); give "
        "the folder with --out");
  auto found =
      which == "latest" ? newest_checkpoint(context, folder) : whole_checkpoint(context, which);
  if (!found && which == "latest")
    throw Error(
        fmt::format("{} (there is nothing to go on from); name another checkpoint with "
                    "--restart, or start without --restart",
                    found.error().message));
  if (!found)
    throw Error(fmt::format(
        "--restart {}: {} (a run cannot go on from it); {}", which, found.error().message,
        broadcast(context.transport,
                  runtime.rank() == Rank{0} ? advice_on(runtime.files(), which, folder) : "")));
  return *std::move(found);
}

// Where a checkpoint lies; where its path ends with "." or "..", or is a link of another name, that
// of what it stands for.
std::filesystem::path place_of(const std::string& checkpoint, Runtime& runtime) {
  std::error_code none;
  auto path = std::filesystem::path(checkpoint + "/").lexically_normal().parent_path();
  if (!io::is_checkpoint_name(path.filename().string()))
    if (const auto real = std::filesystem::canonical(checkpoint, none); !none) path = real;
  return broadcast(runtime.transport(), path.string());
}

std::string folder_around(const std::filesystem::path& place) {
  return place.has_parent_path() ? place.parent_path().string() : ".";
}

// The sequence of the newest checkpoint in a folder; 0 where there is none.
std::uint64_t newest_in(const std::string& folder, Runtime& runtime) {
  std::uint64_t sequence = 0;
  if (runtime.rank() == Rank{0})
    if (const auto found = io::find_checkpoints(runtime.files(), folder);
        found && !found->empty() && found->front().manifest)
      sequence = found->front().manifest->sequence;
  return flow::broadcast(runtime.transport(), sequence);
}

bool goes_on_there(Existing existing) {
  return existing == Existing::keep || existing == Existing::keep_own;
}

// In its folder the series and plotfiles are those of the way that its run has taken since.
void check_superseded(const std::filesystem::path& place) {
  if (!io::is_superseded_name(place.filename().string())) return;
  throw Error(
      fmt::format("'{}' is superseded (its run has gone on from an earlier step since, and what "
                  "else is in this folder is of that way); go on from it in another folder with "
                  "--out",
                  place.string()));
}

// A run goes on with the lines of its own series alone, and those of its own points.
void check_lines(const std::string& path, const io::Manifest& from, Runtime& runtime) {
  std::string why;
  if (runtime.rank() == Rank{0})
    if (const auto text = io::read_text(runtime.files(), path))
      why = objection_to_series(*text, {.step = from.step, .time = from.time});
  why = broadcast(runtime.transport(), why);
  if (why.empty()) return;
  throw Error(
      fmt::format("'{}' belongs to another run (it {}); move it away, or go on in another "
                  "folder with --out",
                  path, why));
}

bool are_same_folder(flow::Transport& transport, const std::string& a, const std::string& b) {
  std::error_code none;  // what is not there is no other one's folder
  return is_so_on_rank_0(transport, std::filesystem::equivalent(a, b, none));
}

// The deck is the one given, or else the one that the checkpoint was written with. The run goes on
// where the checkpoint lies; in another folder it is a run of its own.
Job restarted_job(std::span<const Application> applications, const RunRequest& request,
                  Runtime& runtime) {
  auto folder = io::find_string("", all_overrides(request), "output.folder");
  if (request.folder && !folder) {  // it is no text, as this says
    const io::Parameter declared{.name = "output.folder", .default_value = std::string()};
    const std::string given = named_folder(*request.folder);
    io::Deck::load("", "", std::span(&declared, 1), std::span(&given, 1));
  }
  if (!folder && *request.restart == "latest" && !request.deck.empty())
    folder = load(applications, request, {}, runtime).string("output.folder");
  const auto& which = *request.restart;
  const auto newest = newest_in(
      which == "latest" ? folder.value_or("") : folder_around(place_of(which, runtime)), runtime);
  auto from = find_checkpoint(which, folder.value_or(""), runtime);
  const auto place = place_of(from.path, runtime);
  const auto home = folder_around(place);
  auto& transport = runtime.transport();
  const bool is_home = !folder || are_same_folder(transport, home, *folder);
  if (is_home) check_superseded(place);
  const auto identity = is_home ? identity_of(from.manifest.deck) : new_identity(transport);
  auto deck =
      load(applications, request,
           {named_folder(folder.value_or(home)), named(identity_key, identity)}, runtime, &from);
  const auto existing = is_home ? (request.force ? Existing::keep_own : Existing::keep)
                                : (request.force ? Existing::replace : Existing::refuse);
  return {std::move(deck), std::move(from), existing, newest};
}

}  // namespace

Job load_job(std::span<const Application> applications, const RunRequest& request,
             Runtime& runtime) {
  return request.restart ? restarted_job(applications, request, runtime)
                         : new_job(applications, request, runtime);
}

void check_job(std::span<const Application> applications, const Job& job, const std::string& folder,
               Runtime& runtime) {
  const auto& deck = job.deck;
  const auto& from = job.from;
  const auto existing = job.existing;
  const auto& application = application_of(applications, deck);
  const auto memory_bytes = runtime.context({}).memory_bytes;
  const auto check_mine = [&] {
    check_all({[&] {
                 check(application, deck);
                 const int n_ranks = runtime.transport().n_ranks();
                 check_size(application, deck, n_ranks, memory_bytes);
                 if (!from) check_start(application, deck, n_ranks, memory_bytes);
               },
               [&] {
                 const int n_ranks = runtime.transport().n_ranks();
                 if (deck.is_declared("partition.method") &&
                     deck.string("partition.method") != "morton" &&
                     deck.string("partition.directory") == "auto")
                   mesh::check_explicit_assignment(mesh::directory_for(n_ranks), n_ranks);
               },
               [&] {
                 if (from) check_restart(applications, deck, *from);
               },
               [&] {
                 if (from && goes_on_there(existing) && !folder.empty())
                   for (const auto* const name : {series_file_name, points_file_name})
                     check_lines(folder + "/" + name, from->manifest, runtime);
               },
               [&] { check_tracing(deck, runtime.transport().n_ranks()); },
               [&] {
                 if (!folder.empty())
                   check_output_folder(runtime.transport(), runtime.files(), folder, existing,
                                       deck.string(identity_key));
               }});
  };
  // What an application checks, and what there is of memory, may differ from rank to rank.
  try_on_all_ranks(runtime.transport(), check_mine);
}

std::optional<io::FolderLock> take_folder(const Job& job, const std::string& folder,
                                          Runtime& runtime) {
  auto lock = take_output_folder(runtime.transport(), runtime.files(), folder, job.existing,
                                 job.deck.string(identity_key));
  if (job.from && goes_on_there(job.existing) && newest_in(folder, runtime) != job.newest)
    throw Error(
        fmt::format("another run has gone on in '{}' while this one began (its newest checkpoint "
                    "is another one now, and what it has done would be set aside); start again",
                    folder));
  return lock;
}

}  // namespace thalweg::app
