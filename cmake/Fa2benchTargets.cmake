# SPDX-License-Identifier: MIT
# Warnings as an unexported target, and one way to declare a folder of src as a library.

add_library(fa2bench_warnings INTERFACE)
set(_cxx_only $<COMPILE_LANGUAGE:CXX>)
set(_host $<OR:$<COMPILE_LANGUAGE:C>,$<COMPILE_LANGUAGE:CXX>>)
target_compile_options(fa2bench_warnings INTERFACE
  $<${_host}:-Wall -Wextra -Wconversion -Wshadow>
  $<${_cxx_only}:-Wold-style-cast -Wnon-virtual-dtor -Woverloaded-virtual>)
# GCC 12 sees overlaps in inlined std::string that are not there (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  target_compile_options(fa2bench_warnings INTERFACE $<${_cxx_only}:-Wno-restrict>)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  target_compile_options(fa2bench_warnings INTERFACE $<${_host}:-Wreserved-identifier>)
endif()
# Each option rides behind its own -Xcompiler, and nvcc's generated code is not ours to fix.
target_compile_options(fa2bench_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>)
if(FA2BENCH_WERROR)
  target_compile_options(fa2bench_warnings INTERFACE $<${_host}:-Werror>
    $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
endif()

# fa2bench_add_to_batches(<target>): clang-tidy may read its sources in batches (preset tidy), files
# that include them.
function(fa2bench_add_to_batches target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_CODE_BEFORE_INCLUDE
                        "// NOLINTNEXTLINE(bugprone-suspicious-include)")
endfunction()

# Much of the time of a source that is hardly optimized goes to these. They hide what a source forgot
# to include, so only sanitized builds have them. g++ alone, as clang wants equal definitions
# everywhere; and a compiler's cache mostly passes over units that use such a file.
set(FA2BENCH_PRECOMPILE OFF)
if(FA2BENCH_SANITIZED AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(FA2BENCH_PRECOMPILE ON)
endif()
set(fa2bench_precompiled <algorithm> <chrono> <filesystem> <functional> <memory> <optional> <span>
    <string> <string_view> <utility> <vector>)

# fa2bench_add_library(<folder> SOURCES … [LINKS …] [PRIVATE_LINKS …])
# declares fa2bench_<folder>. LINKS name the folders above it, so that the build has the same layers
# as the includes.
function(fa2bench_add_library folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINKS;PRIVATE_LINKS")
  add_library(fa2bench_${folder} STATIC ${arg_SOURCES})
  target_include_directories(fa2bench_${folder} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(fa2bench_${folder} PUBLIC ${arg_LINKS}
                        PRIVATE fa2bench_warnings ${arg_PRIVATE_LINKS})
  fa2bench_add_to_batches(fa2bench_${folder})
  # One file for all, which are compiled alike; base is the first.
  if(FA2BENCH_PRECOMPILE AND folder STREQUAL "base")
    target_precompile_headers(fa2bench_base PRIVATE ${fa2bench_precompiled} <fmt/format.h>)
  elseif(FA2BENCH_PRECOMPILE)
    target_precompile_headers(fa2bench_${folder} REUSE_FROM fa2bench_base)
    target_compile_definitions(fa2bench_${folder} PRIVATE
      $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
  endif()
endfunction()
