# `cmake --install`: the library, its headers under fencecheck/, the command, and a package for find_package.
include(CMakePackageConfigHelpers)

install(TARGETS fencecheck_lib EXPORT fencecheck-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS fencecheck RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES fencecheck.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fencecheck)
foreach(part model explorer properties report cli)
  install(DIRECTORY ${part} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fencecheck FILES_MATCHING PATTERN "*.h")
endforeach()
install(EXPORT fencecheck-targets NAMESPACE fencecheck:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/fencecheck)

configure_package_config_file(cmake/fencecheck-config.cmake.in ${PROJECT_BINARY_DIR}/fencecheck-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/fencecheck)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/fencecheck-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/fencecheck-config.cmake ${PROJECT_BINARY_DIR}/fencecheck-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/fencecheck)
