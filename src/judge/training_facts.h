// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "catalog/software.h"
#include "judge/training_row.h"

namespace headrace::judge {

/// What cells of published tables mean where their columns do not say it: `evidence/training_facts.yaml`, each entry
/// with the place that says it.
struct TrainingFacts {
  struct Framework {
    std::vector<std::string> words;  ///< all stand in the framework cell
    double until = 9999;             ///< last year for which this holds
    std::string software;            ///< catalogue id; empty = the entry that has the cell among its aliases
    std::string data_parallel;       ///< where the row leaves it empty
    bool predicts_further = true;    ///< trains the multi-token-prediction blocks that the model's config names
  };
  struct Source {
    std::string source;                     ///< as source_of; empty = any
    std::vector<std::string> accelerators;  ///< catalogue ids; empty = any
    std::string platform;
  };
  struct Phrase {
    std::string says;              ///< stands in the notes
    std::string model;             ///< stands in the model cell; empty = any
    std::string recompute;         ///< none, attention, attention+experts, half, full
    std::string gradients;         ///< fp32, bf16
    std::string data_parallel;     ///< as the column
    std::string optimizer;         ///< offloaded
    std::string routing;           ///< neighbours: a token's experts stand side by side
    std::string dispatch;          ///< each: experts' tokens go copy by copy, whatever the software can do
    bool captures_graphs = false;  ///< whole layers are captured and replayed
    bool hides_dispatch = false;   ///< behind the computation of another micro-batch
    std::optional<catalog::AttentionKernel> attention;

    [[nodiscard]] bool holds_for(const TrainingRow& row) const {
      return row.notes_say(says) && row.model.find(model) != std::string::npos;
    }
  };
  struct Precision {
    std::string source;  ///< as source_of
    std::string precision;
  };
  struct Board {
    std::string source;       ///< as source_of
    std::string says;         ///< the accelerator cell
    std::string accelerator;  ///< catalogue id
  };
  struct Model {
    std::string says;  ///< stands in the model cell
    double vocabulary = 0;
  };
  /// What runs switch off that their software can do.
  struct Switched {
    std::string source;             ///< as source_of
    std::vector<std::string> rows;  ///< ids; empty = all of the source
    bool tensor = true, gradients = true, parameters = true, compiled = true;
  };
  std::vector<Switched> switched;                ///< the first that fits holds
  std::vector<std::string> interleaved_sources;  ///< always interleave; a silent row hides its number of chunks
  std::vector<Precision> precisions;             ///< number formats of sources whose rows are silent
  std::vector<Board> boards;                     ///< accelerator cells that name no single board
  std::vector<Model> models;                     ///< what a public config says where the row's columns are empty
  std::vector<Framework> frameworks;             ///< the first that fits holds
  std::vector<Source> platforms;                 ///< the first that fits holds
  std::vector<Phrase> phrases;                   ///< all that fit hold
  std::map<std::string, std::string> excluded;   ///< row id → why its figure is wrong
  std::vector<std::string> partial_models;       ///< words of model names whose architecture no set of columns holds
  std::vector<std::string> plain_families;       ///< folded words of model names whose MLP has two matrices

  [[nodiscard]] const Framework* framework(const TrainingRow& row) const;
  /// The catalogue id of an accelerator cell: as written, unless a fact of this source says more.
  [[nodiscard]] std::string accelerator(const TrainingRow& row) const;
  /// The number format of a row's products; empty when neither row nor source states it.
  [[nodiscard]] std::string precision(const TrainingRow& row) const;
  /// The vocabulary of a row's model; nothing when neither row nor public config states it.
  [[nodiscard]] std::optional<double> vocabulary(const TrainingRow& row) const;
  [[nodiscard]] const Source* platform(const std::string& source, const std::string& accelerator) const;
  /// What a run leaves on of its software's overlaps and compilation: all, unless a fact says less.
  [[nodiscard]] Switched left_on(const TrainingRow& row) const;
};

/// Reads the facts that were built into the program.
base::Result<TrainingFacts> load_training_facts();
base::Result<TrainingFacts> read_training_facts(std::string_view yaml, const std::string& file);

}  // namespace headrace::judge
