// SPDX-License-Identifier: MIT
#include "device/cuda/graph.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace fa2bench::cuda {
namespace {

using Graph = std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, decltype(&cudaGraphDestroy)>;

/// "" for success; forgets the error, which is no later call's.
std::string obstacle(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return "";
  cudaGetLastError();
  return fmt::format("{}: {} ({})", what, cudaGetErrorString(error), cudaGetErrorName(error));
}

/// Adds up nodes, those of child graphs included; a graph that cannot be read has none.
void count_nodes(cudaGraph_t graph, CallGraph& counts) {
  std::size_t count = 0;
  if (cudaGraphGetNodes(graph, nullptr, &count) != cudaSuccess) return;
  std::vector<cudaGraphNode_t> nodes(count);
  if (cudaGraphGetNodes(graph, nodes.data(), &count) != cudaSuccess) return;
  for (cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type{};
    if (cudaGraphNodeGetType(node, &type) != cudaSuccess) continue;
    if (type == cudaGraphNodeTypeKernel) ++counts.kernels;
    if (type == cudaGraphNodeTypeMemAlloc) ++counts.allocations;
    cudaGraph_t child = nullptr;
    if (type == cudaGraphNodeTypeGraph &&
        cudaGraphChildGraphNodeGetGraph(node, &child) == cudaSuccess) {
      count_nodes(child, counts);
    }
  }
}

}  // namespace

CallGraph capture(cudaStream_t stream, const std::function<int()>& call) {
  CallGraph result;
  // Other threads, the gate's watchdog among them, may go on as they like.
  result.obstacle =
      obstacle("begin", cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  if (!result.obstacle.empty()) return result;
  result.code = call();
  cudaGraph_t captured = nullptr;
  const std::string ended = obstacle("capture", cudaStreamEndCapture(stream, &captured));
  const Graph graph(captured, &cudaGraphDestroy);
  if (result.code != 0) {
    result.obstacle = fmt::format("the call returned code {} while it was captured", result.code);
    return result;
  }
  result.obstacle = ended;
  if (!graph) return result;
  count_nodes(graph.get(), result);
  if (result.kernels == 0) {
    result.obstacle = "the graph captured no kernel: the call works on another stream";
    return result;
  }
  cudaGraphExec_t made = nullptr;
  result.obstacle = obstacle("instantiate", cudaGraphInstantiate(&made, graph.get(), 0));
  if (made == nullptr) return result;
  const std::shared_ptr<std::remove_pointer_t<cudaGraphExec_t>> executable(made,
                                                                           &cudaGraphExecDestroy);
  result.launch = [executable, stream] {
    const std::string failed = obstacle("launch", cudaGraphLaunch(executable.get(), stream));
    if (!failed.empty()) throw DeviceError(failed, true);
  };
  return result;
}

}  // namespace fa2bench::cuda
