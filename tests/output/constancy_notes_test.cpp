// SPDX-License-Identifier: MIT
#include "output/constancy_notes.hpp"

#include <gtest/gtest.h>

#include "output/result_table.hpp"
#include "result/sample_report.hpp"

namespace fa2bench {
namespace {

/// The notes of a report with one right run for each of these.
std::string notes(const std::vector<Constancy>& constancies) {
  Report report = test::cpu_report();
  report.workloads.clear();
  std::string name = "a";
  for (const Constancy& constancy : constancies) {
    WorkloadResult workload = test::sample_workload(name);
    Run run = test::sample_run("new", Status::ok, "");
    run.verify = test::sample_verify();
    run.verify->constancy = constancy;
    workload.runs = {run};
    report.workloads.push_back(workload);
    ++name[0];
  }
  return constancy_notes(report);
}

const Repeats kSame{100, true, true, 0.0};
const Repeats kOtherOut{3, false, true, 0.25};
const Repeats kOtherLse{3, true, false, 0.0};

TEST(ConstancyNotes, AreNoneOfWhatIsAlwaysTheSameOrWasNotTried) {
  EXPECT_EQ(notes({}), "");
  EXPECT_EQ(notes({{}}), "");
  EXPECT_EQ(notes({{kSame, kSame, kSame, GraphReplay{"", 2, true}}}), "");
}

TEST(ConstancyNotes, SayOnceWhichCallsHadOtherBits) {
  const std::string line =
      "new is not deterministic: {} had other bits in some calls on the same inputs (in a)\n";
  const auto of = [&](const std::string& what) {
    return std::string(line).replace(line.find("{}"), 2, what);
  };
  EXPECT_EQ(notes({{kOtherOut, kSame, kSame, {}}}), of("out"));
  EXPECT_EQ(notes({{kSame, kSame, kOtherLse, {}}}), of("lse"));
  EXPECT_EQ(notes({{kOtherOut, {}, {}, {}}}), of("out"));
  EXPECT_EQ(notes({{{}, {}, kOtherOut, {}}}), of("out"));
  EXPECT_EQ(notes({{kOtherOut, {}, kOtherLse, {}}}), of("out and lse"));
}

TEST(ConstancyNotes, TellPagesFromRepeats) {
  EXPECT_EQ(notes({{kSame, kOtherOut, kSame, {}}}),
            "new depends on where pages lie: out had other bits with the same K and V on other "
            "pages (in a)\n");
}

TEST(ConstancyNotes, DoNotBlamePagesForBitsThatChangeAnyway) {
  const std::string all = notes({{kOtherOut, kOtherOut, kSame, {}}});
  EXPECT_EQ(all.find("pages"), std::string::npos) << all;
}

TEST(ConstancyNotes, SayWhyThereIsNoReplay) {
  const Constancy sync{{}, {}, {}, GraphReplay{"no capture", 0, false}};
  EXPECT_EQ(notes({sync, sync, sync}),
            "new has no right replay from a CUDA graph: no capture (in a, b, c)\n");
}

TEST(ConstancyNotes, SayThatACapturedCallAllocates) {
  const Constancy allocates{{}, {}, {}, GraphReplay{"", 1, true, 2}};
  EXPECT_EQ(notes({allocates}),
            "new allocates memory while captured: 2 of the nodes of its CUDA graph (in a)\n");
}

TEST(ConstancyNotes, OfWrongRunsAreNone) {
  Report report = test::cpu_report();
  report.workloads[0].runs[0].status = Status::wrong;
  EXPECT_EQ(constancy_notes(report), "");
}

TEST(ConstancyNotes, StandBelowTheTable) {
  const Report report = test::cpu_report();
  const std::string table = result_table(report, false);
  ASSERT_NE(constancy_notes(report), "");
  EXPECT_NE(table.find("\n\n" + constancy_notes(report)), std::string::npos);
}

}  // namespace
}  // namespace fa2bench
