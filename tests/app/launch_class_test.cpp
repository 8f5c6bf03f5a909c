// SPDX-License-Identifier: MIT
#include "app/launch_class.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

namespace fa2bench {
namespace {

using testing::ElementsAre;
using Launch = std::optional<double>;

/// Processes whose launches take what the test says, and that judge themselves as workers do.
class Processes {
 public:
  explicit Processes(std::vector<Launch> launches_us) : launches_us_(std::move(launches_us)) {}

  void start(LaunchClass& known) {
    start_quick(known, [&](Launch most_us) {
      const Launch launch_us = launches_us_.at(started_.size());
      const bool over = !most_us || (launch_us && *launch_us <= *most_us);
      started_.push_back(most_us);
      return StartedProcess{launch_us, over};
    });
  }

  [[nodiscard]] std::size_t started() const { return started_.size(); }
  /// Of the one that was started last.
  [[nodiscard]] Launch kept_us() const { return launches_us_.at(started_.size() - 1); }
  [[nodiscard]] const std::vector<Launch>& bounds() const { return started_; }

 private:
  std::vector<Launch> launches_us_;
  std::vector<Launch> started_;  ///< with this bound
};

TEST(StartQuick, LooksAtAFewProcessesBeforeItKeepsOne) {
  LaunchClass known;
  Processes processes({1.49, 1.375, 1.50, 1.51, 1.40});
  processes.start(known);
  EXPECT_THAT(processes.bounds(), ElementsAre(0.0, 0.0, 0.0, 0.0, 1.375 + kLaunchMarginUs));
  EXPECT_EQ(processes.kept_us(), 1.40);
}

TEST(StartQuick, PassesOverProcessesThatAreSlow) {
  LaunchClass known;
  Processes processes({1.375, 1.5, 1.5, 1.5, 1.46, 1.39});
  processes.start(known);
  EXPECT_EQ(processes.kept_us(), 1.39);
}

TEST(StartQuick, KeepsTheLastOfItsTriesWhateverItIs) {
  LaunchClass known;
  std::vector<Launch> launches_us{1.375};
  launches_us.resize(kLaunchLooks + kLaunchTries, 1.5);
  Processes processes(launches_us);
  processes.start(known);
  EXPECT_EQ(processes.started(), launches_us.size());
  EXPECT_EQ(processes.bounds().back(), std::nullopt);
}

TEST(StartQuick, LooksOnlyOnceInARun) {
  LaunchClass known;
  Processes processes({1.5, 1.375, 1.5, 1.5, 1.375, 1.38});
  processes.start(known);
  processes.start(known);
  EXPECT_EQ(processes.started(), 6U);
}

TEST(StartQuick, LearnsFromEachProcessThatIsQuickerThanThoseBefore) {
  LaunchClass known;
  Processes processes({1.5, 1.5, 1.5, 1.5, 1.375, 1.5, 1.375});
  processes.start(known);
  EXPECT_EQ(processes.kept_us(), 1.375);
  processes.start(known);
  EXPECT_EQ(processes.started(), 7U) << "1.5 is slow, now that 1.375 is known";
}

TEST(StartQuick, KeepsTheFirstProcessWhereNobodyCanTell) {
  LaunchClass known;
  Processes processes({std::nullopt, std::nullopt});
  processes.start(known);
  EXPECT_THAT(processes.bounds(), ElementsAre(0.0, std::nullopt));
  EXPECT_EQ(known.bound_us(), std::nullopt);
}

TEST(StartQuick, TriesAgainIfOneProcessCannotTell) {
  LaunchClass known;
  Processes processes({1.375, 1.375, 1.375, std::nullopt, 1.375});
  processes.start(known);
  EXPECT_EQ(processes.started(), 5U);
}

TEST(StartQuick, EndsWithAProcessThatIsLostWhileItIsLookedAt) {
  LaunchClass known;
  int started = 0;
  start_quick(known, [&](Launch) {
    ++started;
    return StartedProcess{std::nullopt, true};
  });
  EXPECT_EQ(started, 1);
}

}  // namespace
}  // namespace fa2bench
