// SPDX-License-Identifier: Apache-2.0
// 95 % intervals of ratios, by resampling installs. One that hangs all day is one install.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stillframe::fleet {

struct Interval {
  double value = 0;
  double low = 0;
  double high = 0;
};

struct Hit {
  uint32_t install = 0;
  double amount = 0;  // above 0
};

// The same numbers give the same intervals on all machines: the seed is fixed.
class Resampling {
 public:
  explicit Resampling(size_t installs) : installs_(installs) {}

  // Amounts refer to it, by install: its hours, its days, or 1.
  size_t AddExposure(std::vector<double> exposure);
  // Amounts over each of some exposures, at most one hit for an install. Others have none.
  size_t AddFigure(std::vector<Hit> hits, const std::vector<size_t>& exposures);

  // Resamples all figures at once.
  void Run();
  // Sum of amounts over sum of exposures; zeros without exposure. `at`: which of the exposures.
  Interval Of(size_t figure, size_t at = 0) const { return figures_[figure].ratios[at].interval; }

 private:
  struct Exposure {
    std::vector<double> of;
    double sum = 0;
    double sum_squares = 0;
  };
  struct Sums;
  struct Ratio {
    size_t exposure = 0;
    std::vector<double> of;          // by hit
    std::vector<double> deviations;  // of the logarithm, in standard errors
    Interval interval;
  };
  struct Figure {
    std::vector<Hit> hits;
    std::vector<Ratio> ratios;
  };
  // That of the ratio's logarithm, by linearization.
  static double StandardError(const Sums& sums, double exposure, double exposure_squares);
  static Sums SumsOf(const std::vector<Hit>& hits, const Ratio& ratio);
  void Finish(const std::vector<Hit>& hits, Ratio* ratio) const;

  size_t installs_;
  std::vector<Exposure> exposures_;
  std::vector<Figure> figures_;
};

}  // namespace stillframe::fleet
