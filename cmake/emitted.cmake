# kasc_add_emitted(target options program…): programs that kasc compiles for the CPU, as sources of a target. `options` are
# what the emitted code is compiled with. A program's header is found by its name: #include "heat3d.h".
function(kasc_add_emitted target options)
  foreach(program ${ARGN})
    get_filename_component(name ${program} NAME_WE)
    set(emitted ${CMAKE_CURRENT_BINARY_DIR}/${name})
    add_custom_command(
      OUTPUT ${emitted}/${name}.cpp ${emitted}/${name}.h
      COMMAND kasc_command compile ${program} --target cpu -o ${emitted} > ${CMAKE_CURRENT_BINARY_DIR}/${name}.log
      DEPENDS kasc_command ${program} ${PROJECT_SOURCE_DIR}/support/kasc_cpu.hpp
              ${PROJECT_SOURCE_DIR}/support/kasc_crew.hpp ${PROJECT_SOURCE_DIR}/support/kasc_planes.hpp ${PROJECT_SOURCE_DIR}/support/kasc_rooms.hpp
              ${PROJECT_SOURCE_DIR}/support/kasc_calls.hpp
              ${PROJECT_SOURCE_DIR}/support/kasc_integers.hpp ${PROJECT_SOURCE_DIR}/support/kasc_half.h
              ${PROJECT_SOURCE_DIR}/support/kasc_quotients.hpp
              ${PROJECT_SOURCE_DIR}/support/kasc_random.hpp
              ${PROJECT_SOURCE_DIR}/support/kasc_pieces.hpp ${PROJECT_SOURCE_DIR}/support/kasc_transforms.hpp)
    set_source_files_properties(${emitted}/${name}.cpp PROPERTIES COMPILE_OPTIONS "${options}")
    target_sources(${target} PRIVATE ${emitted}/${name}.cpp)
    target_include_directories(${target} PRIVATE ${emitted})
  endforeach()
endfunction()
