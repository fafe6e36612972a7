// SPDX-License-Identifier: Apache-2.0
#include "judge/memory_fit.h"

#include <array>
#include <cmath>
#include <set>
#include <tuple>

#include "base/statistics.h"

namespace headrace::judge {
namespace {

constexpr std::array<const char*, 3> kFitted = {"memory.context", "memory.communicator", "memory.fragmentation"};
constexpr int kSteps = 20;
constexpr int kPasses = 4;

using Group = std::tuple<std::string, std::string, std::string>;

Group group_of(const MemoryCase& known) { return {known.source, known.accelerator, known.model}; }

/// A case as a line in the three constants: bytes = (1 + fragmentation) · allocated + context + groups · communicator,
/// as far as its quantity counts them.
struct Line {
  Group group;
  double measured = 0, allocated = 0, groups = 0;
  training::MemoryQuantity quantity;

  [[nodiscard]] double at(const std::array<double, 3>& constants) const {
    if (quantity == training::MemoryQuantity::kAllocated) return allocated;
    const double reserved = (1 + constants[2]) * allocated;
    return quantity == training::MemoryQuantity::kReserved ? reserved : reserved + constants[0] + groups * constants[1];
  }
};

Line line_of(const MemoryCase& known) {
  MemoryCase probe = known;
  const auto set = [&](const char* key, double value) {
    catalog::Constant constant;
    constant.value = value;
    probe.machine.calibration.set(key, constant);
  };
  probe.capacity = 0;
  probe.quantity = training::MemoryQuantity::kAllocated;
  Line line{group_of(known), known.measured, predict(probe), 0, known.quantity};
  set("memory.context", 0);
  set("memory.fragmentation", 0);
  set("memory.communicator", 1);
  probe.quantity = training::MemoryQuantity::kDevice;
  line.groups = predict(probe) - line.allocated;
  return line;
}

double loss(const std::vector<Line>& lines, const std::array<double, 3>& constants) {
  std::map<Group, std::vector<double>> errors;
  for (const Line& line : lines) errors[line.group].push_back(std::abs(std::log(line.at(constants) / line.measured)));
  double sum = 0;
  for (const auto& [group, values] : errors) sum += base::mean(values);
  return errors.empty() ? 0 : sum / double(errors.size());
}

std::array<double, 3> fit(const std::vector<Line>& lines, const std::array<catalog::Constant, 3>& priors) {
  std::array<double, 3> constants;
  for (std::size_t i = 0; i < 3; ++i) constants[i] = (priors[i].low + priors[i].high) / 2;
  double least = loss(lines, constants);
  for (int pass = 0; pass < kPasses; ++pass) {
    for (std::size_t i = 0; i < 3; ++i) {
      for (int step = 0; step <= kSteps; ++step) {
        auto tried = constants;
        tried[i] = priors[i].low + (priors[i].high - priors[i].low) * step / kSteps;
        if (const double now = loss(lines, tried); now < least) {
          least = now;
          constants = tried;
        }
      }
    }
  }
  return constants;
}

std::array<catalog::Constant, 3> priors_of(const catalog::Calibration& calibration) {
  std::array<catalog::Constant, 3> priors;
  for (std::size_t i = 0; i < 3; ++i)
    if (const auto* found = calibration.find(kFitted[i])) priors[i] = *found;
  return priors;
}

}  // namespace

std::vector<std::string> memory_constants() { return {kFitted.begin(), kFitted.end()}; }

catalog::Calibration fit_memory(const std::vector<const MemoryCase*>& cases, const catalog::Calibration& calibration) {
  std::vector<Line> lines;
  for (const MemoryCase* known : cases)
    if (known->measured > 0) lines.push_back(line_of(*known));
  auto priors = priors_of(calibration);
  const auto constants = fit(lines, priors);
  catalog::Calibration fitted = calibration;
  for (std::size_t i = 0; i < 3; ++i) {
    priors[i].value = constants[i];
    fitted.set(kFitted[i], priors[i]);
  }
  return fitted;
}

evidence::Doubts memory_doubts(const training::Job& job, double accelerators) {
  evidence::Doubts doubts;
  if (job.adaptation.kind != scenario::FineTuning::kFull) doubts["adapters"] = 1;
  if (accelerators <= 1) doubts["single"] = 1;
  return doubts;
}

evidence::Scored scored_of(const MemoryCase& known, double predicted) {
  const auto& strategy = known.strategy;
  const double ranks = double(strategy.data) * strategy.tensor * strategy.pipeline * strategy.context;
  return {known.id,
          known.source,
          known.accelerator,
          known.model,
          known.measured,
          predicted,
          {},
          memory_doubts(known.job, ranks)};
}

std::vector<evidence::Scored> predict_source_out(const std::vector<MemoryCase>& cases,
                                                 const catalog::Calibration& calibration) {
  std::set<std::string> sources;
  for (const MemoryCase& known : cases) sources.insert(known.source);
  std::vector<evidence::Scored> scored;
  for (const std::string& source : sources) {
    std::vector<const MemoryCase*> others;
    for (const MemoryCase& known : cases)
      if (known.source != source) others.push_back(&known);
    const catalog::Calibration fitted = fit_memory(others, calibration);
    for (const MemoryCase& known : cases) {
      if (known.source != source || known.measured <= 0) continue;
      MemoryCase judged = known;
      judged.machine.calibration = fitted;
      scored.push_back(scored_of(known, predict(judged)));
    }
  }
  return scored;
}

}  // namespace headrace::judge
