# The WebAssembly module: nestplan.js (an ES module) and nestplan.wasm, bindings from wasm/.
# Flags that Emscripten 3.1.6 (Debian 12) and current releases both accept.
file(GLOB sources CONFIGURE_DEPENDS wasm/*.cpp)
if(NOT sources)
  message(STATUS "wasm/ has no sources yet: no module")
  return()
endif()
add_executable(nestplan ${sources})
target_link_libraries(nestplan PRIVATE nestplan_io nestplan_warnings)
target_compile_definitions(nestplan PRIVATE NESTPLAN_VERSION="${PROJECT_VERSION}")
target_link_options(nestplan PRIVATE
  -lembind -sMODULARIZE -sEXPORT_ES6 -sENVIRONMENT=web,worker -sALLOW_MEMORY_GROWTH
  -sFILESYSTEM=0
  -sDYNAMIC_EXECUTION=0)  # no eval: runs under script-src 'self' 'wasm-unsafe-eval'
if(EMSCRIPTEN_VERSION VERSION_GREATER_EQUAL 3.1.27)
  target_link_options(nestplan PRIVATE -sSTACK_SIZE=5MB)  # what 3.1.6 gives; later default: 64 KB
endif()
