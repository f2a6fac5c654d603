# One test program per room, so that a room can be tested while a later one does not compile;
# beside them the suites that use everything. They run in the repository root.
if(EMSCRIPTEN)
  # GoogleTest's source, built with em++ like the rest (Debian: libgtest-dev).
  find_path(GOOGLETEST_SOURCE googletest/src/gtest-all.cc PATHS /usr/src/googletest REQUIRED
    NO_CMAKE_FIND_ROOT_PATH)
  add_library(nestplan_gtest STATIC
    ${GOOGLETEST_SOURCE}/googletest/src/gtest-all.cc
    ${GOOGLETEST_SOURCE}/googletest/src/gtest_main.cc)
  target_include_directories(nestplan_gtest SYSTEM
    PUBLIC ${GOOGLETEST_SOURCE}/googletest/include PRIVATE ${GOOGLETEST_SOURCE}/googletest)
  target_link_options(nestplan_gtest INTERFACE -sEXIT_RUNTIME -sALLOW_MEMORY_GROWTH)
  # The test programs are CommonJS, in a folder that says so.
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  file(WRITE ${CMAKE_BINARY_DIR}/tests/package.json "{ \"type\": \"commonjs\" }\n")
  set(rooms base model topology cost search baselines plan)
else()
  find_package(GTest REQUIRED)
  add_library(nestplan_gtest INTERFACE)
  target_link_libraries(nestplan_gtest INTERFACE GTest::gtest GTest::gtest_main)
  set(rooms base model topology cost search baselines plan io cli)
endif()
include(GoogleTest)

# nestplan_suite(NAME FOLDER LIBRARY): the program NAME_tests from the sources in FOLDER, if any.
function(nestplan_suite name folder library)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(${name}_tests ${sources})
  target_link_libraries(${name}_tests
    PRIVATE ${library} nestplan_json nestplan_gtest nestplan_warnings)
  target_include_directories(${name}_tests PRIVATE tests)
  target_compile_definitions(${name}_tests PRIVATE NESTPLAN_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  if(EMSCRIPTEN)  # 3.1.6 prefers fetch on a file path, which Node 18 and later refuse
    add_test(NAME ${name}_tests
      COMMAND node --no-experimental-fetch $<TARGET_FILE:${name}_tests>)
  else()
    target_link_libraries(${name}_tests PRIVATE nestplan_presets)
    gtest_discover_tests(${name}_tests
      WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60)
  endif()
endfunction()

foreach(room IN LISTS rooms)
  nestplan_suite(${room} tests/core/${room} nestplan_${room})
endforeach()
if(NOT EMSCRIPTEN)
  nestplan_suite(golden tests/golden nestplan_cli)
  nestplan_suite(published tests/published nestplan_cli)
endif()
