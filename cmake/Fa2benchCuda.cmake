# SPDX-License-Identifier: MIT
# Finds the CUDA toolkit, or says that this build measures on the CPU only.
include(CheckLanguage)

set(FA2BENCH_HAVE_CUDA FALSE)
if(NOT FA2BENCH_CUDA STREQUAL "OFF")
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND EXISTS /usr/local/cuda/bin/nvcc)
    set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)
  endif()
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 80-real 90-real 90-virtual)
    endif()
    enable_language(CUDA)
    set(CMAKE_CUDA_STANDARD 17)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
    set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
    find_package(CUDAToolkit REQUIRED)
    set(FA2BENCH_HAVE_CUDA TRUE)
    # CUPTI is opened at run time; only its header is needed here.
    find_path(FA2BENCH_CUPTI_INCLUDE_DIR cupti.h HINTS ${CUDAToolkit_INCLUDE_DIRS}
              ${CUDAToolkit_TARGET_DIR}/extras/CUPTI/include ${CUDAToolkit_LIBRARY_ROOT}/extras/CUPTI/include)
    message(STATUS "CUDA: toolkit ${CUDAToolkit_VERSION}, code for ${CMAKE_CUDA_ARCHITECTURES}")
  elseif(FA2BENCH_CUDA STREQUAL "ON")
    message(FATAL_ERROR "FA2BENCH_CUDA is ON but no nvcc was found; install the CUDA toolkit or set CUDACXX")
  endif()
endif()
if(NOT FA2BENCH_HAVE_CUDA)
  message(STATUS "CUDA: none (FA2BENCH_CUDA=${FA2BENCH_CUDA}); this build measures on the CPU only")
endif()

# NVTX 3 is headers only and comes with the toolkit.
set(FA2BENCH_HAVE_NVTX FALSE)
if(FA2BENCH_HAVE_CUDA AND TARGET CUDA::nvtx3)
  set(FA2BENCH_HAVE_NVTX TRUE)
endif()
