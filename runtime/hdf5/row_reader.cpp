// Demands go one way, what was read comes back in the same order; values and reports lie in shared memory.
//
//     parent   ask q 0-15 | take q: waits | ask q 16-31 | computes with 0-15 ...            | take q: there already
//     child                 reads 0-15                    reads 16-31

#include "runtime/hdf5/row_reader.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <memory>

#include "runtime/hdf5/open.hpp"
#include "runtime/hdf5/read_part.hpp"
#include "runtime/hdf5/survey.hpp"

namespace kasc::runtime {

namespace {

/// A demand, and its answer.
struct Message {
    std::uint64_t series = 0, first = 0, rows = 0;
};

/// False: the other end is gone. Messages arrive whole.
bool receive(int connection, Message& message) {
    ssize_t got = 0;
    do {
        got = recv(connection, &message, sizeof message, 0);
    } while (got < 0 && errno == EINTR);
    return got == static_cast<ssize_t>(sizeof message);
}
bool send_to(int connection, const Message& message) {
    ssize_t sent = 0;
    do {
        sent = send(connection, &message, sizeof message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == static_cast<ssize_t>(sizeof message);
}

/// The child's whole life.
bool serve(const std::string& path, const FileStamp& stamp, const std::vector<DatasetPart>& series,
           const std::vector<std::byte*>& values, ReadReport* reports, const ChildLimits& limits, int connection) {
    // Ctrl-C goes to every process of the terminal: it is the parent's to end in order, and this child with it.
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_IGN);
    silence_hdf5();
    const Hdf5Handle file = open_file(path);
    for (Message message;;) {
        stop_child_clock();
        if (!receive(connection, message)) return true;
        restart_child_clock(limits);
        DatasetPart part = series[message.series];
        part.first = message.first;
        part.rows = message.rows;
        reports[message.series] = {};
        if (file) read_part(file.get(), stamp, part, values[message.series], reports[message.series]);
        if (!send_to(connection, message)) return true;
    }
}

Diagnostic no_reader(const std::string& path) {
    Diagnostic d;
    d.code = "K0711";
    d.message = "there is no memory or no process to read series with";
    d.span = dataset_place(path, "");
    return d;
}

}  // namespace

RowReader::End::~End() {
    if (descriptor_ >= 0) close(descriptor_);
}

RowReader::RowReader(std::string path, std::vector<DatasetPart> series, std::unique_ptr<SharedMemory> memory,
                     std::vector<std::byte*> values, End connection, Child child)
    : path_(std::move(path)),
      series_(std::move(series)),
      memory_(std::move(memory)),
      values_(std::move(values)),
      demands_(series_.size()),
      connection_(std::move(connection)),
      child_(std::move(child)) {}

Outcome<RowReader> RowReader::start(const std::string& path, const FileStamp& stamp,
                                    const std::vector<DatasetPart>& series) {
    std::vector<std::uint64_t> offsets;
    std::uint64_t bytes = to_page(series.size() * sizeof(ReadReport));
    for (const DatasetPart& part : series) {
        offsets.push_back(bytes);
        bytes += part.arrays() * part.array_stride();
    }
    auto memory = SharedMemory::allocate(bytes);
    std::array<int, 2> ends{};
    if (!memory || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return failure<RowReader>(no_reader(path));
    End ours(ends[0]), its(ends[1]);
    auto* reports = reinterpret_cast<ReadReport*>(memory->data());
    std::uninitialized_fill_n(reports, series.size(), ReadReport{});
    std::vector<std::byte*> values;
    for (const std::uint64_t offset : offsets) values.push_back(memory->data() + offset);
    const ChildLimits limits = reading_limits(stamp.bytes, bytes);
    auto child = Child::start(limits, [&] {
        close(ours.get());  // else the child would hold the line to itself
        return serve(path, stamp, series, values, reports, limits, its.get());
    });
    if (!child) return failure<RowReader>(no_reader(path));
    return success(RowReader(path, series, std::make_unique<SharedMemory>(std::move(*memory)), std::move(values),
                             std::move(ours), std::move(*child)));
}

ReadReport& RowReader::report(std::size_t series) const {
    return reinterpret_cast<ReadReport*>(memory_->data())[series];
}

void RowReader::ask(std::size_t series, const RowSpan& rows) {
    const Message message{series, static_cast<std::uint64_t>(rows.first), static_cast<std::uint64_t>(rows.count)};
    report(series) = {};
    demands_[series] = {rows, false};
    static_cast<void>(send_to(connection_.get(), message));  // a child that is gone gives no answer either
}

Outcome<const void*> RowReader::take(std::size_t series) {
    Demand& demand = demands_[series];
    while (!demand.read && !ended_) {
        Message answer;
        if (receive(connection_.get(), answer)) {
            demands_[answer.series].read = true;
        } else {
            ended_ = child_.wait();
        }
    }
    DatasetPart part = series_[series];
    part.first = static_cast<std::uint64_t>(demand.asked->first);
    part.rows = static_cast<std::uint64_t>(demand.asked->count);
    demand = {};
    Diagnostics found = findings(path_, part, report(series), ended_);
    if (has_errors(found)) return failure<const void*>(std::move(found));
    return success<const void*>(values_[series], std::move(found));
}

}  // namespace kasc::runtime
