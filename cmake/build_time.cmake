# How long a build takes is what newcomers wait for. Most of a small file's time goes into templates that its neighbours
# instantiate as well, so some files are compiled as one: a build takes a third of the time (docs/architecture.md). Files
# include what they use all the same, and names in their unnamed namespaces differ within a stage; `tests/fuzz/fuzz.sh 300
# compile` reads each file by itself and finds the one that does not. While working on few files, KASC_UNITY=OFF rebuilds less.
option(KASC_UNITY "Compile several files as one" ON)
set(CMAKE_UNITY_BUILD ${KASC_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 20)

# What nearly every file includes of the standard library, read once for all: that takes a quarter off a build. Files include
# what they use all the same; `tests/fuzz/fuzz.sh 300 compile`, which reads each by itself, finds the one that does not.
option(KASC_PRECOMPILE "Read headers of the standard library once for all files" ON)
set(kasc_standard_headers
  <algorithm> <array> <cmath> <cstdint> <filesystem> <fstream> <functional> <limits> <map> <memory> <numeric> <optional>
  <set> <sstream> <string> <string_view> <unordered_map> <utility> <variant> <vector> <fmt/format.h> <fmt/ranges.h>)

# Files of `target` and of those that give it as OWNER, whose compiler options must be its own, see the standard headers and
# those that are named.
function(kasc_precompile target)
  cmake_parse_arguments(precompile "" "OWNER" "" ${ARGN})
  if(NOT KASC_PRECOMPILE)
    return()
  endif()
  if(precompile_OWNER AND NOT precompile_OWNER STREQUAL target)
    target_precompile_headers(${target} REUSE_FROM ${precompile_OWNER})
  else()
    target_precompile_headers(${target} PRIVATE ${kasc_standard_headers} ${precompile_UNPARSED_ARGUMENTS})
  endif()
endfunction()
