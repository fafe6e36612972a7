// SPDX-License-Identifier: Apache-2.0
#include "verbs/predict_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random_stream.h"
#include "base/statistics.h"

namespace headrace::verbs {
namespace {

using base::Basis;
using base::Estimate;

constexpr double kSecondsPerDay = 86400, kSecondsPerHour = 3600;
constexpr double kServer = 8;  ///< accelerators of the servers that the rates were counted on

Estimate exactly(double value, const char* unit) { return {value, value, value, unit, Basis::kDatasheet, ""}; }

Estimate assumed(const catalog::Calibration& calibration, const char* key, double factor, const char* unit) {
  const catalog::Constant* constant = calibration.find(key);
  if (!constant) return exactly(0, unit);
  return {constant->value * factor, constant->low * factor, constant->high * factor, unit, Basis::kAssumed, ""};
}

/// One draw from an estimate: its logarithm normal on either side of the value, low and high the 10th and 90th
/// percentiles.
double drawn(const Estimate& estimate, base::RandomStream& random) {
  constexpr double kNinetieth = 1.2815515655446004;
  const double normal = random.normal();
  const double end = normal < 0 ? estimate.low : estimate.high;
  if (estimate.value <= 0 || end <= 0 || end == estimate.value) return estimate.value;
  return estimate.value * std::exp(std::abs(normal) / kNinetieth * std::log(end / estimate.value));
}

/// The inputs as numbers: their values, or one draw.
struct Draw {
  double failures, detection, restart, bandwidth, blocked;
};

Draw usual(const RunInputs& in) {
  return {in.failures.value, in.detection.value, in.restart.value, in.bandwidth.value, in.blocked.value};
}

Draw drawn(const RunInputs& in, base::RandomStream& random) {
  return {drawn(in.failures, random), drawn(in.detection, random), drawn(in.restart, random),
          drawn(in.bandwidth, random), std::min(1.0, drawn(in.blocked, random))};
}

/// A restart reads what was written, at the same bandwidth.
training::RunConditions conditions(const Draw& draw, double bytes, double work) {
  const double write = draw.bandwidth > 0 ? bytes / draw.bandwidth : 0;
  return {.work = work,
          .failures = draw.failures,
          .downtime = draw.detection + draw.restart + write,
          .write = write,
          .blocked = write * draw.blocked};
}

double interval_of(const training::RunConditions& run, const scenario::Checkpoints& checkpoints) {
  return checkpoints.interval ? std::min(checkpoints.interval->value(), run.work) : training::best_interval(run);
}

/// Samples of one figure beside its value at the inputs' own values.
class Spread {
 public:
  Spread(double value, const char* unit, Basis basis) : estimate_{value, value, value, unit, basis, ""} {}
  void add(double sample) { samples_.push_back(sample); }
  Estimate estimate() {
    estimate_.low = std::min(estimate_.value, base::quantile(samples_, 0.1));
    estimate_.high = std::max(estimate_.value, base::quantile(samples_, 0.9));
    return estimate_;
  }

