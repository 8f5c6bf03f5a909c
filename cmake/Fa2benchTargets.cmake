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
endfunction()
