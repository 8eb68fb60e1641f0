#include "runtime/devices/compute_device.hpp"

namespace kasc::runtime {

std::byte* ComputeDevice::message_room(MessageWay way, std::uint64_t bytes, MessageMemory) {
    std::vector<std::byte>& room = rooms_.at(way == MessageWay::out ? 0 : 1);
    if (room.size() < bytes) room.resize(bytes);
    return room.data();
}

void ComputeDevice::gather(std::byte* to, const std::vector<DeviceBytes>& from) {
    for (const DeviceBytes& piece : from) {
        download(to, piece.at, piece.bytes);
        to += piece.bytes;
    }
}

void ComputeDevice::scatter(const std::vector<DeviceBytes>& to, const std::byte* from) {
    for (const DeviceBytes& piece : to) {
        upload(piece.at, from, piece.bytes);
        from += piece.bytes;
    }
}

}  // namespace kasc::runtime
