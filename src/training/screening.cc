// SPDX-License-Identifier: Apache-2.0
#include "training/screening.h"

#include "training/step_costs.h"

namespace headrace::training {

namespace {

using scenario::Schedule;
using scenario::Strategy;

PassTimes pass_times(const LayerTimes& layers, const StageLayers& content, const Strategy& strategy, double host) {
  const auto time = stage_time(layers, content, strategy);
  return {time.forward.total() + host, time.backward.total() + time.recompute, time.backward.weight_time,
          time.forward.expert_comm + time.backward.expert_comm};
}

/// Sums over the stages before a rank, and over all.
struct Sums {
  double forward = 0, backward = 0, input = 0, count = 0;

  void add(const PassTimes& times, double count_of) {
    forward += count_of * times.forward;
    backward += count_of * times.backward;
    input += count_of * (times.backward - times.weight);
    count += count_of;
  }
};

/// One strategy's pipeline, as its chains see it.
struct View {
  const Layout& layout;
  const StepWork& work;
  int p, v;
  double m;
  double send;  ///< 0 where the sender does not stop for it

  [[nodiscard]] Sums before(std::size_t i) const {
    Sums sums;
    const auto& counts = layout.before[i];
    for (std::size_t k = 0; k < counts.size(); ++k) sums.add(work.entries[k], counts[k]);
    return sums;
  }
  [[nodiscard]] Sums all() const {
    Sums sums;
    for (std::size_t i = 0; i < work.ranks.size(); ++i) sums.add(work.ranks[i], layout.repeats[i]);
    return sums;
  }
  /// Transfers that a rank of this kind at its last place stops for, of each micro-batch.
  [[nodiscard]] double sends(std::size_t i) const {
    const int rank = layout.last[i];
    return send * ((rank < p - 1) + (rank > 0));
  }
};

void keep(Chain& most, const Chain& other) {
  if (other.seconds > most.seconds) most = other;
}

/// To a rank through all before it, its own work on all micro-batches, and back. With several chunks the rank stops for
/// at least 2(v − 1)p transfers while the pipeline fills and drains.
Chain through_rank(const View& view, double send) {
  Chain most;
  for (std::size_t i = 0; i < view.work.ranks.size(); ++i) {
    const auto sums = view.before(i);
    const double rank = view.layout.last[i];
    double seconds = sums.forward + sums.backward + 2 * rank * send + view.m * view.work.ranks[i].total();
    seconds += view.v == 1 ? view.m * view.sends(i) - (rank > 0 ? view.send : 0) : 2.0 * (view.v - 1) * view.p * send;
    keep(most, {seconds, view.m + sums.count / view.v, view.m});
  }
  return most;
}

/// 1F1B: through all ranks to the loss and back to a rank, where the first backward may start; its passes from there to
/// its last forward; through the ranks behind it to the loss and all the way back.
Chain through_loss(const View& view, double send) {
  const auto all = view.all();
  Chain most;
  for (std::size_t i = 0; i < view.work.ranks.size(); ++i) {
    const int rank = view.layout.last[i], behind = view.p - 1 - rank;
    const double pairs = view.m - 1 - behind;
    if (pairs < 0 || (pairs == 0 && behind > 0)) continue;
    auto sums = view.before(i);
    sums.add(view.work.ranks[i], 1);
    const double after = all.forward + all.backward - sums.forward - sums.backward;
    const double seconds = all.forward + all.backward + after + 2 * (view.p - 1 + behind) * send +
                           pairs * (view.work.ranks[i].total() + view.sends(i)) -
                           (behind > 0 && pairs > 0 ? view.send : 0);
    keep(most, {seconds, view.p + behind + pairs, pairs + 1});
  }
  return most;
}

/// GPipe: a flow shop forward, and one back.
Chain flow_shops(const View& view, double send) {
  const auto all = view.all();
  double forward = 0, backward = 0;
  for (std::size_t i = 0; i < view.work.ranks.size(); ++i) {
    const bool ahead = view.layout.distinct[i] < view.p - 1, back = view.layout.last[i] > 0;
    forward = std::max(forward, view.work.ranks[i].forward + (ahead ? view.send : 0));
    backward = std::max(backward, view.work.ranks[i].backward + (back ? view.send : 0));
  }
  return {all.forward + all.backward + 2 * (view.p - 1) * send + (view.m - 1) * (forward + backward),
          view.p + view.m - 1, view.m};
}

/// Schedules that fill the drain with gradients of weights: to a rank, and its own work.
Chain into_rank(const View& view, double send) {
  Chain most;
  for (std::size_t i = 0; i < view.work.ranks.size(); ++i) {
    const auto sums = view.before(i);
    keep(most, {sums.forward + view.layout.last[i] * send + view.m * view.work.ranks[i].total(), view.m, view.m});
  }
  return most;
}

/// The first rank waits for the loss's first gradients, and has then all but its first `lead` forwards to do.
Chain from_loss(const View& view, double send, double lead) {
  const auto all = view.all();
  const auto& first = view.work.ranks[0];
  const double rest = std::max(0.0, view.m - lead);
  return {all.forward + all.input - (first.backward - first.weight) + 2 * (view.p - 1) * send +
              view.m * first.backward + rest * first.forward,
          view.m, view.m};
}

/// DualPipe: a rank waits for the half of the pipeline before it, then works on half of the micro-batches of each of
/// its stages, most of them in pairs that hide expert-parallel traffic.
Chain from_both_ends(const View& view, double send, double slowdown) {
  Chain most;
  for (std::size_t i = 0; i < view.work.ranks.size(); ++i) {
    const int rank = view.layout.distinct[i], from_end = std::min(rank, view.p - 1 - rank);
    const auto& times = view.work.ranks[i];
    const double pairs = std::max(0.0, view.m - 1.5 * view.p + from_end + 1);
    const double hidden = pairs * times.exchange / 2 * (1 - slowdown);
    keep(most, {from_end * send + view.m / 2 * times.total() - hidden, view.m, view.m});
  }
  return most;
}

void chain_up(const View& view, double send, double slowdown, Schedule schedule, std::array<Chain, 3>& chains) {
  chains = {};
  switch (schedule) {
    case Schedule::kGpipe: chains[0] = flow_shops(view, send); return;
    case Schedule::kZeroBubbleH1: chains[1] = from_loss(view, send, view.p); break;
    case Schedule::kZeroBubbleH2: chains[1] = from_loss(view, send, 2 * view.p - 1); break;
    case Schedule::kZbv: break;
    case Schedule::kDualPipe: chains[0] = from_both_ends(view, send, slowdown); return;
    case Schedule::k1f1b:
    case Schedule::kInterleaved:
      chains[0] = through_rank(view, send);
      if (view.v == 1) chains[1] = through_loss(view, send);
      return;
  }
  chains[0] = into_rank(view, send);
}

/// What shows of traffic that goes piece by piece beside a pass: no less than its last piece, with what the hidden ones
/// take from the pass, and no less than what the pass, but for its first piece, does not hide.
double shown(double traffic, const double pass, double pieces, double slowdown) {
  const double beside = 1 - 1 / pieces;
  return std::max(traffic / pieces + slowdown * traffic * beside, traffic - pass * beside);
}

/// What parameters and gradients that travel with every pass add to a micro-batch's two passes; behind a pipeline what
/// they take from the passes may hide in waiting.
double shown_each(const StepWork& work, const DataParallelLoad& least, double slowdown) {
  const double gather = least.gather / work.copies, both = gather + least.reduce / work.copies;
  const double slow = work.alone ? slowdown : 0;
  return std::max(slow * gather, gather - work.most.forward) + std::max(slow * both, both - work.most.backward);
}

/// The first piece of parameters, and the last of gradients where they do not pace the pass.
double ends_of_each(const StepWork& work, const DataParallelLoad& first, double slowdown) {
  const bool paces = (first.gather + first.reduce) * (1 - slowdown) > work.first.backward;
  const double shows = work.alone ? 1 - slowdown : 1;
  return shows * (std::min(first.gather, work.first.forward) + (paces ? 0 : first.reduce)) / work.pieces;
}

/// Chains of later schedules end on any rank.
bool ends_on_first(const Strategy& strategy) {
  using enum Schedule;
  return strategy.schedule == kGpipe || strategy.schedule == k1f1b || strategy.schedule == kInterleaved;
}

double shown_gather(const StepWork& work, const StepLoad& load, double slowdown, const Strategy& strategy) {
  if (strategy.schedule == Schedule::kDualPipe) return 0;
  return strategy.overlap_parameter_gather ? shown(load.first.gather, work.first.forward, work.pieces, slowdown) : 0;
}

double shown_reduce(const StepWork& work, const StepLoad& load, double slowdown, const Strategy& strategy) {
  if (!ends_on_first(strategy)) return strategy.overlap_gradient_reduce ? 0 : load.least.reduce;
  if (!strategy.overlap_gradient_reduce) return load.rank.reduce;
  return std::max(shown(load.first.reduce, work.first.backward, work.pieces, slowdown), load.rank.reduce - work.drain);
}

}  // namespace

void step_work(const LayerTimes& layers, const Layout& layout, const Machine& machine, const Strategy& strategy,
               StepWork& work) {
  const int p = strategy.pipeline, v = strategy.virtual_pipeline;
  const double host = machine.constants.host_pass;
  work.ranks.clear();
  work.entries.clear();
  for (const int rank : layout.distinct)
    work.ranks.push_back(pass_times(layers, layout.stages[std::size_t(rank)], strategy, host * v * layout.copies));
  if (v == 1 && layout.copies == 1) {
    work.entries = work.ranks;
    work.first = work.ranks[0];
  } else {
    const Strategy chunk = of_one_chunk(strategy);
    for (const int stage : layout.entries)
      work.entries.push_back(pass_times(layers, layout.chunks[std::size_t(stage)], chunk, host));
    work.first = work.entries[0];
  }
  work.most = {};
  for (const auto& rank : work.ranks) {
    work.most.forward = std::max(work.most.forward, rank.forward / layout.copies);
    work.most.backward = std::max(work.most.backward, rank.backward / layout.copies);
  }
  work.copies = layout.copies;
  work.drain = (((v - 1.0) * p + 1) * work.most.backward + (p - 1) * work.most.total()) / v;
  work.micro_batches = double(strategy.global_batch) / (double(strategy.data) * strategy.micro_batch);
  const double send = send_time(layers, machine, strategy);
  const bool stops = sending_of(strategy) == Sending::kMeeting;
  const View view{layout, work, p, v, work.micro_batches, stops ? send : 0};
  chain_up(view, send, machine.constants.overlap_slowdown, strategy.schedule, work.chains);
  work.pieces = std::max(1, layers_of(layout.chunks[0]));
  work.stops = sending_of(strategy) == Sending::kBeside ? 0 : send;
  work.alone = p == 1;
  work.around = machine.constants.host_step + norm_time(machine);
  work.stretch = straggler_stretch(machine);
}

StepLoad step_load(const LayerTimes& layers, const Layout& layout, const Job& job, const Machine& machine,
                   const Strategy& strategy) {
  StepLoad load;
  const bool late = !strategy.overlap_parameter_gather && traffic_of(machine, strategy) != Traffic::kEachGatherToo;
  for (std::size_t i = 0; i < layout.distinct.size(); ++i) {
    const auto& content = layout.stages[std::size_t(layout.distinct[i])];
    const auto time = stage_time(layers, content, strategy);
    const auto one = data_parallel_load(time, layout.pipeline, layers, job, machine, strategy);
    load.update = std::max(load.update, one.optimizer + (late ? one.gather : 0));
    if (i == 0) load.rank = load.least = one;
    load.least.accumulate = std::min(load.least.accumulate, one.accumulate);
    load.least.gather = std::min(load.least.gather, one.gather);
    load.least.reduce = std::min(load.least.reduce, one.reduce);
  }
  load.first = load.rank;
  if (layout.chunks.size() > std::size_t(layout.pipeline))
    load.first = data_parallel_load(stage_time(layers, layout.chunks[0], strategy), int(layout.chunks.size()), layers,
                                    job, machine, strategy);
  return load;
}

double screened_seconds(const StepWork& work, const StepLoad& load, const Machine& machine, const Strategy& strategy) {
  const double slowdown = machine.constants.overlap_slowdown;
  double each = load.least.accumulate / work.copies, turn = 0, once = 0;
  switch (traffic_of(machine, strategy)) {
    case Traffic::kEachGatherToo:
      each = shown_each(work, load.least, slowdown);
      if (ends_on_first(strategy)) once = ends_of_each(work, load.first, slowdown);
      break;
    case Traffic::kEachReduce:
      once = shown_gather(work, load, slowdown, strategy);
      if (!strategy.overlap_gradient_reduce) {
        turn = std::max(0.0, load.least.reduce / work.copies - work.stops);
      } else {
        // All but the last micro-batch's hide in the next one's passes as well.
        if (work.alone) turn = std::max(slowdown * load.rank.reduce, load.rank.reduce - work.most.total());
        once += shown_reduce(work, load, slowdown, strategy) - turn;
      }
      break;
    case Traffic::kOnce:
      once = shown_gather(work, load, slowdown, strategy) + shown_reduce(work, load, slowdown, strategy);
  }
  double passes = 0;
  for (const auto& chain : work.chains)
    passes = std::max(passes, chain.seconds + chain.backwards * each + chain.turns * turn);
  return (passes + once + work.around + load.update) * work.stretch;
}

}  // namespace headrace::training
