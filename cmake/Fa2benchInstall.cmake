# SPDX-License-Identifier: MIT
# What a user gets: the tool, the bundled shims, the shim author's header, configs and schemas.
# The tool finds its shims relative to itself (../lib/ferrum-fa2-bench), so the place is fixed and
# not CMAKE_INSTALL_LIBDIR, and the whole tree can be moved.
set(fa2bench_shim_dir lib/ferrum-fa2-bench)
set(fa2bench_data_dir ${CMAKE_INSTALL_DATADIR}/ferrum-fa2-bench)

# `ninja product` builds what is installed and nothing else.
add_custom_target(product)

if(TARGET ferrum-fa2-bench)
  install(TARGETS ferrum-fa2-bench RUNTIME DESTINATION bin)
  add_dependencies(product ferrum-fa2-bench)
endif()
foreach(shim ferrum_fa2_shim_cpu ferrum_fa2_shim_cuda)
  if(TARGET ${shim})
    install(TARGETS ${shim} LIBRARY DESTINATION ${fa2bench_shim_dir})
    add_dependencies(product ${shim})
  endif()
endforeach()

install(FILES src/abi/ferrum_fa2_shim.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY configs/ DESTINATION ${fa2bench_data_dir}/configs
        FILES_MATCHING PATTERN "*.json" PATTERN "*.schema.json" EXCLUDE)
install(FILES configs/config.schema.json src/result/result.schema.json
              src/result/selftest.schema.json src/result/comparison.schema.json
        DESTINATION ${fa2bench_data_dir}/schemas)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
