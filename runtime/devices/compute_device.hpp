#pragma once
// What computes: memory, kernels by name, transforms, in the order in which they are asked for. A run of a host plan
// (compiler/execute) is written against this alone; a GPU does it by the driver, cuFFT and NVRTC (cuda_device.hpp), a
// CPU by a library of the same kernels (cpu_device.hpp).
//
// Calls after a failure do nothing; fault() is of the first. Addresses are the device's: only it may read what is
// there.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "foundation/byte_range.hpp"
#include "foundation/cell_type.hpp"
#include "runtime/processes/communicator.hpp"

namespace kasc::runtime {

/// Threads of a block or blocks of a grid along x, y, z.
struct LaunchShape {
    long long x = 1, y = 1, z = 1;
};

/// The blocks of a launch that one rank runs: `blocks` of them from `first` on.
struct LaunchShare {
    LaunchShape first{0, 0, 0}, blocks;
};

/// Where the bytes of an array lie that several ranks have.
struct ArrayParts {
    /// Bytes before ends[r], and not before ends[r - 1], lie on rank r. They are multiples of what the device's memory
    /// is made of, the last not before the array's (ranks::cut_pages).
    std::vector<std::uint64_t> ends;
    /// By rank, in the same multiples: what it has copies of, of others' parts. Empty: nobody has any.
    std::vector<std::vector<ByteRange>> copies{};
};

/// A discrete Fourier transform along axes that stand beside each other, not scaled.
struct TransformShape {
    CellType from = CellType::float32, to = CellType::complex64;
    std::vector<long long> lengths;  ///< the slowest first; of a real side: its own
    long long inner = 1;             ///< cells from one to the next along the fastest of them
    long long outer = 1;             ///< arrays of that, one after another

    friend bool operator==(const TransformShape&, const TransformShape&) = default;
};

/// Lines of a transform along one of its axes: of the arrays [outer_low, outer_high) that they make, the columns
/// [column_low, column_high) (ranks/passes.hpp).
struct TransformPart {
    std::size_t axis = 0;  ///< of the lengths
    long long outer_low = 0, outer_high = 0, column_low = 0, column_high = 0;
};

/// A list of so many entries in so many cells.
struct ListShape {
    long long entries = 0, cells = 0;

    friend bool operator==(const ListShape&, const ListShape&) = default;
};

/// Bytes of an array, or of room for messages.
struct DeviceBytes {
    std::byte* at = nullptr;
    std::uint64_t bytes = 0;
};

/// Messages to other processes, and from them.
enum class MessageWay { out, in };
/// Whose memory they lie in: what a communicator can read and write.
enum class MessageMemory { host, device };

/// What a transform computes with each cell in place of storing it.
struct StoredFunction {
    std::string name;                  ///< of the function; <name>_give and <name>_behind are kernels beside it
    std::uint64_t argument_bytes = 0;  ///< at most: of the struct that the function is given
    long long cells = 0;               ///< that it is called for
};

class ComputeDevice {
public:
    virtual ~ComputeDevice() = default;

    [[nodiscard]] virtual const std::string& fault() const = 0;  ///< empty: none so far
    /// Arrays of the host are the device's own: nothing is copied to have them there.
    [[nodiscard]] virtual bool shares_host_memory() const = 0;

    /// Taken until the device goes; what is there is anything. Null after a failure.
    [[nodiscard]] virtual std::byte* take(const std::string& name, std::uint64_t bytes) = 0;
    virtual void copy(std::byte* to, const std::byte* from, std::uint64_t bytes) = 0;
    virtual void zero(std::byte* to, std::uint64_t bytes) = 0;
    virtual void upload(std::byte* to, const void* values, std::uint64_t bytes) = 0;
    /// Waits until they are there.
    virtual void download(void* values, const std::byte* from, std::uint64_t bytes) = 0;

    /// Blocks of a grid along y and along z, at most.
    [[nodiscard]] virtual long long most_blocks_across() const = 0;
    /// A number for launch; a kernel that is not there is a failure. `dynamic_shared_bytes`: what each block of its
    /// launches has besides the shared memory that was laid out when it was compiled.
    [[nodiscard]] virtual std::size_t find_kernel(const std::string& name, int dynamic_shared_bytes = 0) = 0;
    /// `arguments`: of each the address of its value.
    virtual void launch(std::size_t kernel, const LaunchShape& grid, const LaunchShape& block,
                        void* const* arguments) = 0;

