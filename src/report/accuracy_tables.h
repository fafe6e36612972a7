// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "evidence/experience.h"
#include "evidence/ranking.h"
#include "evidence/score.h"

/// The tables of docs/accuracy.md, in Markdown.
namespace headrace::report {

/// Why a group of rows is predicted badly, and the measurement that shows it. Empty words fit any group.
struct Explanation {
  std::string source, accelerator, model;  ///< stand in the group's own
  std::string why;
  std::string shown_by;

  [[nodiscard]] bool fits(const evidence::GroupScore& group) const;
};

/// One set of rows that another tool has predicted as well.
struct PeerSet {
  std::string name, peer;
  std::vector<double> shipped, source_out, theirs;  ///< signed relative errors, row by row
};

std::string headline_table(const std::vector<evidence::FamilyScore>& families);
std::string ranking_table(const std::vector<evidence::Scored>& rows);
std::string peers_table(const std::vector<PeerSet>& sets);
/// Groups that are off by more than 20 %, worst first.
std::string worst_table(const std::vector<evidence::FamilyScore>& families,
                        const std::vector<Explanation>& explanations);

/// How far measured runs reach, by family of accelerator.
std::string reach_table(const std::vector<evidence::Setting>& measured);

}  // namespace headrace::report
