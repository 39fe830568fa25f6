// SPDX-License-Identifier: MIT
#include <thalweg/flow/access_checker.hpp>

#include <list>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/error.hpp>

#include "chain.hpp"
#include "checked_run.hpp"
#include "race_reports.hpp"
#include "tsan.hpp"

namespace thalweg::flow {
namespace {

/// ThreadSanitizer of GCC 12 tells 255 threads apart; some are the program's own.
constexpr std::size_t max_chains = 240;
/// As many replays as can be in flight at most (ExecutorConfig::depth), and one.
constexpr std::uint64_t n_remembered = 8;

/// Messages from one rank to another with one tag: the n-th sent is the n-th received.
struct Line {
  std::map<std::uint64_t, Instance> sent;  ///< and not received yet
  std::uint64_t n_sent_before = 0;         ///< in runs that have ended
  std::uint64_t n_received_before = 0;
};

bool is_send(const Graph& graph, const Message& message) {
  return graph.node(message.node).kind == NodeKind::send;
}

}  // namespace

class AccessChecker::Impl {
 public:
  Impl() {
    if (!tsan::is_there())
      throw Error(
          "accesses cannot be checked (the program was built without ThreadSanitizer); build it "
          "and Thalweg with -fsanitize=thread (CMAKE_CXX_FLAGS), as the preset tsan does");
  }

  void begin(Graph& graph) {
    Active& run = runs_.emplace_back(graph, names_.size(), ended_);
    name_nodes(graph);
    run.stands.reserve(graph.n_tasks());
    for (std::uint32_t t = 0; t < graph.n_tasks(); ++t) {
      const Node& node = graph.node(TaskId(t));
      run.stands.push_back({this, &run, t, node.invoke, node.body});
      if (node.kind == NodeKind::task)
        graph.replace_body(TaskId(t), &run.stands.back(), &run_as_proxy);
    }
    __tsan_release(run.checked.begun());
    // What the executor and the transport touch is not looked at: only what nodes do.
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  }

  void end(Graph& graph, std::optional<std::uint64_t> n_replays) {
    const auto at = std::find_if(runs_.begin(), runs_.end(),
                                 [&](Active& run) { return &run.checked.graph() == &graph; });
    THALWEG_EXPECT(at != runs_.end(), "no run of this graph has begun");
    for (std::uint64_t replay = 0; replay < n_replays.value_or(0); ++replay) complete(*at, replay);
    std::uint64_t ended = 0;
    ended_.resize(chains_.size(), 0);
    for (std::size_t c = 0; c < chains_.size(); ++c) {
      if (chains_[c].owner != &*at) continue;
      chains_[c].chain->run({.name = "end of a run", .comes_before = {&ended}});
      ended_[c] = chains_[c].chain->length();
      chains_[c].owner = nullptr;
    }
    __tsan_acquire(&ended);
    for (const Message& m : graph.messages()) {
      Line& own = line(graph, m);
      (is_send(graph, m) ? own.n_sent_before : own.n_received_before) += n_replays.value_or(0);
    }
    for (std::uint32_t t = 0; t < graph.n_tasks(); ++t)
      if (graph.node(TaskId(t)).kind == NodeKind::task)
        graph.replace_body(TaskId(t), at->stands[t].body, at->stands[t].invoke);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    runs_.erase(at);
  }

  const std::vector<std::string>& findings() const { return findings_; }
  std::uint64_t n_checked() const { return happened_.size(); }
  std::uint64_t n_merged() const { return n_merged_; }

 private:
  struct Active;
  /// Runs in a task's place.
  struct Stand {
    Impl* checker;
    Active* run;
    std::uint32_t node;
    void (*invoke)(void* body, TaskContext&);
    void* body;
  };
  struct Active {
    Active(Graph& graph, std::size_t number, const ChainClock& ended)
        : checked(graph, number, ended) {}
    CheckedRun checked;
    std::vector<Stand> stands;  ///< of task
  };
  struct OwnedChain {
    std::unique_ptr<Chain> chain;
    const Active* owner = nullptr;  ///< until its run has ended
  };
  /// Something that has run.
  struct Happened {
    std::size_t run;
    std::uint32_t node;
    std::uint64_t replay;
  };

