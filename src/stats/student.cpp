// SPDX-License-Identifier: MIT
#include "stats/student.hpp"

#include <boost/math/distributions/complement.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace fa2bench {

double student_reach(double freedom, double confidence) {
  const boost::math::students_t_distribution<double> t(freedom);
  return boost::math::quantile(boost::math::complement(t, (1.0 - confidence) / 2.0));
}

double student_both_tails(double freedom, double t) {
  if (std::isinf(t)) return 0.0;
  const boost::math::students_t_distribution<double> distribution(freedom);
  return 2.0 * boost::math::cdf(boost::math::complement(distribution, t));
}

}  // namespace fa2bench
