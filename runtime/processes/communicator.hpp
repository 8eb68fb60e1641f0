#pragma once
// Processes that run one program together, each a rank among them. All of them make the same calls in the same order.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kasc::runtime {

/// Bytes that go to another rank, or come from it, and as many in `rows` - 1 further rows that begin `apart` bytes
/// after each other.
struct Message {
    int other = 0;
    bool sends = false;
    std::byte* at = nullptr;
    std::uint64_t bytes = 0;
    std::int64_t rows = 1, apart = 0;
};

/// What a rank has exchanged of arrays, for the report.
struct Exchanged {
    std::string way;  ///< that messages went; empty: there were none
    std::uint64_t times = 0, bytes_sent = 0;
    double seconds = 0;  ///< that they took, others' being late included
};

class Communicator {
public:
    virtual ~Communicator() = default;
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    [[nodiscard]] virtual int rank() const = 0;
    [[nodiscard]] virtual int ranks() const = 0;
    /// Those of them that are on this machine, this one among them.
    [[nodiscard]] virtual int on_this_machine() const { return ranks(); }
    /// Which of these this one is.
    [[nodiscard]] virtual int number_on_this_machine() const { return rank(); }
    /// Messages may lie in memory of a GPU.
    [[nodiscard]] virtual bool takes_device_memory() const { return false; }
    /// All of them at the same time; between two ranks they are taken in the order in which each of the two names them.
    /// Returns when they have gone and come.
    virtual void exchange(const std::vector<Message>& messages) = 0;
    /// From rank 0 to all others.
    virtual void broadcast(void* values, std::uint64_t bytes) = 0;
    /// What each rank has, by rank; this one has `own`.
    [[nodiscard]] virtual std::vector<std::vector<std::byte>> gather(const std::vector<std::byte>& own) = 0;
    /// Ends all processes, wherever they are.
    [[noreturn]] virtual void abort(int status) = 0;
    /// Kept by who exchanges arrays (DeviceMessages).
    [[nodiscard]] Exchanged& exchanged() { return exchanged_; }

protected:
    Communicator() = default;

private:
    Exchanged exchanged_;
};

/// The same text on all ranks, rank 0's.
[[nodiscard]] std::string broadcast_text(Communicator& ranks, std::string text);
/// What each rank says, by rank.
[[nodiscard]] std::vector<std::string> gather_texts(Communicator& ranks, const std::string& own);

}  // namespace kasc::runtime