    /// Ranks share the work, such as GPUs of one host. All of them may read and write all arrays. Each has two lanes,
    /// rank r the lanes r and ranks() + r; the second is served first. A lane does what it is asked for in order; what
    /// others do stands in no order with that, but by mark() and await(). Copies and zeros are done by all ranks, each
    /// of its part, in their first lanes; uploads, downloads and timing await all; all else that names no lane is lane
    /// 0's. Kernels of a device of several ranks are launched by launch_share() alone.
    [[nodiscard]] virtual int ranks() const { return 1; }
    /// Bytes that parts of arrays are multiples of.
    [[nodiscard]] virtual std::uint64_t page_bytes() const { return gpu_page_bytes; }
    [[nodiscard]] virtual std::byte* take_cut(const std::string& name, std::uint64_t bytes,
                                              const ArrayParts& /*parts*/) {
        return take(name, bytes);
    }
    /// What the rank has copies of, and where it finds such an array with its copies in place of what others have. An
    /// array without copies it finds where all do. What is stored there, but not in the copies, all find.
    [[nodiscard]] virtual const std::vector<ByteRange>& copies(int /*rank*/, const std::byte* /*array*/) const {
        static const std::vector<ByteRange> none;
        return none;
    }
    [[nodiscard]] virtual std::byte* seen_by(int /*rank*/, std::byte* array) const { return array; }
    /// In the lane: these bytes of its rank's copies are what the array has.
    virtual void renew(int /*lane*/, const std::byte* /*array*/, const ByteRange& /*bytes*/) {}
    /// `arguments`: of each the address of its value, of 8 bytes with what follows it.
    virtual void launch_share(int lane, std::size_t kernel, const LaunchShare& share, const LaunchShape& block,
                              const std::vector<void*>& arguments) = 0;
    /// What the lane was asked for until now is what others await from now on.
    virtual void mark(int /*lane*/) {}
    virtual void await(int /*lane*/, int /*marked*/) {}

    /// Called by a process among several, which send each other pieces of arrays (device_messages.hpp), for what it
    /// touches of an array that is cut, before it does. What it stores by copy(), zero() and upload() need not be said.
    virtual void hold(const std::byte* /*from*/, std::uint64_t /*bytes*/) {}
    /// The lane of a process' device that messages are exchanged in.
    static constexpr int lane_of_messages = 1;
    /// As Communicator::exchange(), by the devices themselves, in the lane of messages. False: they cannot.
    [[nodiscard]] virtual bool exchange(const std::vector<Message>& /*messages*/) { return false; }
    /// That exchange() has taken in the lane of messages; waits for it.
    [[nodiscard]] virtual double exchange_seconds() { return 0; }
    /// Room for so many bytes of messages; what was there is lost. Null after a failure.
    [[nodiscard]] virtual std::byte* message_room(MessageWay way, std::uint64_t bytes, MessageMemory memory);
    /// The pieces behind each other, from where they lie to such a room: they are there when await_messages() returns.
    virtual void gather(std::byte* to, const std::vector<DeviceBytes>& from);
    /// And back: the room is read until await_messages() returns.
    virtual void scatter(const std::vector<DeviceBytes>& to, const std::byte* from);
    /// Waits for the lane of messages.
    virtual void await_messages() { synchronise(); }

    /// The device knows transforms that compute a function of each cell in place of storing it.
    [[nodiscard]] virtual bool stores_functions() const = 0;
    /// A number for transform(). Transforms take turns: one work area serves them all, taken by ready_transforms().
    [[nodiscard]] virtual std::size_t add_transform(const TransformShape& shape) = 0;
    [[nodiscard]] virtual std::size_t add_storing_transform(const TransformShape& shape,
                                                            const StoredFunction& function) = 0;
    /// A number for order(), runs() and starts(). One work area serves all lists as well, taken by ready_transforms().
    [[nodiscard]] virtual std::size_t add_list(const ListShape& shape) = 0;
    virtual void ready_transforms() = 0;
    /// What `from` holds is lost where the transform goes from complex to real.
    virtual void transform(std::size_t number, std::byte* to, std::byte* from, bool forward) = 0;
    /// Lines along one of its axes; all parts of all axes in order are the transform. Of devices of one rank.
    virtual void transform_part(std::size_t /*number*/, std::byte* /*to*/, std::byte* /*from*/, bool /*forward*/,
                                const TransformPart& /*part*/) {
        throw std::logic_error("the device computes whole transforms");
    }
    /// `arguments`: as <name>_give takes them behind the struct's address. `to` is the transform's to use.
    virtual void storing_transform(std::size_t number, std::byte* to, std::byte* from, bool forward,
                                   const std::vector<void*>& arguments) = 0;

    /// to: the entry at each place, ordered by cell. from: of each entry its cell, or the number of cells.
    virtual void order(std::size_t number, std::byte* to, const std::byte* from) = 0;
    /// to: which places cells have (Direction::runs, frontend/program.hpp). from: the cell at each place, ascending.
    virtual void runs(std::size_t number, std::byte* to, const std::byte* from) = 0;
    /// to: where cells begin, by tile (Direction::starts). from: as of runs().
    virtual void starts(std::size_t number, std::byte* to, const std::byte* from) = 0;

    /// `launches` depend on nothing but `arrays`: a device may replay what it did on the same arrays before. `group`
    /// tells such groups apart.
    virtual void repeat(std::size_t group, const std::vector<std::byte*>& arrays,
                        const std::function<void()>& launches) = 0;

    virtual void synchronise() = 0;
    virtual void begin_timing() = 0;
    /// Seconds since then, of the device; waits for it.
    [[nodiscard]] virtual double end_timing() = 0;

private:
    std::array<std::vector<std::byte>, 2> rooms_;  ///< by way, of devices that have none of their own
};

}  // namespace kasc::runtime
