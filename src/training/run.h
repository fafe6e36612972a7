// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "training/job.h"

namespace headrace::training {

/// What a run meets beside its steps.
struct RunConditions {
  double work = 0;      ///< s of steps that the run needs; infinity when its length is unknown
  double failures = 0;  ///< per second, of all machines together
  double downtime = 0;  ///< s from a failure until the last checkpoint is loaded again
  double write = 0;     ///< s until a checkpoint is safe
  double blocked = 0;   ///< s of them that the steps wait for; all of them when written synchronously
};

/// Bytes of one checkpoint: weights and optimizer states of the whole model, each once; of adapters alone when only
/// those are trained.
double checkpoint_bytes(const Job& job, const Machine& machine);

/// The interval between checkpoints by Young's first order, sqrt(2 · blocked / failures), s. J. W. Young, CACM 17
/// (1974).
double young_interval(const RunConditions& run);

/// The interval, in s of steps, that minimises the expected wall time exactly for exponentially distributed failures:
///   M · (1 + W(−exp(−1 − blocked/M))),  M = 1/failures, W the upper branch of Lambert's function.
/// From J. T. Daly, Future Generation Computer Systems 22 (2006), equation 13, set to a derivative of zero. Never more
/// than the whole run, and no less than one write takes.
double best_interval(const RunConditions& run);

/// Effective training time ratio: s of steps over expected s of wall time, when a checkpoint is written every
/// `interval` s of steps:
///   wall / work = exp(R/M) · M · (exp((interval + blocked)/M) − 1) / interval
/// with R = downtime + write − blocked: a failure also loses what was done while the last checkpoint was on its way.
/// Daly (2006), as above.
double effective_ratio(const RunConditions& run, double interval);

}  // namespace headrace::training
