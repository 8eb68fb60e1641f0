# A package for Debian: `cpack --config build/CPackConfig.cmake` writes kasc_<version>_<architecture>.deb. It holds what
# `cmake --install` does; which libraries it needs is found in the files themselves (dpkg-shlibdeps).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME kasc)
set(CPACK_PACKAGE_VENDOR "kasc")
set(CPACK_PACKAGE_CONTACT "kasc developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "kernel-fusion source-to-source compiler for CUDA")
set(CPACK_PACKAGE_DESCRIPTION "kasc fuses a numerical pipeline, written as a short program of elementary operations, into few CUDA
kernels, and runs it on a GPU or a CPU. The package holds the command, libkasc with its header, the library of elementary
functions, device files and example programs.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# `kasc run` on a CPU builds what it emits: with a compiler, and with FFTW where the program transforms.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++, libfftw3-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, ffmpeg, openmpi-bin")
# What Debian wants beside: its folder for zsh, packed man pages, copyright and changes where it looks for them.
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/debian.cmake)
set(CPACK_KASC_SOURCE ${PROJECT_SOURCE_DIR})
include(CPack)
