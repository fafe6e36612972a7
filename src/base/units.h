// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

namespace headrace::base {

/// Exponents of a unit's dimensions: seconds, bytes, floating-point operations, joules, US dollars, tokens.
struct Dimension {
  std::int8_t seconds = 0;
  std::int8_t bytes = 0;
  std::int8_t flops = 0;
  std::int8_t joules = 0;
  std::int8_t dollars = 0;
  std::int8_t tokens = 0;

  friend constexpr bool operator==(const Dimension&, const Dimension&) = default;
  friend constexpr Dimension operator+(Dimension a, Dimension b) {
    return {std::int8_t(a.seconds + b.seconds), std::int8_t(a.bytes + b.bytes),     std::int8_t(a.flops + b.flops),
            std::int8_t(a.joules + b.joules),   std::int8_t(a.dollars + b.dollars), std::int8_t(a.tokens + b.tokens)};
  }
  friend constexpr Dimension operator-(Dimension a, Dimension b) {
    return {std::int8_t(a.seconds - b.seconds), std::int8_t(a.bytes - b.bytes),     std::int8_t(a.flops - b.flops),
            std::int8_t(a.joules - b.joules),   std::int8_t(a.dollars - b.dollars), std::int8_t(a.tokens - b.tokens)};
  }
};

/// A value in SI base units of its dimension (s, B, FLOP, J, USD, tokens). Products and quotients carry their
/// dimension; a dimensionless result is a plain double.
template <Dimension D>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double value) : value_(value) {}

  /// The number in base units.
  [[nodiscard]] constexpr double value() const { return value_; }

  constexpr Quantity& operator+=(Quantity other) {
    value_ += other.value_;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    value_ -= other.value_;
    return *this;
  }
  constexpr Quantity& operator*=(double factor) {
    value_ *= factor;
    return *this;
  }

  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.value_ + b.value_); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.value_ - b.value_); }
  friend constexpr Quantity operator-(Quantity a) { return Quantity(-a.value_); }
  friend constexpr Quantity operator*(Quantity a, double f) { return Quantity(a.value_ * f); }
  friend constexpr Quantity operator*(double f, Quantity a) { return Quantity(f * a.value_); }
  friend constexpr Quantity operator/(Quantity a, double f) { return Quantity(a.value_ / f); }
  friend constexpr auto operator<=>(const Quantity&, const Quantity&) = default;

 private:
  double value_ = 0;
};

template <Dimension A, Dimension B>
constexpr auto operator*(Quantity<A> a, Quantity<B> b) {
  if constexpr (A + B == Dimension{}) {
    return a.value() * b.value();
  } else {
    return Quantity<A + B>(a.value() * b.value());
  }
}

template <Dimension A, Dimension B>
constexpr auto operator/(Quantity<A> a, Quantity<B> b) {
  if constexpr (A == B) {
    return a.value() / b.value();
  } else {
    return Quantity<A - B>(a.value() / b.value());
  }
}

using Seconds = Quantity<Dimension{.seconds = 1}>;
using Bytes = Quantity<Dimension{.bytes = 1}>;
using Flops = Quantity<Dimension{.flops = 1}>;
using Joules = Quantity<Dimension{.joules = 1}>;
using Dollars = Quantity<Dimension{.dollars = 1}>;
using Tokens = Quantity<Dimension{.tokens = 1}>;
using Hertz = Quantity<Dimension{.seconds = -1}>;
using Watts = Quantity<Dimension{.seconds = -1, .joules = 1}>;
using BytesPerSecond = Quantity<Dimension{.seconds = -1, .bytes = 1}>;
using FlopsPerSecond = Quantity<Dimension{.seconds = -1, .flops = 1}>;
using TokensPerSecond = Quantity<Dimension{.seconds = -1, .tokens = 1}>;
using DollarsPerSecond = Quantity<Dimension{.seconds = -1, .dollars = 1}>;
using DollarsPerJoule = Quantity<Dimension{.joules = -1, .dollars = 1}>;

inline constexpr double kKibi = 1024.0;
inline constexpr double kMebi = kKibi * 1024.0;
inline constexpr double kGibi = kMebi * 1024.0;

/// Bytes from GiB (2^30).
constexpr Bytes gibibytes(double gib) { return Bytes(gib * kGibi); }
/// Bytes from GB (10^9).
constexpr Bytes gigabytes(double gb) { return Bytes(gb * 1e9); }
/// GiB (2^30) of a byte count.
constexpr double in_gibibytes(Bytes b) { return b.value() / kGibi; }

}  // namespace headrace::base
