// SPDX-License-Identifier: MIT
#include <thalweg/hpccg/report.hpp>

#include <fmt/format.h>

#include <thalweg/hpccg/cost.hpp>

namespace thalweg::hpccg {
namespace {

/// Lines of a YAML document, as the reference writes them.
class Lines {
 public:
  void head(const char* key) { text_ += fmt::format("{}: \n", key); }
  template <class T>
  void top(const char* key, const T& value) {
    text_ += fmt::format("{}: {}\n", key, value);
  }
  void below(const char* key, double value) { text_ += fmt::format("  {}: {:g}\n", key, value); }
  template <class T>
  void below(const char* key, const T& value) {
    text_ += fmt::format("  {}: {}\n", key, value);
  }
  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

/// Four numbers, in all and of each kind of operation.
struct Summary {
  double total, ddot, waxpby, sparsemv;

  void write(const char* title, Lines& to) const {
    to.head(title);
    to.below("Total   ", total);
    to.below("DDOT    ", ddot);
    to.below("WAXPBY  ", waxpby);
    to.below("SPARSEMV", sparsemv);
  }
};

double total_rows(const Options& o) {
  double rows = 1;
  for (int a = 0; a < 3; ++a) rows *= static_cast<double>(o.n[a]) * o.ranks[a];
  return rows;
}

void write_overheads(const RunFacts& facts, double sparsemv_flops, Lines& to) {
  const double overhead_s = facts.exchange_s + facts.setup_s;
  const double all_s = facts.sparsemv_s + overhead_s;
  const auto line = [&](const char* time, const char* percent, double seconds) {
    to.below(time, seconds);
    to.below(percent, seconds / all_s * 100);
  };
  to.head("SPARSEMV OVERHEADS");
  to.below("SPARSEMV MFLOPS W OVERHEAD", sparsemv_flops / all_s / 1e6);
  line("SPARSEMV PARALLEL OVERHEAD Time", "SPARSEMV PARALLEL OVERHEAD Pct", overhead_s);
  line("SPARSEMV PARALLEL OVERHEAD Setup Time", "SPARSEMV PARALLEL OVERHEAD Setup Pct",
       facts.setup_s);
  line("SPARSEMV PARALLEL OVERHEAD Bdry Exch Time", "SPARSEMV PARALLEL OVERHEAD Bdry Exch Pct",
       facts.exchange_s);
}

/// What the reference's report does not have.
void write_execution(const Options& o, const RunFacts& facts, Lines& to) {
  const double rows = total_rows(o);
  const double bytes = bytes_of_iteration(o);
  to.head("Execution");
  to.below("Model", flow::to_string(o.execution.model));
  to.below("Method", to_string(o.method));
  to.below("Format", to_string(o.format));
  to.below("Sums", to_string(o.sum_order));
  to.below("Grid of ranks", fmt::format("{}x{}x{}", o.ranks[0], o.ranks[1], o.ranks[2]));
  to.below("Blocks of a rank at most", o.settings().n_blocks);
  to.below("Bytes of an iteration and row", bytes);
  to.below("GB/s of these bytes",
           bytes * rows * static_cast<double>(facts.solution.n_iterations) / facts.total_s / 1e9);
  to.below("Largest error of the solution", facts.largest_error);
}

}  // namespace

std::string report_yaml(const Options& o, const RunFacts& facts) {
  const double rows = total_rows(o);
  const auto n_iterations = static_cast<double>(facts.solution.n_iterations);
  const double ddot = n_iterations * 4 * rows;
  const double waxpby = n_iterations * 6 * rows;
  const double sparsemv = n_iterations * 2 * 27 * rows;
  const Summary flops{ddot + waxpby + sparsemv, ddot, waxpby, sparsemv};
  const Summary times{facts.total_s, facts.ddot_s, facts.waxpby_s, facts.sparsemv_s};
  Lines to;
  to.top("Mini-Application Name", "hpccg");
  to.top("Mini-Application Version", "1.0");
  to.head("Parallelism");
  to.below("Number of MPI ranks", o.ranks[0] * o.ranks[1] * o.ranks[2]);
  if (o.execution.executor.n_workers == 1)
    to.below("OpenMP not enabled", "");
  else
    to.below("Number of OpenMP threads", o.execution.executor.n_workers);
  to.head("Dimensions");
  to.below("nx", o.n[0]);
  to.below("ny", o.n[1]);
  to.below("nz", o.n[2]);
  to.top("Number of iterations", facts.solution.n_iterations);
  to.top("Final residual", fmt::format("{:.{}g}", facts.solution.residual, o.digits));
  to.head("#********** Performance Summary (times in sec) ***********");
  times.write("Time Summary", to);
  flops.write("FLOPS Summary", to);
  const auto rate = [](double n, double s) { return n > 0 ? n / s / 1e6 : 0; };
  Summary{rate(flops.total, times.total), rate(flops.ddot, times.ddot),
          rate(flops.waxpby, times.waxpby), rate(flops.sparsemv, times.sparsemv)}
      .write("MFLOPS Summary", to);
  to.head("DDOT Timing Variations");
  to.below("Min DDOT MPI_Allreduce time", facts.least_reduce_s);
  to.below("Max DDOT MPI_Allreduce time", facts.most_reduce_s);
  to.below("Avg DDOT MPI_Allreduce time", facts.mean_reduce_s);
  write_overheads(facts, sparsemv, to);
  write_execution(o, facts, to);
  return std::move(to).text();
}

}  // namespace thalweg::hpccg
