// SPDX-License-Identifier: Apache-2.0
#include "judge/training_predictor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

namespace headrace::judge {

namespace {

/// Of a constant's logarithm, for slopes by differences.
constexpr double kSlopeStep = 0.02;

auto key_of(const Place& place) {
  return std::tuple(place.accelerator->id, place.platform->id, place.network != nullptr ? place.network->id : "",
                    place.software.id, place.software.facts, place.software.attention, place.software.compiled,
                    place.network_bandwidth, place.domain, place.cores, place.accelerators);
}

bool same_speed(const training::Machine& a, const training::Machine& b) {
  return a.device == b.device && a.fabric == b.fabric && a.constants == b.constants;
}

catalog::Calibration with_step(const catalog::Calibration& calibration, const std::string& key, double step) {
  catalog::Calibration moved = calibration;
  auto constant = *moved.find(key);
  constant.value *= std::exp(step);
  moved.set(key, constant);
  return moved;
}

}  // namespace

base::Result<TrainingPredictor> TrainingPredictor::make(const std::vector<TrainingCase>& cases,
                                                        const std::vector<std::string>& constants,
                                                        const catalog::Calibration& calibration) {
  TrainingPredictor made;
  made.cases_ = &cases;
  made.constants_ = constants;
  for (const auto& known : cases) made.work_.push_back(work_of(known));
  made.group_by_place();
  CHECK_OK(made.find_touched(calibration));
  made.anchor(calibration);
  made.first_slopes_ = made.slopes(calibration);
  return made;
}

void TrainingPredictor::anchor(const catalog::Calibration& calibration) {
  correction_.assign(cases_->size(), 0);
  const auto closed = predict(calibration);
  for (std::size_t place = 0; place < by_place_.size(); ++place) predict(step_seconds, calibration, place, correction_);
  for (std::size_t i = 0; i < closed.size(); ++i) correction_[i] -= closed[i];
}

void TrainingPredictor::group_by_place() {
  std::map<decltype(key_of(Place())), std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < cases_->size(); ++i) places[key_of((*cases_)[i].place)].push_back(i);
  for (auto& [key, indices] : places) by_place_.push_back(std::move(indices));
}

base::Result<void> TrainingPredictor::find_touched(const catalog::Calibration& calibration) {
  std::vector<training::Machine> now;
  for (const auto& indices : by_place_) {
    TRY(auto machine, machine_of((*cases_)[indices.front()].place, calibration));
    now.push_back(std::move(machine));
  }
  for (const auto& key : constants_) {
    const auto moved = with_step(calibration, key, 0.01);
    std::vector<bool> changes;
    std::vector<std::size_t> touched;
    for (std::size_t place = 0; place < by_place_.size(); ++place) {
      TRY(const auto machine, machine_of((*cases_)[by_place_[place].front()].place, moved));
      changes.push_back(!same_speed(machine, now[place]));
      if (changes.back()) touched.insert(touched.end(), by_place_[place].begin(), by_place_[place].end());
    }
    changes_.push_back(std::move(changes));
    touched_.push_back(std::move(touched));
  }
  return {};
}

void TrainingPredictor::predict(Step step, const catalog::Calibration& calibration, std::size_t place,
                                std::vector<double>& out) const {
  const auto& indices = by_place_[place];
  const auto machine = machine_of((*cases_)[indices.front()].place, calibration);
  for (const std::size_t i : indices) {
    const auto& known = (*cases_)[i];
    out[i] = machine ? std::log(step(known, *machine, work_[i])) : std::numeric_limits<double>::quiet_NaN();
  }
}

std::vector<double> TrainingPredictor::predict(const catalog::Calibration& calibration) const {
  std::vector<double> out(cases_->size());
  for (std::size_t place = 0; place < by_place_.size(); ++place) predict(closed_step_seconds, calibration, place, out);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += correction_[i];
  return out;
}

const TrainingPredictor::Slopes& TrainingPredictor::first_slopes() const { return first_slopes_; }

TrainingPredictor::Slopes TrainingPredictor::slopes(const catalog::Calibration& calibration) const {
  std::vector<double> now(cases_->size());
  for (std::size_t place = 0; place < by_place_.size(); ++place) predict(closed_step_seconds, calibration, place, now);
  Slopes all;
  for (std::size_t c = 0; c < constants_.size(); ++c) {
    const auto moved = with_step(calibration, constants_[c], kSlopeStep);
    std::vector<double> slope(cases_->size()), after = now;
    for (std::size_t place = 0; place < by_place_.size(); ++place)
      if (changes_[c][place]) predict(closed_step_seconds, moved, place, after);
    for (const std::size_t i : touched_[c]) slope[i] = (after[i] - now[i]) / kSlopeStep;
    all.push_back(std::move(slope));
  }
  return all;
}

}  // namespace headrace::judge