  static void run_as_proxy(void* body, TaskContext& context) {
    const Stand& stand = *static_cast<Stand*>(body);
    stand.checker->play(*stand.run, stand.node, context.replay(),
                        {.invoke = stand.invoke, .body = stand.body, .context = &context});
  }

  /// Run a node on a chain, after all that it waits for.
  void play(Active& run, std::uint32_t node, std::uint64_t replay, ChainCall call) {
    if (const auto first = run.checked.first_remembered();
        first && *first + n_remembered < replay) {
      complete(run, *first);
      run.checked.forget_before(*first + 1);
    }
    ChainClock clock = run.checked.ended();
    call.comes_after = {run.checked.begun()};
    const auto come_after = [&](Instance& before) {
      call.comes_after.push_back(&before.sync);
      join(clock, before.clock);
    };
    run.checked.for_each_before(
        node, replay, [&](std::uint32_t p, std::uint64_t r) { come_after(having_run(run, p, r)); });
    Instance& own = run.checked.instance(node, replay);
    call.comes_before = {&own.sync};
    Instance* sent = nullptr;
    std::pair<Line*, std::uint64_t> received;
    const Node& what = run.checked.graph().node(TaskId(node));
    if (what.is_message()) {
      const Message& m = run.checked.graph().message(what.message);
      Line& c = line(run.checked.graph(), m);
      call.reads = {m.source, what.kind == NodeKind::send ? m.n_bytes : 0};
      call.writes = {m.target, what.kind == NodeKind::recv ? m.n_bytes : 0};
      if (what.kind == NodeKind::send) {
        sent = &c.sent[c.n_sent_before + replay];
        call.comes_before.push_back(&sent->sync);
      } else if (Instance* const before = find_sent(run.checked.graph(), m, c, replay)) {
        come_after(*before);
        received = {&c, c.n_received_before + replay};
      }
    }

    call.name = run.checked.graph().name(TaskId(node));
    call.mark = new_mark();
    happened_.emplace(call.mark, Happened{run.checked.number(), node, replay});
    const std::size_t c = choose_chain(run, clock);
    chains_[c].chain->run(std::move(call));
    clock.resize(std::max(clock.size(), c + 1), 0);
    clock[c] = chains_[c].chain->length();
    if (sent != nullptr) sent->clock = clock;
    if (received.first != nullptr) received.first->sent.erase(received.second);
    own.clock = std::move(clock);
    take_reports();
  }

  /// What a node waits for. Messages and barriers are played when somebody asks: by then they have
  /// run, and what they wait for.
  Instance& having_run(Active& run, std::uint32_t node, std::uint64_t replay) {
    Instance& found = run.checked.instance(node, replay);
    if (found.has_run()) return found;
    THALWEG_EXPECT(run.checked.graph().node(TaskId(node)).kind != NodeKind::task,
                   "the executor ran a task before one that it waits for");
    play(run, node, replay, {});
    return found;
  }
  void complete(Active& run, std::uint64_t replay) {
    for (std::uint32_t node = 0; node < run.checked.graph().n_nodes(); ++node)
      having_run(run, node, replay);
  }

  /// The send of what a node receives, where that is checked too.
  Instance* find_sent(const Graph& receiver, const Message& message, Line& c,
                      std::uint64_t replay) {
    const std::uint64_t index = c.n_received_before + replay;
    if (const auto found = c.sent.find(index); found != c.sent.end()) return &found->second;
    for (Active& run : runs_) {
      const Graph& graph = run.checked.graph();
      if (graph.rank() != message.peer || index < c.n_sent_before) continue;
      for (const Message& m : graph.messages())
        if (is_send(graph, m) && m.peer == receiver.rank() && m.tag == message.tag) {
          having_run(run, m.node(), index - c.n_sent_before);
          return &c.sent.at(index);
        }
    }
    return nullptr;
  }

