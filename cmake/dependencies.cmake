# Debian 12's packages; docs/dependencies.md says what each is for. Where a package has no CMake file, its parts are found by name.
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Boost REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PNG REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(HDF5 REQUIRED COMPONENTS C)
find_package(Threads REQUIRED)

find_path(ANTLR4_INCLUDE antlr4-runtime.h PATH_SUFFIXES antlr4-runtime REQUIRED)
find_library(ANTLR4_LIBRARY antlr4-runtime REQUIRED)
find_program(ANTLR4_TOOL antlr4 REQUIRED)

find_path(MUPARSERX_INCLUDE mpParser.h PATH_SUFFIXES muparserx REQUIRED)
find_library(MUPARSERX_LIBRARY muparserx REQUIRED)
add_library(kasc_muparserx INTERFACE)
target_include_directories(kasc_muparserx SYSTEM INTERFACE ${MUPARSERX_INCLUDE})
target_link_libraries(kasc_muparserx INTERFACE ${MUPARSERX_LIBRARY})

# lp_solve: the position-independent archive, which needs colamd and dl.
find_path(LPSOLVE_INCLUDE lpsolve/lp_lib.h REQUIRED)
find_library(LPSOLVE_LIBRARY lpsolve55_pic REQUIRED)
find_library(COLAMD_LIBRARY colamd REQUIRED)
add_library(kasc_lpsolve INTERFACE)
target_include_directories(kasc_lpsolve SYSTEM INTERFACE ${LPSOLVE_INCLUDE})
target_link_libraries(kasc_lpsolve INTERFACE ${LPSOLVE_LIBRARY} ${COLAMD_LIBRARY} ${CMAKE_DL_LIBS})

# Clp: relaxations that grow column by column, which lp_solve would solve from the start each time.
find_path(CLP_INCLUDE coin/ClpSimplex.hpp REQUIRED)
find_library(CLP_LIBRARY Clp REQUIRED)
find_library(COINUTILS_LIBRARY CoinUtils REQUIRED)
add_library(kasc_clp INTERFACE)
target_include_directories(kasc_clp SYSTEM INTERFACE ${CLP_INCLUDE}/coin)
target_link_libraries(kasc_clp INTERFACE ${CLP_LIBRARY} ${COINUTILS_LIBRARY})

find_path(CAIRO_INCLUDE cairo-svg.h PATH_SUFFIXES cairo REQUIRED)
find_library(CAIRO_LIBRARY cairo REQUIRED)
add_library(kasc_cairo INTERFACE)
target_include_directories(kasc_cairo SYSTEM INTERFACE ${CAIRO_INCLUDE})
target_link_libraries(kasc_cairo INTERFACE ${CAIRO_LIBRARY})

find_path(HDF5_INCLUDE hdf5.h PATHS ${HDF5_INCLUDE_DIRS} REQUIRED)
add_library(kasc_hdf5 INTERFACE)
target_include_directories(kasc_hdf5 SYSTEM INTERFACE ${HDF5_INCLUDE_DIRS})
target_link_libraries(kasc_hdf5 INTERFACE ${HDF5_LIBRARIES})

# Runs of several processes (docs/ranks.md). Without it all else is as it is.
option(KASC_MPI "Runs of several processes, by MPI where it is found" ON)
if(KASC_MPI)
  find_package(MPI COMPONENTS C)
endif()
