// Memory is bytes, as of any device. For a launch its arrays are made cells of doubles, and bytes again:
//
//   T at 0x…, 24 floats    cells 0 … 23    the interpreter runs blocks 2 … 3    24 floats
#include "random/interpreted_device.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "kernel/host_value.hpp"
#include "random/memory_words.hpp"
#include "ranks/shares.hpp"
#include "support/complex_apart.hpp"

namespace kasc::random {

using namespace test;
using test::Problem;  // not the model's

namespace {

class InterpretedDevice final : public runtime::ComputeDevice {
public:
    InterpretedDevice(const TestedFieldPlan& plan, const Problem& problem) : plan_(plan), problem_(problem) {
        for (const kernel::Lowered& lowered : plan.host.kernels) {
            for (const kernel::Kernel& k : lowered.alternatives) kernels_[k.name] = &lowered;
        }
        find_carrying(plan.host.steps);
    }

    [[nodiscard]] const std::string& fault() const override { return fault_; }
    [[nodiscard]] bool shares_host_memory() const override { return false; }
    [[nodiscard]] std::byte* take(const std::string&, std::uint64_t bytes) override {
        // What nothing writes must not be read: 0xff… is no number.
        arrays_.push_back(std::make_unique<Bytes>(bytes, std::byte{0xff}));
        return arrays_.back()->data() + elsewhere;
    }
    [[nodiscard]] std::byte* take_cut(const std::string& name, std::uint64_t bytes,
                                      const runtime::ArrayParts&) override {
        std::byte* const array = take(name, bytes);
        held_[array].assign(bytes, false);
        return array;
    }
    void hold(const std::byte* from, std::uint64_t bytes) override {
        const auto cut = cut_around(from);
        if (cut == held_.end()) return;
        const auto first = cut->second.begin() + (from - cut->first);
        std::fill(first, first + static_cast<std::ptrdiff_t>(bytes), true);
    }
    void copy(std::byte* to, const std::byte* from, std::uint64_t bytes) override {
        hold(to, bytes);
        std::memcpy(to - elsewhere, here(from, bytes), bytes);
    }
    void zero(std::byte* to, std::uint64_t bytes) override {
        hold(to, bytes);
        std::memset(to - elsewhere, 0, bytes);
    }
    void upload(std::byte* to, const void* values, std::uint64_t bytes) override {
        hold(to, bytes);
        std::memcpy(to - elsewhere, values, bytes);
    }
    void download(void* values, const std::byte* from, std::uint64_t bytes) override {
        std::memcpy(values, here(from, bytes), bytes);
    }
    [[nodiscard]] long long most_blocks_across() const override { return std::numeric_limits<int>::max(); }
    [[nodiscard]] std::size_t find_kernel(const std::string& name, int) override {
        const kernel::Lowered& lowered = *kernels_.at(name);
        for (const kernel::Kernel& k : lowered.alternatives) {
            if (k.name != name) continue;
            found_.push_back(std::make_unique<Found>(k, lowered.alternatives.front().name));
            return found_.size() - 1;
        }
        throw std::logic_error("no kernel " + name);
    }
    void launch(std::size_t, const runtime::LaunchShape&, const runtime::LaunchShape&, void* const*) override {
        throw std::logic_error("a launch of several ranks names one");
    }
    void launch_share(int, std::size_t kernel, const runtime::LaunchShare& share, const runtime::LaunchShape&,
                      const std::vector<void*>& arguments) override {
        if (!fault_.empty()) return;
        try {
            run(*found_.at(kernel), share, arguments);
        } catch (const KernelFault& e) {
            fault_ = e.what();
        }
    }

    [[nodiscard]] bool stores_functions() const override { return false; }
    [[nodiscard]] std::size_t add_transform(const runtime::TransformShape&) override { return none(); }
    [[nodiscard]] std::size_t add_storing_transform(const runtime::TransformShape&,
                                                    const runtime::StoredFunction&) override {
        return none();
    }
    [[nodiscard]] std::size_t add_list(const runtime::ListShape&) override { return none(); }
    void ready_transforms() override {}
    void transform(std::size_t, std::byte*, std::byte*, bool) override { none(); }
    void storing_transform(std::size_t, std::byte*, std::byte*, bool, const std::vector<void*>&) override { none(); }
    void order(std::size_t, std::byte*, const std::byte*) override { none(); }
    void runs(std::size_t, std::byte*, const std::byte*) override { none(); }
    void starts(std::size_t, std::byte*, const std::byte*) override { none(); }
    void repeat(std::size_t, const std::vector<std::byte*>&, const std::function<void()>& launches) override {
        launches();
    }
    void synchronise() override {}
    void begin_timing() override {}
    [[nodiscard]] double end_timing() override { return 0; }

private:
    struct Found {
        Found(const kernel::Kernel& k, const std::string& planned)
            : kernel(ComplexApart::of(k)), interpreter(kernel), planned_name(planned) {}
        const kernel::Kernel kernel;
        Interpreter interpreter;
        const std::string planned_name;
    };
    /// Added to its addresses, so that whoever takes them for the host's fails at once.
    static constexpr std::ptrdiff_t elsewhere = std::ptrdiff_t{1} << 60;
    const TestedFieldPlan& plan_;
    const Problem& problem_;
    std::map<const std::byte*, std::vector<bool>> held_;  ///< of arrays that are cut, by byte: the process touches it
    std::map<std::string, const kernel::Lowered*> kernels_;
    std::set<std::string> carrying_;  ///< kernels whose launches carry riders, or what their last block goes on with
    std::vector<std::unique_ptr<Bytes>> arrays_;
    std::vector<std::unique_ptr<Found>> found_;
    std::string fault_;

