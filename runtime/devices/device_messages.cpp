// Rank 1 of 3 sends a plane of T and one of q to either side, and is sent as much:
//
//   out   T 10, q 10 for rank 0 | T 19, q 19 for rank 2       gathered, then sent as two messages
//   in    T 9, q 9 of rank 0    | T 20, q 20 of rank 2        two messages, then brought to their places
//
// The bytes between two ranks are in the order in which both name them, and go in rounds, so that rooms stay small: in
// each round the next of them between any two.
#include "runtime/devices/device_messages.hpp"

#include <algorithm>
#include <chrono>
#include <map>

namespace kasc::runtime {

namespace {

/// Between two ranks in one round. Staged in the host's memory, more of it would be no faster.
constexpr std::uint64_t most_at_once = std::uint64_t{32} << 20U;

/// What goes one way between this process and another.
class Stream {
public:
    void add(const Message& m) {
        for (std::int64_t row = 0; row < m.rows; ++row) pieces_.push_back({m.at + row * m.apart, m.bytes});
        left_ += m.bytes * static_cast<std::uint64_t>(m.rows);
    }
    [[nodiscard]] std::uint64_t left() const { return left_; }
    /// The next round's, to the end of `pieces`; how many bytes.
    std::uint64_t next(std::vector<DeviceBytes>& pieces) {
        std::uint64_t taken = 0;
        while (taken < most_at_once && next_ < pieces_.size()) {
            DeviceBytes& piece = pieces_[next_];
            const std::uint64_t bytes = std::min(piece.bytes, most_at_once - taken);
            pieces.push_back({piece.at, bytes});
            piece.at += bytes, piece.bytes -= bytes, taken += bytes;
            if (piece.bytes == 0) ++next_;
        }
        left_ -= taken;
        return taken;
    }

private:
    std::vector<DeviceBytes> pieces_;
    std::size_t next_ = 0;
    std::uint64_t left_ = 0;
};

using Streams = std::map<int, Stream>;  ///< by the other rank

/// One way of one round.
struct Round {
    std::vector<DeviceBytes> pieces;
    std::vector<Message> messages;  ///< with places from the room's beginning
    std::uint64_t bytes = 0;
};

Round next_round(Streams& streams, bool sends) {
    Round round;
    for (auto& [other, stream] : streams) {
        const std::uint64_t bytes = stream.next(round.pieces);
        if (bytes > 0) round.messages.push_back({other, sends, nullptr, bytes});
        round.bytes += bytes;
    }
    return round;
}

void place(std::byte* room, const Round& round, std::vector<Message>& messages) {
    for (Message m : round.messages) {
        m.at = room;
        room += m.bytes;
        messages.push_back(m);
    }
}

bool any_left(const Streams& streams) {
    return std::any_of(streams.begin(), streams.end(), [](const auto& s) { return s.second.left() > 0; });
}

}  // namespace

DeviceMessages::~DeviceMessages() {
    own_.seconds += device_.exchange_seconds();
    Exchanged& all = processes_.exchanged();
    if (own_.times > 0) all.way = own_.way;
    all.times += own_.times;
    all.bytes_sent += own_.bytes_sent;
    all.seconds += own_.seconds;
}

void DeviceMessages::exchange(const std::vector<Message>& messages, Pieces pieces) {
    ++own_.times;
    for (const Message& m : messages) own_.bytes_sent += m.sends ? m.bytes * static_cast<std::uint64_t>(m.rows) : 0;
    const bool of_host = device_.shares_host_memory();
    if (!of_host && device_.exchange(messages)) {
        own_.way = "from GPU to GPU by NCCL";
        return;
    }
    const auto began = std::chrono::steady_clock::now();
    if (of_host) {
        own_.way = "by MPI";
        device_.await_messages();
        if (pieces == Pieces::few)
            processes_.exchange(messages);
        else
            through_rooms(messages, MessageMemory::host);
    } else {
        const bool on_device = processes_.takes_device_memory();
        own_.way = on_device ? "from GPU to GPU by MPI" : "through the host's memory, by MPI";
        through_rooms(messages, on_device ? MessageMemory::device : MessageMemory::host);
    }
    own_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

void DeviceMessages::through_rooms(const std::vector<Message>& messages, MessageMemory memory) {
    Streams out, in;
    for (const Message& m : messages) (m.sends ? out : in)[m.other].add(m);
    while (any_left(out) || any_left(in)) {
        const Round sent = next_round(out, true), received = next_round(in, false);
        std::byte* const from = device_.message_room(MessageWay::out, sent.bytes, memory);
        std::byte* const to = device_.message_room(MessageWay::in, received.bytes, memory);
        device_.gather(from, sent.pieces);
        device_.await_messages();  // also what still reads the rooms of the round before
        if (!device_.fault().empty()) return;
        std::vector<Message> joined;
        place(from, sent, joined);
        place(to, received, joined);
        processes_.exchange(joined);
        device_.scatter(received.pieces, to);
    }
}

}  // namespace kasc::runtime
