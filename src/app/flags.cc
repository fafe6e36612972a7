// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "app/flag.h"

namespace headrace::app {
namespace {

constexpr std::array kCommon{
    Flag{.name = "--json", .kind = FlagKind::kSwitch, .help = "flag.json"},
    Flag{.name = "--csv", .value = "FILE", .kind = FlagKind::kFile, .help = "flag.csv"},
    Flag{.name = "--output", .letter = "-o", .value = "FILE", .kind = FlagKind::kFile, .help = "flag.output"},
    Flag{.name = "--threads",
         .value = "N",
         .kind = FlagKind::kInteger,
         .help = "flag.threads",
         .otherwise = "default.threads",
         .low = 1,
         .high = 4096},
    Flag{.name = "--seed",
         .value = "N",
         .kind = FlagKind::kInteger,
         .help = "flag.seed",
         .otherwise = "0",
         .low = 0,
         .high = 9e15},
    Flag{.name = "--lang",
         .value = "LANG",
         .kind = FlagKind::kChoice,
         .help = "flag.lang",
         .otherwise = "default.lang",
         .choices = "en zh"},
    Flag{.name = "--no-color", .kind = FlagKind::kSwitch, .help = "flag.no_color"},
    Flag{.name = "--quiet", .letter = "-q", .kind = FlagKind::kSwitch, .help = "flag.quiet"},
    Flag{.name = "--verbose", .letter = "-v", .kind = FlagKind::kSwitch, .help = "flag.verbose"},
    Flag{.name = "--help", .letter = "-h", .kind = FlagKind::kSwitch, .help = "flag.help"},
};

constexpr std::array kScenario{
    Flag{.name = "--set", .value = "PATH=VALUE", .help = "flag.set", .repeats = true},
    Flag{.name = "--model", .value = "MODEL", .help = "flag.model", .path = "workload.model"},
    Flag{.name = "--on", .value = "PLATFORM", .help = "flag.on", .path = "center.platform"},
    Flag{.name = "--nodes", .value = "N", .help = "flag.nodes", .otherwise = "1", .path = "center.nodes"},
    Flag{.name = "--gpus", .value = "N", .help = "flag.gpus", .path = "center.gpus"},
    Flag{.name = "--seq", .value = "TOKENS", .help = "flag.seq", .otherwise = "4096", .path = "workload.sequence"},
    Flag{.name = "--batch",
         .value = "SEQUENCES",
         .help = "flag.batch",
         .otherwise = "up to 1024",
         .path = "workload.global_batch"},
    Flag{.name = "--tokens", .value = "TOKENS", .help = "flag.tokens", .path = "workload.tokens"},
    Flag{.name = "--precision",
         .value = "FORMAT",
         .help = "flag.precision",
         .otherwise = "bf16",
         .choices = "bf16 fp16 fp8 fp32 tf32",
         .path = "workload.precision"},
    Flag{.name = "--software",
         .value = "ID",
         .help = "flag.software",
         .otherwise = "default.software",
         .path = "software"},
    Flag{.name = "--show-defaults", .kind = FlagKind::kSwitch, .help = "flag.show_defaults"},
};

}  // namespace

std::span<const Flag> common_flags() { return kCommon; }
std::span<const Flag> scenario_flags() { return kScenario; }

}  // namespace headrace::app