    void find_carrying(const std::vector<HostStep>& steps) {
        for (const HostStep& s : steps) {
            if (const auto* loop = std::get_if<LoopStep>(&s.what)) {
                find_carrying(loop->body);
                find_carrying(loop->after);
            }
            const auto* launch = std::get_if<LaunchStep>(&s.what);
            if (launch != nullptr && !(launch->riders.empty() && launch->completed.empty()))
                carrying_.insert(plan_.host.kernels.at(launch->kernel).alternatives.front().name);
        }
    }
    static std::size_t none() { throw std::logic_error("interpreted plans have no transforms"); }
    [[nodiscard]] Bytes& array_at(const std::byte* address) {
        const auto at = std::find_if(arrays_.begin(), arrays_.end(),
                                     [&](const auto& a) { return a->data() + elsewhere == address; });
        if (at == arrays_.end()) throw std::logic_error("a launch on no array");
        return **at;
    }
    /// Arrays that these update in place are known by their names alone: all of such a launch are.
    [[nodiscard]] ArrayUse use_of(const Found& found, ValueId value) const {
        const PlannedKernel& planned = plan_.kernels.at(found.planned_name);
        const bool carries = carrying_.contains(found.planned_name);
        if (!carries && !planned.in_place.contains(value)) return ArrayUse::output;
        return planned.loop() != nullptr ? ArrayUse::of_thread : ArrayUse::in_place;
    }

    /// A scalar of the launch.
    [[nodiscard]] static kernel::HostNumber number_of(const kernel::Kernel& k, const std::string& name,
                                                      const std::vector<void*>& arguments) {
        for (std::size_t i = 0; i < k.parameters.size(); ++i) {
            if (k.parameters[i].name != name) continue;
            std::int64_t wide = 0;
            std::int32_t narrow = 0;
            std::memcpy(&wide, arguments[i], sizeof(wide));
            std::memcpy(&narrow, arguments[i], sizeof(narrow));
            const kernel::Type type = k.parameters[i].type;
            return kernel::host_integer(type == kernel::Type::i64 ? wide : narrow, type);
        }
        throw std::logic_error("a span asks for " + name);
    }

    [[nodiscard]] std::map<const std::byte*, std::vector<bool>>::iterator cut_around(const std::byte* at) {
        auto behind = held_.upper_bound(at);
        if (behind == held_.begin()) return held_.end();
        --behind;
        return at < behind->first + behind->second.size() ? behind : held_.end();
    }
    [[nodiscard]] const std::byte* here(const std::byte* from, std::uint64_t bytes) {
        const auto cut = cut_around(from);
        if (cut != held_.end()) {
            const auto first = cut->second.begin() + (from - cut->first);
            if (std::find(first, first + static_cast<std::ptrdiff_t>(bytes), false) !=
                first + static_cast<std::ptrdiff_t>(bytes))
                throw std::logic_error("bytes are read that the process does not hold");
        }
        return from - elsewhere;
    }
    /// A launch touches no bytes of arrays that are cut but those that its process holds.
    void check_held(Found& found, const kernel::Parameter& p, const std::byte* address) {
        const auto cut = held_.find(address);
        if (cut == held_.end()) return;
        const Array& array = found.interpreter.touched(p.name);
        const std::size_t words = array.read.size();
        for (std::size_t i = 0; i < words; ++i) {
            const bool written = !array.written.empty() && array.written[i] != 0;
            if ((array.read[i] != 0 || written) && !cut->second[i * cut->second.size() / words])
                throw KernelFault(fmt::format("{} touches word {} of {}, which its process does not hold",
                                              found.kernel.name, i, p.name));
        }
    }

