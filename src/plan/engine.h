// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "plan/found.h"
#include "plan/rank.h"
#include "plan/space.h"

namespace headrace::plan {

/// No strategy of a subspace is faster, per step, or smaller than this.
struct Floor {
  double time = 0;
  double memory = 0;
};

/// What one pass over the space looks for.
struct Pass {
  Objective objective = Objective::kThroughput;
  double capacity = std::numeric_limits<double>::infinity();  ///< bytes that a strategy may need
  bool prune = true;
  bool front = true;  ///< keep what none beats in both speed and memory
};

/// The search of one machine's strategies. `Model` answers what a strategy costs, by direct calls:
///   Costs costs(Shape)                       what every strategy of a shape shares, computed once
///   const Division& division(Frame)          which layers each pipeline rank holds
///   Effects effects(Costs, Division)         which inner choices change anything
///   bool legal(Strategy)
///   Floor floor(Costs, Division, Frame)      below every strategy of the frame
///   void work(Costs, Division, Strategy, Work&)      the half of time and memory that sharding and offload do not
///   change void states(Costs, Division, Strategy, States&)  the half that recompute does not change void least(all
///   States, Least&)           below each of them Floor floor(Work, Least) double time(Work, States, Strategy)      s
///   per step double memory(Work, States)              bytes of the fullest stage double dollars_per_second of all
///   accelerators; 0 = unknown
///
/// Shapes are searched in waves, best floor first. What a shape may prune depends only on the waves before it and on
/// itself, so neither the answer nor the counts depend on the number of threads.
template <typename Model>
class Engine {
 public:
  Engine(const Model& model, const Setting& setting, const Options& options)
      : model_(model), setting_(setting), options_(options) {}

  Found run(const Pass& pass) {
    pass_ = pass;
    found_ = Found{};
    best_.emplace(options_.top, pass.objective);
    front_ = Front{};
    done_ = 0;
    survey();
    for (std::size_t first = 0, size = kFirstWave; first < regions_.size() && !cancelled(); first += size) {
      if (first > 0) size = std::min(2 * size, kLargestWave);
      size = std::min(size, regions_.size() - first);
      wave(first, first + size);
    }
    found_.best = best_->sorted();
    found_.pareto = front_.points();
    found_.exhaustive = !cancelled();
    return std::move(found_);
  }

 private:
  static constexpr std::size_t kFirstWave = 8;
  static constexpr std::size_t kLargestWave = 256;
  using Costs = typename Model::Costs;
  using Division = typename Model::Division;
  using Work = typename Model::Work;
  using States = typename Model::States;

  /// The lists of one frame after another, in storage used again, so that a candidate allocates nothing.
  struct Scratch {
    Inner inner;
    std::vector<States> states;  ///< of each sharding, without and with offload as far as open
    typename Model::Least least;
    Work work;
  };

  /// The strategies of one shape.
  struct Region {
    training::Shape shape;
    Floor floor;  ///< time per sequence
    double key = 0;
    std::int64_t size = 0;
  };

  /// What the search of one region found.
  struct Partial {
    Best best;
    Front front;
    std::int64_t evaluated = 0, pruned = 0, fitting = 0;
  };

  [[nodiscard]] bool cancelled() const { return options_.cancelled != nullptr && options_.cancelled->load(); }

  [[nodiscard]] double key(double seconds_per_sequence, double memory) const {
    switch (pass_.objective) {
      case Objective::kMemory: return memory;
      case Objective::kCost: return seconds_per_sequence * model_.dollars_per_second;
      case Objective::kThroughput: break;
    }
    return seconds_per_sequence;
  }

  /// Lists, counts and bounds every region that is not empty, most promising first.
  void survey() {
    regions_.clear();
    for (const auto& shape : shapes(setting_)) regions_.push_back(Region{shape, {}, 0, 0});
    const Legal legal = [this](const scenario::Strategy& s) { return model_.legal(s); };
    base::parallel_for(regions_.size(), options_.threads, [&](std::size_t i) {
      if (!cancelled()) survey(regions_[i], legal);
    });
    std::erase_if(regions_, [](const Region& r) { return r.size == 0; });
    for (const Region& region : regions_) found_.space += region.size;
    std::sort(regions_.begin(), regions_.end(),
              [](const Region& a, const Region& b) { return a.key != b.key ? a.key < b.key : a.shape < b.shape; });
  }

  void survey(Region& region, const Legal& legal) const {
    const auto list = frames(setting_, region.shape, legal);
    if (list.empty()) return;
    const Costs costs = model_.costs(region.shape);
    region.floor = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    Inner inner;
    for (const Frame& frame : list) {
      const Division& division = model_.division(frame);
      inner_choices(setting_, frame, legal, model_.effects(costs, division), inner);
      if (inner.size() == 0) continue;
      region.size += inner.size();
      const Floor floor = model_.floor(costs, division, frame);
      region.floor.time = std::min(region.floor.time, floor.time / double(frame.global_batch));
      region.floor.memory = std::min(region.floor.memory, floor.memory);
    }
    region.key = key(region.floor.time, region.floor.memory);
  }

