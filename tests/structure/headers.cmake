# SPDX-License-Identifier: MIT
# One translation unit per header of src, so that each compiles alone, and twice in one unit.
# The build is the test. A glob, because a list could forget the header that needs it.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/src
     ${PROJECT_SOURCE_DIR}/src/*.h ${PROJECT_SOURCE_DIR}/src/*.hpp ${PROJECT_SOURCE_DIR}/src/*.cuh)

set(units_c)
set(units_cxx20)
set(units_cxx17)  # headers that say that a .cu reaches them
set(units_cuda)
foreach(header IN LISTS headers)
  string(MAKE_C_IDENTIFIER ${header} name)
  set(unit ${CMAKE_CURRENT_BINARY_DIR}/headers/${name})
  set(text "#include \"${header}\"\n#include \"${header}\"  // guarded\n")
  file(STRINGS ${PROJECT_SOURCE_DIR}/src/${header} reached_by_cu REGEX "C\\+\\+17")
  if(header MATCHES "\\.cuh$")
    set(kinds cuda)
  elseif(header MATCHES "/cuda/" AND NOT FA2BENCH_HAVE_CUDA)
    set(kinds)
  elseif(header MATCHES "\\.h$")
    set(kinds c cxx20)
  elseif(reached_by_cu)
    set(kinds cxx17 cxx20)
  else()
    set(kinds cxx20)
  endif()
  foreach(kind IN LISTS kinds)
    string(REPLACE "cxx" "" suffix ".${kind}.cpp")
    if(kind STREQUAL "c")
      set(suffix ".c")
    elseif(kind STREQUAL "cuda")
      set(suffix ".cu")
    endif()
    # Written only when it changes, so that a reconfigure rebuilds nothing.
    file(CONFIGURE OUTPUT ${unit}${suffix} CONTENT "${text}" @ONLY)
    list(APPEND units_${kind} ${unit}${suffix})
  endforeach()
endforeach()

function(fa2bench_header_units kind language standard)
  if(NOT units_${kind})
    return()
  endif()
  add_library(headers_${kind} OBJECT ${units_${kind}})
  target_include_directories(headers_${kind} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  set_target_properties(headers_${kind} PROPERTIES ${language}_STANDARD ${standard}
                        ${language}_STANDARD_REQUIRED ON ${language}_EXTENSIONS OFF)
  target_link_libraries(headers_${kind} PRIVATE fa2bench_warnings ${ARGN})
  # A header of static functions (one set per instruction set) has no caller here.
  target_compile_options(headers_${kind} PRIVATE
    $<$<NOT:$<COMPILE_LANGUAGE:CUDA>>:-Wno-unused-function>)
endfunction()

set(seen_by_headers fmt::fmt nlohmann_json::nlohmann_json CLI11::CLI11 OpenSSL::Crypto
    PkgConfig::LIBELF Boost::boost)
if(FA2BENCH_HAVE_CUDA)
  list(APPEND seen_by_headers CUDA::toolkit)
  fa2bench_header_units(cuda CUDA 17)
endif()
fa2bench_header_units(c C 11)
fa2bench_header_units(cxx17 CXX 17 ${seen_by_headers})
fa2bench_header_units(cxx20 CXX 20 ${seen_by_headers})
if(TARGET headers_c)
  target_compile_options(headers_c PRIVATE -Wpedantic -Wstrict-prototypes)
endif()
