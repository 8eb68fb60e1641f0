# The element library's functions as C++, for the emulator, written anew when a file of the library changes.
add_executable(write_elementlib_code ${PROJECT_SOURCE_DIR}/tests/support/write_elementlib_code.cpp)
target_link_libraries(write_elementlib_code PRIVATE kasc_library fmt::fmt kasc_options)
file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/elementlib/stream/*.cu ${PROJECT_SOURCE_DIR}/elementlib/stream/*.cuh)
set(made ${CMAKE_CURRENT_BINARY_DIR}/elementlib)
file(MAKE_DIRECTORY ${made})
add_custom_command(OUTPUT ${made}/elementlib_code.hpp ${made}/elementlib_table.hpp
  COMMAND write_elementlib_code ${PROJECT_SOURCE_DIR}/elementlib/stream ${made} DEPENDS ${files} write_elementlib_code)
target_sources(unit_patterns PRIVATE ${made}/elementlib_code.hpp ${made}/elementlib_table.hpp)
