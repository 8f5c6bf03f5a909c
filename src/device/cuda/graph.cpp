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
using Executable =
    std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, decltype(&cudaGraphExecDestroy)>;

/// "" for success; forgets the error, which is no later call's.
std::string obstacle(const char* what, cudaError_t error) {
  if (error == cudaSuccess) return "";
  cudaGetLastError();
  return fmt::format("{}: {} ({})", what, cudaGetErrorString(error), cudaGetErrorName(error));
}

/// Kernel nodes, those of child graphs included; a graph that cannot be read has none.
int count_kernels(cudaGraph_t graph) {
  std::size_t count = 0;
  if (cudaGraphGetNodes(graph, nullptr, &count) != cudaSuccess) return 0;
  std::vector<cudaGraphNode_t> nodes(count);
  if (cudaGraphGetNodes(graph, nodes.data(), &count) != cudaSuccess) return 0;
  int kernels = 0;
  for (cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type{};
    if (cudaGraphNodeGetType(node, &type) != cudaSuccess) continue;
    if (type == cudaGraphNodeTypeKernel) ++kernels;
    cudaGraph_t child = nullptr;
    if (type == cudaGraphNodeTypeGraph &&
        cudaGraphChildGraphNodeGetGraph(node, &child) == cudaSuccess) {
      kernels += count_kernels(child);
    }
  }
  return kernels;
}

}  // namespace

GraphCall launch_captured(cudaStream_t stream, const std::function<int()>& call) {
  GraphCall result;
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
  result.kernels = count_kernels(graph.get());
  if (result.kernels == 0) {
    result.obstacle = "the graph captured no kernel: the call works on another stream";
    return result;
  }
  cudaGraphExec_t made = nullptr;
  result.obstacle = obstacle("instantiate", cudaGraphInstantiate(&made, graph.get(), 0));
  const Executable executable(made, &cudaGraphExecDestroy);
  if (!executable) return result;
  result.obstacle = obstacle("launch", cudaGraphLaunch(executable.get(), stream));
  cudaStreamSynchronize(stream);  // what went wrong is the next check's to say
  return result;
}

}  // namespace fa2bench::cuda
