#pragma once
// Exchanges of processes whose arrays lie in memory of a device. Where devices do not send by themselves, what goes to
// one process is gathered into one message of memory that the communicator can read, and what comes is brought from
// there to where it belongs.

#include <vector>

#include "runtime/devices/compute_device.hpp"
#include "runtime/processes/communicator.hpp"

namespace kasc::runtime {

/// many: of memory that processes share with their device as well they are gathered.
enum class Pieces { few, many };

class DeviceMessages {
public:
    /// Both outlive it.
    DeviceMessages(ComputeDevice& device, Communicator& processes) : device_(device), processes_(processes) {}
    DeviceMessages(const DeviceMessages&) = delete;
    DeviceMessages& operator=(const DeviceMessages&) = delete;
    /// What was exchanged is added to Communicator::exchanged().
    ~DeviceMessages();

    /// As Communicator::exchange(), of bytes in the device's memory, in the device's lane of messages; of one that
    /// shares the host's memory at once. After a failure of the device it does nothing.
    void exchange(const std::vector<Message>& messages, Pieces pieces = Pieces::few);

private:
    ComputeDevice& device_;
    Communicator& processes_;
    Exchanged own_;

    void through_rooms(const std::vector<Message>& messages, MessageMemory memory);
};

}  // namespace kasc::runtime