  void wave(std::size_t first, std::size_t last) {
    std::vector<std::optional<Partial>> partials(last - first);
    base::parallel_for(last - first, options_.threads, [&](std::size_t i) {
      partials[i].emplace(Partial{Best(options_.top, pass_.objective), Front{}});
      if (!cancelled()) search(regions_[first + i], *partials[i]);
      if (options_.progress) options_.progress(double(++done_) / double(regions_.size()));
    });
    for (const auto& partial : partials) {
      for (const Candidate& c : partial->best.unsorted()) best_->offer(c);
      for (const Candidate& c : partial->front.points()) front_.offer(c);
      found_.evaluated += partial->evaluated;
      found_.pruned += partial->pruned;
      found_.fitting += partial->fitting;
    }
  }

  /// Whether nothing above this floor can change the answer.
  [[nodiscard]] bool hopeless(double seconds_per_sequence, double memory, const Partial& partial) const {
    if (!pass_.prune) return false;
    if (memory > pass_.capacity) return true;
    const double k = key(seconds_per_sequence, memory);
    if (k <= best_->bar() && k <= partial.best.bar()) return false;
    return !pass_.front || front_.dominates(seconds_per_sequence, memory) ||
           partial.front.dominates(seconds_per_sequence, memory);
  }

  void search(const Region& region, Partial& partial) const {
    if (hopeless(region.floor.time, region.floor.memory, partial)) {
      partial.pruned += region.size;
      return;
    }
    const Legal legal = [this](const scenario::Strategy& s) { return model_.legal(s); };
    const Costs costs = model_.costs(region.shape);
    Scratch scratch;
    for (const Frame& frame : frames(setting_, region.shape, legal)) {
      const Division& division = model_.division(frame);
      inner_choices(setting_, frame, legal, model_.effects(costs, division), scratch.inner);
      if (scratch.inner.size() > 0) search(costs, division, frame, scratch, partial);
    }
  }

  void search(const Costs& costs, const Division& division, Frame strategy, Scratch& scratch, Partial& partial) const {
    const double sequences = double(strategy.global_batch);
    const Inner& inner = scratch.inner;
    const Floor floor = model_.floor(costs, division, strategy);
    if (hopeless(floor.time / sequences, floor.memory, partial)) {
      partial.pruned += inner.size();
      return;
    }
    list_states(costs, division, strategy, scratch);
    for (const Recomputation& recomputation : inner.recomputations) {
      choose(strategy, recomputation);
      model_.work(costs, division, strategy, scratch.work);
      const Floor bound = model_.floor(scratch.work, scratch.least);
      if (hopeless(bound.time / sequences, bound.memory, partial)) {
        partial.pruned += std::int64_t(scratch.states.size());
        continue;
      }
      const States* states = scratch.states.data();
      for (const Sharding& sharding : inner.shardings) {
        choose(strategy, sharding);
        for (const bool offload : inner.offloads) {
          strategy.offload_optimizer = offload;
          evaluate(scratch.work, *states++, strategy, sequences, partial);
        }
      }
    }
  }

  void list_states(const Costs& costs, const Division& division, Frame strategy, Scratch& scratch) const {
    const Inner& inner = scratch.inner;
    scratch.states.resize(inner.shardings.size() * inner.offloads.size());
    States* states = scratch.states.data();
    for (const Sharding& sharding : inner.shardings) {
      choose(strategy, sharding);
      for (const bool offload : inner.offloads) {
        strategy.offload_optimizer = offload;
        model_.states(costs, division, strategy, *states++);
      }
    }
    model_.least(scratch.states, scratch.least);
  }

  void evaluate(const Work& work, const States& states, const scenario::Strategy& strategy, double sequences,
                Partial& partial) const {
    const double memory = model_.memory(work, states);
    const bool fits = memory <= pass_.capacity;
    if (!fits && pass_.prune) {
      ++partial.pruned;
      return;
    }
    const double time = model_.time(work, states, strategy);
    ++partial.evaluated;
    if (!fits) return;
    ++partial.fitting;
    const double seconds = time / sequences;
    const double k = key(seconds, memory);
    const bool ranks = k <= partial.best.bar() && k <= best_->bar();
    const bool leads = pass_.front && !front_.dominates(seconds, memory) && !partial.front.dominates(seconds, memory);
    if (!ranks && !leads) return;
    const Candidate candidate{strategy, 0, time, memory, sequences / time, seconds * model_.dollars_per_second};
    if (ranks) partial.best.offer(candidate);
    if (leads) partial.front.offer(candidate);
  }

  const Model& model_;
  const Setting& setting_;
  const Options& options_;
  Pass pass_;
  std::vector<Region> regions_;
  std::optional<Best> best_;
  Front front_;
  Found found_;
  std::atomic<std::int64_t> done_{0};
};

/// The best that fits and, when nothing does, the candidates that need least memory.
template <typename Model>
Found search_with(const Model& model, const Setting& setting, double capacity, const Options& options) {
  Engine<Model> engine(model, setting, options);
  Found found = engine.run({options.objective, capacity, options.prune, options.front});
  if (!found.best.empty() || !found.exhaustive || !options.nearest) return found;
  Found smallest = engine.run({Objective::kMemory, std::numeric_limits<double>::infinity(), true, false});
  found.nearest = std::move(smallest.best);
  return found;
}

}  // namespace headrace::plan
