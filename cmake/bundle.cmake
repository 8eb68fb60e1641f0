# Copies the shared libraries that the command needs next to its own, but for those that every Linux with glibc has (its
# glibc must be at least as new as the one it was built with), and lets each find the others beside it.
file(GET_RUNTIME_DEPENDENCIES
  EXECUTABLES ${KASC_BUNDLE_COMMAND}
  RESOLVED_DEPENDENCIES_VAR found
  UNRESOLVED_DEPENDENCIES_VAR unknown
  CONFLICTING_DEPENDENCIES_PREFIX twice  # here already, and where a library that is new was found
  POST_EXCLUDE_REGEXES "/(ld-linux.*|libc|libm|libdl|libpthread|librt|libresolv)\\.so")
if(unknown)
  message(FATAL_ERROR "libraries not found: ${unknown}")
endif()
foreach(library ${found})
  get_filename_component(name ${library} NAME)
  if(NOT EXISTS ${KASC_BUNDLE_LIBRARIES}/${name})
    file(INSTALL ${library} DESTINATION ${KASC_BUNDLE_LIBRARIES} FOLLOW_SYMLINK_CHAIN)
  endif()
endforeach()
# What the programs of share/kasc/built need beside FFTW, which has another licence and is the machine's own.
execute_process(COMMAND ${KASC_BUNDLE_COMPILER} -print-file-name=libgomp.so.1 OUTPUT_VARIABLE openmp
                OUTPUT_STRIP_TRAILING_WHITESPACE)
if(IS_ABSOLUTE "${openmp}")
  file(INSTALL ${openmp} DESTINATION ${KASC_BUNDLE_LIBRARIES} FOLLOW_SYMLINK_CHAIN)
endif()
file(GLOB libraries ${KASC_BUNDLE_LIBRARIES}/*.so*)
foreach(library ${libraries})
  if(NOT IS_SYMLINK ${library})
    execute_process(COMMAND ${KASC_PATCHELF} --set-rpath $ORIGIN ${library} COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()
