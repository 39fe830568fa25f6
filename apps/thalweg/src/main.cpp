// SPDX-License-Identifier: MIT
#include <thalweg/app/command_line.hpp>

#include "applications.hpp"
#include "commands.hpp"

int main(int argc, char** argv) {
  using namespace thalweg;
  constexpr auto examples = R"(Examples:
  thalweg run sedov.toml
  mpirun -n 4 thalweg run sedov.toml mesh.max_level=3 --threads 2 --out results
  thalweg run --restart latest --out results time.end=0.2
  mpirun -n 2 thalweg miniamr --npx 2 --num_refine 3 --num_objects 1 --object 2 0 .2 .5 .5 .03 0 0 .15 .15 .15 0 0 0
  thalweg vlasov landau_nonlinear.toml vlasov.splitting=strang --threads 2 --out landau
  mpirun -n 2 thalweg hpccg 100 100 50 --threads 2
  mpirun -n 8 thalweg lulesh -s 15 --hash
  thalweg predict --machine machine.toml --sweep P=1:512:8 lulesh -s 15
  thalweg params hydro sedov
  thalweg diff results/plt00040 other/plt00040
  thalweg trace summary results/trace.pftrace
  thalweg graph sedov.toml --ranks 4 --rank 0 -o step.dot)";
  return app::run_command_line(
      argc, argv,
      {.name = "thalweg",
       .doc = "Thalweg: adaptive mesh refinement as dependent tasks, on MPI ranks and threads.",
       .version = THALWEG_VERSION,
       .applications = applications(),
       .commands = commands(),
       .examples = examples});
}