  Line& line(const Graph& graph, const Message& m) {
    return is_send(graph, m) ? lines_[{graph.rank(), m.peer, m.tag}]
                             : lines_[{m.peer, graph.rank(), m.tag}];
  }

  /// A chain on which nothing has run but what comes before anyway.
  std::size_t choose_chain(const Active& run, const ChainClock& clock) {
    const auto is_before = [&](std::size_t c) {
      return chains_[c].chain->length() == (c < clock.size() ? clock[c] : 0);
    };
    for (const Active* const owner : {&run, static_cast<const Active*>(nullptr)})
      for (std::size_t c = 0; c < chains_.size(); ++c)
        if (chains_[c].owner == owner && is_before(c)) {
          chains_[c].owner = &run;
          return c;
        }
    if (chains_.size() < max_chains) {
      chains_.push_back({std::make_unique<Chain>(), &run});
      return chains_.size() - 1;
    }
    ++n_merged_;
    return happened_.size() % chains_.size();
  }

  void take_reports() {
    for (const RaceReport& report : take_race_reports()) {
      const auto& [later, earlier] = report.accesses;
      if (later.mark == 0 && earlier.mark == 0) continue;  // not among what we run
      if (!found_.insert(std::minmax(name(later.mark), name(earlier.mark))).second) continue;
      findings_.push_back(describe(later) + " what " + describe(earlier) +
                          ", and nothing that was declared orders the two (another schedule may "
                          "run them the other way round); declare what both use, or an edge");
    }
  }
  std::string describe(const RacingAccess& access) const {
    std::string text = name(access.mark);
    if (access.mark != 0) text += ", replay " + std::to_string(happened(access.mark).replay) + ")";
    return text + (access.writes ? " writes" : " reads");
  }
  std::string name(std::uintptr_t mark) const {
    if (mark == 0) return "something outside of tasks";
    const Happened& what = happened(mark);
    return names_[what.run][what.node];
  }
  const Happened& happened(std::uintptr_t mark) const { return happened_.at(mark); }
  void name_nodes(const Graph& graph) {
    auto& names = names_.emplace_back();
    for (std::uint32_t t = 0; t < graph.n_nodes(); ++t) {
      const TaskId id(t);
      const Node& node = graph.node(id);
      std::string text = "task '" + graph.name(id) + "'";
      if (node.is_message()) text += " of '" + graph.name(graph.accesses(id)[0].datum) + "'";
      names.push_back(text + " on rank " + std::to_string(graph.rank()()) + " (block " +
                      std::to_string(node.block) + ", level " + std::to_string(node.level));
    }
  }

  std::vector<OwnedChain> chains_;
  std::list<Active> runs_;  // a list: runs do not move
  ChainClock ended_;        ///< all that came before a run that begins now
  std::map<std::tuple<Rank, Rank, Tag>, Line> lines_;
  std::vector<std::vector<std::string>> names_;            ///< of run, of node
  std::unordered_map<std::uintptr_t, Happened> happened_;  ///< by mark
  std::vector<std::string> findings_;
  std::set<std::pair<std::string, std::string>> found_;
  std::uint64_t n_merged_ = 0;
};

AccessChecker::AccessChecker() : impl_(std::make_unique<Impl>()) {}
AccessChecker::~AccessChecker() = default;
const std::vector<std::string>& AccessChecker::findings() const {
  return impl_->findings();
}
std::uint64_t AccessChecker::n_checked() const {
  return impl_->n_checked();
}
std::uint64_t AccessChecker::n_merged() const {
  return impl_->n_merged();
}
void AccessChecker::begin(Graph& graph) {
  impl_->begin(graph);
}
void AccessChecker::end(Graph& graph, std::optional<std::uint64_t> n_replays) {
  impl_->end(graph, n_replays);
}

}  // namespace thalweg::flow
