# The command line tool, with the presets in its binary.
find_program(NODE node REQUIRED)
file(GLOB_RECURSE preset_files CONFIGURE_DEPENDS presets/*.json)
add_custom_command(
  OUTPUT ${CMAKE_BINARY_DIR}/presets.json ${CMAKE_BINARY_DIR}/embedded_presets.cpp
  COMMAND ${NODE} scripts/bundle_presets.mjs ${CMAKE_BINARY_DIR}/presets.json
          --cpp ${CMAKE_BINARY_DIR}/embedded_presets.cpp
  DEPENDS scripts/bundle_presets.mjs ${preset_files}
  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
  VERBATIM)
add_library(nestplan_presets STATIC ${CMAKE_BINARY_DIR}/embedded_presets.cpp)

nestplan_room(cli nestplan_io nestplan_presets)
if(EXISTS ${CMAKE_SOURCE_DIR}/core/cli/main.cpp)
  add_executable(nestplan core/cli/main.cpp)
  target_link_libraries(nestplan PRIVATE nestplan_cli nestplan_warnings)
  target_compile_definitions(nestplan PRIVATE NESTPLAN_VERSION="${PROJECT_VERSION}")
endif()

if(NESTPLAN_BENCH)
  find_package(benchmark REQUIRED)
  file(GLOB sources CONFIGURE_DEPENDS tests/bench/*.cpp)
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM name)
    add_executable(${name} ${source})
    target_link_libraries(${name} PRIVATE nestplan_cli nestplan_warnings benchmark::benchmark_main)
  endforeach()
endif()

if(NESTPLAN_FUZZ)
  file(GLOB sources CONFIGURE_DEPENDS tests/fuzz/*.cpp)
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM name)
    add_executable(${name} ${source})
    target_link_libraries(${name} PRIVATE nestplan_cli nestplan_warnings)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  endforeach()
endif()
