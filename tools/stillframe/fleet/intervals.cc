// SPDX-License-Identifier: Apache-2.0
// Bootstrap-t of the ratio's logarithm with Poisson weights: Davison and Hinkley, "Bootstrap
// Methods and their Application", 5.2; Chamandy et al., "Estimating Uncertainty for Massive Data
// Streams", 2012. Waits are skewed, so plain percentiles would cover the truth too seldom.
#include "tools/stillframe/fleet/intervals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "tools/stillframe/fleet/hash.h"

namespace stillframe::fleet {
namespace {

constexpr size_t kRounds = 400;
constexpr uint64_t kSeed = 0x5EED;
constexpr double kTail = 0.025;
constexpr double kLeastError = 1e-6;  // less is rounding

// Poisson(1) by 16 random bits.
const std::vector<uint8_t>& PoissonTable() {
  static const std::vector<uint8_t> table = [] {
    std::vector<uint8_t> made(size_t{1} << 16);
    double term = std::exp(-1.0);
    double sum = term;
    uint8_t weight = 0;
    for (size_t i = 0; i < made.size(); ++i) {
      while ((static_cast<double>(i) + 0.5) / static_cast<double>(made.size()) > sum) {
        ++weight;
        term /= weight;
        sum += term;
      }
      made[i] = weight;
    }
    return made;
  }();
  return table;
}

void Draw(uint64_t round, std::vector<uint8_t>* weights) {
  const std::vector<uint8_t>& table = PoissonTable();
  uint64_t bits = 0;
  for (size_t i = 0; i < weights->size(); ++i) {
    bits = i % 4 == 0 ? Mix(kSeed + (round << 40) + i) : bits >> 16;
    (*weights)[i] = table[bits & 0xFFFF];
  }
}

double Quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

struct Resampling::Sums {
  double amount = 0;
  double squares = 0;
  double products = 0;  // of amount and exposure
};

size_t Resampling::AddExposure(std::vector<double> exposure) {
  Exposure& added = exposures_.emplace_back();
  added.of = std::move(exposure);
  for (const double of : added.of) {
    added.sum += of;
    added.sum_squares += of * of;
  }
  return exposures_.size() - 1;
}

size_t Resampling::AddFigure(std::vector<Hit> hits, const std::vector<size_t>& exposures) {
  Figure& figure = figures_.emplace_back();
  figure.hits = std::move(hits);
  for (const size_t exposure : exposures) {
    Ratio& ratio = figure.ratios.emplace_back();
    ratio.exposure = exposure;
    ratio.of.reserve(figure.hits.size());
    for (const Hit& hit : figure.hits) ratio.of.push_back(exposures_[exposure].of[hit.install]);
  }
  return figures_.size() - 1;
}

double Resampling::StandardError(const Sums& sums, double exposure, double exposure_squares) {
  const double ratio = sums.amount / exposure;
  const double squares =
      sums.squares - 2 * ratio * sums.products + ratio * ratio * exposure_squares;
  return std::sqrt(std::max(squares, 0.0)) / sums.amount;
}

Resampling::Sums Resampling::SumsOf(const std::vector<Hit>& hits, const Ratio& ratio) {
  Sums sums;
  for (size_t i = 0; i < hits.size(); ++i) {
    sums.amount += hits[i].amount;
    sums.squares += hits[i].amount * hits[i].amount;
    sums.products += hits[i].amount * ratio.of[i];
  }
  return sums;
}

void Resampling::Run() {
  for (Figure& figure : figures_) {
    for (Ratio& ratio : figure.ratios) {
      const Exposure& exposure = exposures_[ratio.exposure];
      ratio.interval = {};
      if (exposure.sum > 0) ratio.interval.value = SumsOf(figure.hits, ratio).amount / exposure.sum;
    }
  }
  std::vector<uint8_t> weights(installs_);
  std::vector<std::array<double, 2>> drawn(exposures_.size());
  std::vector<double> products;
  for (size_t round = 0; round < kRounds; ++round) {
    Draw(round, &weights);
    for (size_t i = 0; i < exposures_.size(); ++i) {
      drawn[i] = {};
      const std::vector<double>& of = exposures_[i].of;
      for (size_t install = 0; install < installs_; ++install) {
        const double part = weights[install] * of[install];
        drawn[i][0] += part;
        drawn[i][1] += part * of[install];
      }
    }
    for (Figure& figure : figures_) {
      Sums sums;
      products.assign(figure.ratios.size(), 0);
      for (size_t i = 0; i < figure.hits.size(); ++i) {
        const Hit& hit = figure.hits[i];
        const double amount = weights[hit.install] * hit.amount;
        sums.amount += amount;
        sums.squares += amount * hit.amount;
        for (size_t r = 0; r < products.size(); ++r) products[r] += amount * figure.ratios[r].of[i];
      }
      for (size_t r = 0; r < products.size(); ++r) {
        Ratio& ratio = figure.ratios[r];
        const auto [exposure, squares] = drawn[ratio.exposure];
        sums.products = products[r];
        if (sums.amount <= 0 || exposure <= 0 || ratio.interval.value <= 0) continue;
        const double error = StandardError(sums, exposure, squares);
        if (error < kLeastError) continue;
        ratio.deviations.push_back(
            (std::log(sums.amount / exposure) - std::log(ratio.interval.value)) / error);
      }
    }
  }
  for (Figure& figure : figures_)
    for (Ratio& ratio : figure.ratios) Finish(figure.hits, &ratio);
}

void Resampling::Finish(const std::vector<Hit>& hits, Ratio* ratio) const {
  Interval& interval = ratio->interval;
  if (interval.value <= 0) return;
  const Exposure& exposure = exposures_[ratio->exposure];
  const Sums sums = SumsOf(hits, *ratio);
  const auto count = static_cast<double>(hits.size());
  // The deviations are those of fewer installs than there are, so small samples get a little more.
  const double few = count > 1 ? std::sqrt(count / (count - 1)) : 1;
  const double error = few * StandardError(sums, exposure.sum, exposure.sum_squares);
  // With few installs hit, resampling them sees too little. Their number is then the uncertainty:
  // the exact limits of a Poisson count, approximated by Wilson and Hilferty.
  constexpr double kZ = 1.96;
  constexpr double kUnseenAmounts = 2;
  const auto chi = [](double degrees, double z) {
    const double part = 2 / (9 * degrees);
    return degrees * std::pow(1 - part + z * std::sqrt(part), 3);
  };
  const double fewest = chi(2 * count, -kZ) / 2 / count;
  const double most = chi(2 * count + 2, kZ) / 2 / count;
  // The largest amounts that there are may be missing from so few.
  interval.low = interval.value * fewest;
  interval.high = interval.value * most * (1 + kUnseenAmounts / count);
  std::vector<double>& deviations = ratio->deviations;
  constexpr size_t kLeast = 100;
  if (deviations.size() < kLeast || error < kLeastError) return;
  std::ranges::sort(deviations);
  const double low = interval.value * std::exp(-Quantile(deviations, 1 - kTail) * error);
  const double high = interval.value * std::exp(-Quantile(deviations, kTail) * error);
  constexpr double kFew = 12;
  const bool is_few = count < kFew;
  interval.low = is_few ? std::min(low, interval.low) : low;
  interval.high = is_few ? std::max(std::min(high, 10 * interval.value), interval.high) : high;
}

}  // namespace stillframe::fleet