 private:
  Estimate estimate_;
  std::vector<double> samples_;
};

/// What one draw of everything makes of a run.
struct Figures {
  double ratio = 0, failures = 0, write = 0, time = 0, gpu_hours = 0, energy = 0, cost = 0;
};

/// What the figures of a run are made of; all but the step and the run's inputs are zero where unknown.
struct Ingredients {
  Estimate step;
  double steps = 0;
  double accelerators = 0;
  Estimate watts;          ///< of one accelerator with its share of the centre
  Estimate price;          ///< USD per accelerator-hour
  double electricity = 0;  ///< USD per J that come on top of the price
};

Figures figures(const training::RunConditions& run, double interval, const Ingredients& from, double watts,
                double price) {
  Figures out;
  out.ratio = training::effective_ratio(run, interval);
  out.write = run.write;
  if (!std::isfinite(run.work)) {
    out.failures = run.failures * kSecondsPerDay;
    return out;
  }
  out.time = run.work / out.ratio;
  out.failures = run.failures * out.time;
  out.gpu_hours = out.time * from.accelerators / kSecondsPerHour;
  out.energy = out.time * from.accelerators * watts;
  out.cost = out.gpu_hours * price + out.energy * from.electricity;
  return out;
}

constexpr int kSamples = 400;

/// Puts value and interval of each figure into the outcome.
void spread(scenario::TrainingOutcome& out, const RunInputs& inputs, const Ingredients& from,
            const scenario::Checkpoints& checkpoints, std::uint64_t seed) {
  const bool endless = from.steps <= 0;
  const auto work = [&](double step) { return endless ? std::numeric_limits<double>::infinity() : step * from.steps; };
  const training::RunConditions run = conditions(usual(inputs), inputs.checkpoint_bytes, work(from.step.value));
  // The interval is decided before the run: the samples live with it.
  const double interval = interval_of(run, checkpoints);
  const Figures value = figures(run, interval, from, from.watts.value, from.price.value);

  Spread ratio(value.ratio, "1", Basis::kAssumed), failures(value.failures, endless ? "1/day" : "1", Basis::kAssumed),
      write(value.write, "s", inputs.bandwidth.basis), time(value.time, "s", Basis::kAssumed),
      hours(value.gpu_hours, "h", Basis::kAssumed), energy(value.energy, "J", Basis::kAssumed),
      cost(value.cost, "USD", Basis::kAssumed);
  base::RandomStream random(seed);
  for (int i = 0; i < kSamples; ++i) {
    const training::RunConditions sample =
        conditions(drawn(inputs, random), inputs.checkpoint_bytes, work(drawn(from.step, random)));
    const double watts = drawn(from.watts, random);
    const Figures f = figures(sample, std::min(interval, sample.work), from, watts, drawn(from.price, random));
    ratio.add(f.ratio);
    failures.add(f.failures);
    write.add(f.write);
    time.add(f.time);
    hours.add(f.gpu_hours);
    energy.add(f.energy);
    cost.add(f.cost);
  }
  out.ettr = ratio.estimate();
  out.failures = failures.estimate();
  out.checkpoint = scenario::CheckpointOutcome{
      inputs.checkpoint_bytes, interval, checkpoints.interval ? 0 : std::min(training::young_interval(run), run.work),
      write.estimate(), checkpoints.asynchronous};
  if (endless) return;
  out.time_to_train = time.estimate();
  out.gpu_hours = hours.estimate();
  if (from.watts.value > 0) out.energy = energy.estimate();
  if (from.price.value > 0) out.cost = cost.estimate();
}

Estimate times(const Estimate& a, double factor, const char* unit) {
  return {a.value * factor, a.low * factor, a.high * factor, unit, a.basis, ""};
}

}  // namespace

RunInputs run_inputs(const PreparedJob& job, const PreparedMachine& machine, const scenario::Scenario& scenario,
                     const catalog::Catalog& catalog) {
  const catalog::Calibration& constants = catalog.calibration;
  const scenario::Failures& given = scenario.failures;
  const double servers = machine.machine.accelerators / kServer;
  RunInputs in;
  in.failures = given.per_node_day ? exactly(*given.per_node_day * double(machine.nodes) / kSecondsPerDay, "1/s")
                                   : assumed(constants, "run.failures_per_node_day", servers / kSecondsPerDay, "1/s");
  in.detection = given.detection ? exactly(given.detection->value(), "s") : assumed(constants, "run.detection", 1, "s");
  in.restart = given.restart ? exactly(given.restart->value(), "s") : assumed(constants, "run.restart", 1, "s");
  in.bandwidth = scenario.center.storage_write
                     ? exactly(scenario.center.storage_write->value(), "B/s")
                     : assumed(constants, "run.checkpoint_bandwidth", std::max(1.0, servers), "B/s");
  in.blocked =
      scenario.checkpoints.asynchronous ? assumed(constants, "run.checkpoint_blocked", 1, "1") : exactly(1, "1");
  in.checkpoint_bytes = training::checkpoint_bytes(job.job, machine.machine);
  return in;
}

double usual_ratio(const RunInputs& inputs, const scenario::Checkpoints& checkpoints, double work) {
  const training::RunConditions run = conditions(usual(inputs), inputs.checkpoint_bytes, work);
  return training::effective_ratio(run, interval_of(run, checkpoints));
}

void predict_run(scenario::TrainingOutcome& out, const PreparedJob& job, const PreparedMachine& machine,
                 const scenario::Scenario& scenario, const catalog::Catalog& catalog, std::uint64_t seed) {
  const scenario::Site& site = scenario.center.site;
  Ingredients from;
  from.step = out.step_time;
  from.accelerators = double(out.accelerators);
  if (scenario.training.tokens)
    from.steps = std::ceil(scenario.training.tokens->value() /
                           (double(out.strategy.global_batch) * double(scenario.training.sequence)));
  if (const auto power = power_of(machine, out.breakdown, catalog)) {
    out.power_per_gpu = power->accelerator;
    from.watts = times(power->server, site.pue.value_or(1), "W");
  }
  if (const auto price = price_of(machine, scenario.money, catalog)) {
    from.price = price->price;
    out.price_per_gpu_hour = price->price;
  }
  // A rent contains its electricity, a purchase does not.
  if (scenario.money.purchase && site.electricity) from.electricity = site.electricity->value();
  spread(out, run_inputs(job, machine, scenario, catalog), from, scenario.checkpoints, seed);
  if (out.energy && site.electricity) out.electricity = times(*out.energy, site.electricity->value(), "USD");
  if (out.energy && site.carbon) out.carbon = times(*out.energy, *site.carbon, "g");
}

}  // namespace headrace::verbs
