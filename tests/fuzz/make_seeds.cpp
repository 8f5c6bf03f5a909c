// SPDX-License-Identifier: MIT
// Writes the seeds that people would not write by hand: one message of each kind, and streams of
// frames, as the code under test makes them. Run it after a change of the protocol or of the result
// (see .github/CONTRIBUTING.md); the seeds are committed.
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "result/report_json.hpp"
#include "result/sample_report.hpp"
#include "worker/messages.hpp"
#include "workload/config.hpp"

namespace {

namespace fs = std::filesystem;
using namespace fa2bench;

void write(const fs::path& path, const std::string& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

RunRequest run_request(const std::string& workload) {
  RunRequest request;
  request.workload =
      read_config(
          parse_json("seed.json", R"({"schema": "ferrum-fa2-bench/config/v1", "workloads": [)" +
                                      workload + "]}"))
          .front();
  request.modes = {Mode::cold, Mode::warm};
  request.memory = SharedPool{{"/proc/17/fd/9", "0badcafe"}, mib(4), 12345};
  return request;
}

std::vector<std::string> requests() {
  return {to_message(Request{Open{"cuda:1", {"new=build/a.so", "b.so"}, 1, true, true}}),
          to_message(Request{Open{"auto", {}, 0, false, false}}),
          to_message(Request{run_request(
              R"({"num_heads": 4, "num_kv_heads": 2, "batch": "2q1s40_q5s20", "max_q_len": 9,
                  "max_kv_len": 64})")}),
          to_message(Request{run_request(
              R"({"num_heads": 1, "num_kv_heads": 1, "batch": "q1s17_q1_q3s2", "seed": 7,
                  "allow_empty_rows": true,
                  "block_table": {"rows": [[3, 1, -7], [3], [0]], "pool_blocks": 5}})")})};
}

/// Small ones: what a list holds twice, a fuzzer finds by itself.
std::vector<std::string> replies() {
  const Report cpu = test::cpu_report();
  const Report cuda = test::cuda_report();
  std::vector<std::string> texts{
      to_message(
          Reply{Opened{cpu.device, "no GPU", cpu.ceilings, cpu.shims.front(), cpu.telemetry}}),
      to_message(Reply{Opened{cuda.device, "", cuda.ceilings, cuda.shims.back(), cuda.telemetry}}),
      to_message(Reply{Refused{ErrorKind::environment, "no such file"}}),
      to_message(Reply{Phase{"timing cold", 2.5}}),
      to_message(Reply{Phase{"filling", 2.5, std::nullopt, MemorySharing{false, "no tag"}}}),
      to_message(Reply{Phase{"replaying", 0.0, cuda.workloads.front().runs.front()}}),
      to_message(Reply{Ran{}})};
  for (const Report& report : {cpu, cuda}) {
    for (const Run& run : report.workloads.front().runs) {
      texts.push_back(to_message(Reply{Ran{run, run.status == Status::wrong}}));
    }
  }
  return texts;
}

/// A report with one workload: small, and every part is there.
std::string result_of(Report report) {
  report.workloads.resize(1);
  return report_json(report);
}

std::string frame(const std::string& text) {
  std::string bytes = "fa2m";
  for (unsigned shift = 0; shift < 32; shift += 8) {
    bytes += static_cast<char>((text.size() >> shift) & 0xFFU);
  }
  return bytes + text;
}

/// An input of the target `channel`: pieces of these lengths, then the rest.
std::string stream(const std::vector<unsigned>& pieces, const std::string& bytes) {
  std::string input(1, static_cast<char>(pieces.size()));
  for (const unsigned piece : pieces) input += static_cast<char>(piece - 1);
  return input + bytes;
}

void write_streams(const fs::path& folder) {
  const std::string phase = frame(to_message(Reply{Phase{"loading", 1.0}}));
  const std::string ran = frame(to_message(Reply{Ran{}}));
  write(folder / "ok_whole", stream({}, phase + ran));
  write(folder / "ok_header_in_pieces", stream({1, 1, 1, 1, 1, 1, 1, 1}, phase));
  write(folder / "ok_pieces_across_messages", stream({3, 7, 90, 2, 33}, phase + phase + ran));
  write(folder / "ok_empty_messages", stream({8, 9}, frame("") + frame("") + frame("a")));
  write(folder / "ok_magic_inside", stream({12}, frame(frame("x")) + frame("fa2m")));
  write(folder / "ok_cut_short", stream({40}, phase + ran.substr(0, ran.size() - 1)));
  write(folder / "length_past_the_limit", stream({}, "fa2m\xFF\xFF\xFF\xFF"));
  write(folder / "length_without_text", stream({4}, std::string("fa2m\0\0\0\1", 8)));
  write(folder / "garbage_after_a_message", stream({5}, phase + "printf\n"));
  write(folder / "garbage_in_the_magic", stream({2, 1}, "fa2n"));
  write(folder / "nothing", stream({}, ""));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: {} tests/fuzz/corpus\n", argv[0]);
    return 2;
  }
  const fs::path corpus = argv[1];
  std::size_t number = 0;
  for (const std::string& text : requests()) {
    write(corpus / "message" / fmt::format("ok_request_{}", number++), text);
  }
  for (const std::string& text : replies()) {
    write(corpus / "message" / fmt::format("ok_reply_{}", number++), text);
  }
  write(corpus / "result" / "ok_cpu", result_of(test::cpu_report()));
  write(corpus / "result" / "ok_cuda", result_of(test::cuda_report()));
  write_streams(corpus / "channel");
  return 0;
}
