# The starter project of `fencecheck init` is examples/own_design, compiled in: what is tested is what is written.
set(starter_entries "")
foreach(file CMakeLists.txt README.md claims_test.cpp main.cpp my_store.h)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
               ${PROJECT_SOURCE_DIR}/examples/own_design/${file})
  file(READ ${PROJECT_SOURCE_DIR}/examples/own_design/${file} content)
  string(APPEND starter_entries "    {\"${file}\", R\"starter(${content})starter\"},\n")
endforeach()

# So is the design file of `fencecheck init FILE.toml --engine KIND`.
set(starter_stores "")
foreach(engine sqlite postgresql redis etcd zookeeper)
  set(file ${PROJECT_SOURCE_DIR}/examples/stores/starter-${engine}.toml)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} content)
  string(APPEND starter_stores "    {\"${engine}\", R\"starter(${content})starter\"},\n")
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/cmake/starter_files.h.in ${PROJECT_BINARY_DIR}/generated/starter_files.h @ONLY)
