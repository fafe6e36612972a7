// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace headrace::timeline {

/// What operations that overlap on one accelerator share.
enum class Resource : std::uint8_t { kCompute, kMemory, kScaleUp, kNetwork, kHost };
inline constexpr std::size_t kResources = 5;

/// The share of each resource that an operation takes at full speed, 0 to 1, in the order of Resource.
struct Demand {
  std::array<double, kResources> share{};

  friend bool operator==(const Demand&, const Demand&) = default;
};

/// The rates, 0 to 1 of full speed, at which operations that overlap run; `rates` has one for each of `active`, of
/// which there are at most 16. Each resource is shared max-min fairly: who wants less than an equal part gets it, and
/// the rest is divided among the others; an operation goes at the rate of its scarcest resource, and what it then
/// leaves unused of the others goes to those that can use it. In the end everyone runs at full speed or at a resource
/// that is used up; nobody has less than an equal part of everything; equal demands get equal rates. Source: Bertsekas
/// and Gallager, Data Networks, section 6.5.2, for one resource.
void share_resources(std::span<const Demand> active, std::span<double> rates);

}  // namespace headrace::timeline
