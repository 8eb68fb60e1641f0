#pragma once
// A first look into a file that a stranger wrote: opened by a child process, which leaves what it sees in shared
// memory.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "foundation/outcome.hpp"
#include "runtime/hdf5/file_stamp.hpp"
#include "runtime/hdf5/handle.hpp"
#include "runtime/hdf5/survey.hpp"
#include "runtime/processes/shared_memory.hpp"

namespace kasc::runtime {

struct Looked {
    SharedMemory memory;
    FileStamp stamp;
};

/// `look` runs in a child, on zeroed memory of so many bytes; what it leaves there may be led astray by damaged bytes
/// and is not to be trusted. K0701 to K0703: no such file, not HDF5, damaged; K0711: no memory or process for it.
[[nodiscard]] Outcome<Looked> look_into(const std::string& path, const Purpose& purpose, std::size_t bytes,
                                        const std::function<void(hid_t file, std::byte* memory)>& look);

}  // namespace kasc::runtime
