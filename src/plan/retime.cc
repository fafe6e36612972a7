// SPDX-License-Identifier: Apache-2.0
#include "plan/retime.h"

#include <algorithm>

#include "base/parallel.h"
#include "training/step_simulation.h"

namespace headrace::plan {

void retime(const training::Job& job, const training::Machine& machine, int threads,
            double dollars_per_accelerator_second, std::vector<Candidate>& candidates) {
  // What candidates of one shape share is made once.
  std::vector<training::Shape> shapes;
  for (const auto& candidate : candidates) shapes.push_back(training::shape_of(candidate.strategy));
  std::vector<training::Shape> distinct = shapes;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<training::LayerTimes> layers(distinct.size());
  base::parallel_for(distinct.size(), threads,
                     [&](std::size_t i) { layers[i] = training::layer_times(job, machine, distinct[i]); });
  base::parallel_for(candidates.size(), threads, [&](std::size_t i) {
    Candidate& c = candidates[i];
    const auto shape = std::lower_bound(distinct.begin(), distinct.end(), shapes[i]) - distinct.begin();
    const auto layout =
        training::divide_layers(job.model, c.strategy.pipeline, c.strategy.virtual_pipeline, c.strategy.schedule);
    c.time = training::simulated_seconds(layers[std::size_t(shape)], layout, job, machine, c.strategy);
    c.sequences_per_second = double(c.strategy.global_batch) / c.time;
    c.dollars_per_sequence = seconds_per_sequence(c) * dollars_per_accelerator_second * machine.accelerators;
  });
}

}  // namespace headrace::plan