    /// Blocks touch no cells but those that the kernel says.
    void check_span(Found& found, const runtime::LaunchShare& share, const std::vector<void*>& arguments) const {
        const kernel::Kernel& k = found.kernel;
        if (!k.span) return;
        const kernel::BlockSpan& span = *k.span;
        const auto named = [&](const std::string& name) { return number_of(k, name, arguments); };
        const ranks::SpanNumbers numbers{span.along,
                                         kernel::host_value(span.cells, named).as_integer(),
                                         kernel::host_value(span.blocks, named).as_integer(),
                                         problem_.extents.at(span.axis.index),
                                         span.reach,
                                         span.numbered};
        const long long first = std::array{share.first.x, share.first.y, share.first.z}.at(span.along),
                        blocks = std::array{share.blocks.x, share.blocks.y, share.blocks.z}.at(span.along);
        const ranks::CellRange own = ranks::cells_of(numbers, first, blocks);
        for (const kernel::Parameter& p : k.parameters) {
            const auto* in = std::get_if<kernel::ArrayIn>(&p.source);
            const auto* out = std::get_if<kernel::ArrayOut>(&p.source);
            if (!p.is_array()) continue;
            const ValueId value = in != nullptr ? in->value : out->value;
            const bool by_block = span.is_by_block(value), around = span.is_around(value);
            const bool placed = std::any_of(k.placed.begin(), k.placed.end(),
                                            [&](const kernel::PlacedArray& array) { return array.value == value; });
            if (span.is_at_first(value) && first > 0) {
                const Array& array = found.interpreter.touched(p.name);
                if (std::find(array.written.begin(), array.written.end(), 1) != array.written.end())
                    throw KernelFault(fmt::format("{}: a block behind the first stores {}", k.name, p.name));
            }
            if (placed || (!span.is_near(value) && !around && !by_block)) continue;
            const Array& array = found.interpreter.touched(p.name);
            const auto words = static_cast<long long>(array.read.size());
            const long long plane = by_block ? 1 : words / numbers.extent;
            const auto own_word = [&](long long i) {
                if (by_block) return i >= first && i < first + blocks;
                const long long at = i / plane;
                // A field of fewer axes has fewer words a plane than cells are counted.
                if (!span.numbered || plane < numbers.blocks) return at >= own.low && at < own.high;
                const long long cell = i / (plane / numbers.blocks);
                return cell >= first * numbers.cells && cell < (first + blocks) * numbers.cells;
            };
            const auto near = [&](long long i) {
                if (by_block) return false;
                const long long at = i / plane, reach = around ? 2 * span.reach : span.reach;
                const auto within = [&](long long z) { return z >= own.low - reach && z < own.high + reach; };
                return within(at) || (around && (within(at - numbers.extent) || within(at + numbers.extent)));
            };
            for (long long i = 0; i < words; ++i) {
                const auto k_i = static_cast<std::size_t>(i);
                const bool written = !array.written.empty() && array.written[k_i] != 0;
                if ((written && !own_word(i)) || (array.read[k_i] != 0 && !own_word(i) && !near(i)))
                    throw KernelFault(fmt::format("{}: blocks {} to {} {} word {} of {}", k.name, first,
                                                  first + blocks - 1, written ? "store" : "read", i, p.name));
            }
        }
    }

    void run(Found& found, const runtime::LaunchShare& share, const std::vector<void*>& arguments) {
        const kernel::Kernel& k = found.kernel;
        // Values that lie in one array share its cells.
        std::map<std::byte*, Cells> cells;
        std::map<std::byte*, kernel::Type> types;
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            const kernel::Parameter& p = k.parameters.at(i);
            if (p.is_array()) {
                std::byte* address = nullptr;
                std::memcpy(&address, arguments[i], sizeof(address));
                const Bytes& bytes = array_at(address);
                with_word(p.type, [&]<class Word>(Word) {
                    Cells& of = cells[address];
                    of.resize(bytes.size() / sizeof(Word));
                    read_words<Word>(bytes.data(), of);
                });
                types[address] = p.type;
                const auto* out = std::get_if<kernel::ArrayOut>(&p.source);
                found.interpreter.array(p, cells[address],
                                        out != nullptr ? use_of(found, out->value) : ArrayUse::input);
                if (std::count(k.guards.begin(), k.guards.end(), p.name) > 0 && cells[address].front() <= 0) return;
            } else if (p.type == kernel::Type::f32 || p.type == kernel::Type::f64) {
                with_word(p.type, [&]<class Word>(Word) {
                    Cells one(1);
                    read_words<Word>(static_cast<const std::byte*>(arguments[i]), one);
                    found.interpreter.scalar(p.name, p.type == kernel::Type::f32
                                                         ? Scalar::single(static_cast<float>(one[0]))
                                                         : Scalar::dual(one[0]));
                });
            } else {
                with_word(p.type, [&]<class Word>(Word word) {
                    std::memcpy(&word, arguments[i], sizeof(word));
                    found.interpreter.scalar(p.name, Scalar::whole(static_cast<std::int64_t>(word)));
                });
            }
        }
        found.interpreter.run_share({share.first.x, share.first.y, share.first.z},
                                    {share.blocks.x, share.blocks.y, share.blocks.z});
        check_span(found, share, arguments);
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            std::byte* address = nullptr;
            if (!k.parameters[i].is_array()) continue;
            std::memcpy(&address, arguments[i], sizeof(address));
            check_held(found, k.parameters[i], address);
        }
        for (const auto& [address, of] : cells) {
            with_word(types.at(address),
                      [&, &to = array_at(address)]<class Word>(Word) { write_words<Word>(to.data(), of); });
        }
    }
};

}  // namespace

std::unique_ptr<runtime::ComputeDevice> interpreted_device(const TestedFieldPlan& plan, const test::Problem& problem) {
    return std::make_unique<InterpretedDevice>(plan, problem);
}

}  // namespace kasc::random
