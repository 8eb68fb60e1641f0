# An installation can be moved as a whole: the command finds its library by $ORIGIN and its data beside it.
include(GNUInstallDirs)
option(KASC_PREBUILT "Install programs of common k-Wave simulations, built for x86-64-v3: four minutes on two cores, 12 MB" OFF)
option(KASC_BUNDLE "Install the shared libraries that other Linux machines lack as well" OFF)

set_target_properties(kasc_command PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
set_target_properties(kasc PROPERTIES INSTALL_RPATH "$ORIGIN")
install(TARGETS kasc_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(PROGRAMS ${PROJECT_SOURCE_DIR}/compiler/command/kwave/kasc-kwave DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS kasc EXPORT kasc LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/kasc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/elementlib ${PROJECT_SOURCE_DIR}/devices ${PROJECT_SOURCE_DIR}/support
        DESTINATION ${CMAKE_INSTALL_DATADIR}/kasc)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/kasc/examples FILES_MATCHING PATTERN "*.kas")
# Help and man pages name pages of docs/.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/kasc)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/kasc FILES_MATCHING PATTERN "*.md")

# find_package(kasc 0.2): below 1.0 the second number says whether a program goes on as it is.
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/kascConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT kasc NAMESPACE kasc:: FILE kascConfig.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/kasc)
install(FILES ${PROJECT_BINARY_DIR}/kascConfigVersion.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/kasc)
include(cmake/help.cmake)

# They are built by the machine's own C++ compiler and FFTW, as kasc itself does when it runs; of other architectures there
# are none (docs/cache.md).
if(KASC_PREBUILT AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  install(CODE "
    set(built \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/kasc/built\")
    file(REMOVE_RECURSE \"\${built}\")  # what another version left
    message(STATUS \"Building common k-Wave simulations\")
    execute_process(COMMAND ${CMAKE_COMMAND} -E env KASC_DATA=${PROJECT_SOURCE_DIR} \"$<TARGET_FILE:kasc_command>\"
                            kwave-prepare --into \"\${built}\" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)")
endif()

if(KASC_BUNDLE)
  find_program(PATCHELF patchelf REQUIRED)
  # Letters of pictures, where the machine has none (compiler/command/fonts.hpp).
  find_file(KASC_FONT DejaVuSans.ttf PATHS /usr/share/fonts/truetype/dejavu REQUIRED)
  install(FILES ${KASC_FONT} ${PROJECT_SOURCE_DIR}/packaging/fonts.conf DESTINATION ${CMAKE_INSTALL_DATADIR}/kasc/fonts)
  if(TARGET make_tissue)
    set_target_properties(make_tissue PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
    install(TARGETS make_tissue RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
  install(CODE "
    set(KASC_BUNDLE_LIBRARIES \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}\")
    set(KASC_BUNDLE_COMMAND \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/kasc\")
    set(KASC_BUNDLE_COMPILER \"${CMAKE_CXX_COMPILER}\")
    set(KASC_BUNDLE_LICENCES \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/doc/kasc/licences\")
    file(MAKE_DIRECTORY \"\${KASC_BUNDLE_LICENCES}\")
    set(KASC_PATCHELF \"${PATCHELF}\")
    include(\"${PROJECT_SOURCE_DIR}/cmake/bundle.cmake\")")
endif()
