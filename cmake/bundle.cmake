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
# The terms on which they are passed on, and what is compiled into the command, as Debian states them of its packages.
find_program(dpkg_query dpkg-query)
if(dpkg_query)
  set(names "*/DejaVuSans.ttf")
  foreach(library ${libraries})
    if(NOT IS_SYMLINK ${library})
      get_filename_component(name ${library} NAME)
      list(APPEND names "*/${name}")
    endif()
  endforeach()
  execute_process(COMMAND ${dpkg_query} -S ${names} OUTPUT_VARIABLE found ERROR_QUIET)
  string(REGEX MATCHALL "(^|\n)[^:\n]+" owners "${found}")
  foreach(owner ${owners} liblpsolve55-dev libcli11-dev nlohmann-json3-dev libboost1.74-dev)
    string(STRIP ${owner} owner)
    file(COPY_FILE /usr/share/doc/${owner}/copyright ${KASC_BUNDLE_LICENCES}/${owner} RESULT ignored)
  endforeach()
endif()
foreach(library ${libraries})
  if(NOT IS_SYMLINK ${library})
    execute_process(COMMAND ${KASC_PATCHELF} --set-rpath $ORIGIN ${library} COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()
