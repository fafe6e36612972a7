// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/dtype.h"
#include "base/result.h"
#include "evidence/scored.h"

namespace headrace::evidence {

/// A training run, as far as it decides how near it lies to what was measured.
struct Setting {
  std::string source;       ///< of a measured run; empty for a user's own
  std::string accelerator;  ///< catalogue id
  std::string family;       ///< of the accelerator
  std::string framework;    ///< of the software
  base::Dtype compute = base::Dtype::kBf16;
  bool experts = false;
  double accelerators = 1;
  double sequence = 0;
  double hidden = 0;  ///< width of the model; 0 = unknown
};

/// One way in which a run lies outside of all measured ones: how far, and the sentence that says so.
struct Gap {
  std::string
      name;  ///< the doubt that it raises: family, accelerator, precision, experts_here, software, scale, sequence
  double amount = 1;  ///< doublings beyond the measured range for scale and sequence, else 1
  base::Message warning;
};

/// What the training runs of the evidence have covered: which accelerators, formats and software, and how far the
/// counts and sequences reach on each family.
class Experience {
 public:
  void add(const Setting& measured);
  /// How `asked` lies outside; empty when each of its parts was measured. A family never measured hides what would be
  /// said of its members.
  [[nodiscard]] std::vector<Gap> gaps(const Setting& asked) const;

 private:
  struct Family {
    std::set<base::Dtype> formats;
    bool experts = false;
    double accelerators = 0, sequence = 0;  ///< largest
  };
  std::map<std::string, Family> families_;
  std::set<std::string> accelerators_, frameworks_;
};

/// Experience of all of `measured` but one source.
Experience experience_without(const std::vector<Setting>& measured, const std::string& source);

/// The doubts about a run: its gaps, whether its model routes tokens to experts, and by how many doublings it is
/// narrower than 4096, where launches and the host weigh more.
Doubts doubts_of(const Setting& asked, const Experience& experience);

}  // namespace headrace::evidence
