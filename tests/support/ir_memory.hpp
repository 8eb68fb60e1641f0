#pragma once
// The memory that an interpreted kernel works on, word by word, with what was done to each: it objects to an access
// outside an array, a register word read before it is written, a word of memory written twice, a number that does not
// fit its word; of shared memory to a word that nothing wrote, and to one that two threads touch, one of them writing,
// with no barrier between; of an array that is updated in place to a word that one thread reads and another writes.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "kernel/kernel.hpp"
#include "support/ir_scalar.hpp"

namespace kasc::test {

struct KernelFault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// How an array of memory may be used. Of an output a thread may read what it has stored there itself.
/// of_thread: in place, and its thread may write a word again, others of its block behind a barrier.
enum class ArrayUse { input, output, in_place, of_thread };

struct Array {
    Cells* words = nullptr;
    kernel::Type type = kernel::Type::f32;
    ArrayUse use = ArrayUse::input;
    std::vector<char> written;          ///< whether it was
    std::vector<int> writer, reader{};  ///< but of inputs: the thread of the launch that did so; -1 none, -2 several
    std::vector<int> touched_in{};      ///< of_thread: between which barriers that was, the last time
    std::vector<char> read{};           ///< whether it was
    double passed_words = 1;            ///< by an access

    [[nodiscard]] bool is_in_place() const { return use == ArrayUse::in_place || use == ArrayUse::of_thread; }
};

/// What a launch moved.
struct Traffic {
    double read_bytes = 0, stored_bytes = 0;           ///< words of memory, each once
    std::int64_t loads = 0, stores = 0;                ///< words of memory, each time
    double passed_words = 0;                           ///< the same in words of 4 bytes; one of fewer counts as one
    std::int64_t shared_loads = 0, shared_stores = 0;  ///< words of shared memory
    std::int64_t exchanged = 0;                        ///< words that threads offered each other
    int barriers = 0;                                  ///< of the block that meets most
};

/// What a launch computed.
struct Work {
    double reals = 0;   ///< operations on floats and doubles, a function one, a multiply-add two; negations are free
    double wholes = 0;  ///< on integers: addresses, coordinates, cells of integers
};

/// The memory of one launch: arrays last for all of it, shared memory and private arrays for a block, registers for a
/// thread.
class KernelMemory {
public:
    explicit KernelMemory(const kernel::Kernel& kernel)
        : kernel_(kernel), threads_(static_cast<int>(thread_count(kernel.block))) {}

    [[noreturn]] void fault(const std::string& text) const { throw KernelFault(kernel_.name + ": " + text); }

    void array(const kernel::Parameter& parameter, Cells& words, ArrayUse use) {
        Array a{&words, parameter.type, use, {}, {}, {}};
        if (use != ArrayUse::input) a.written.assign(words.size(), 0);
        a.read.assign(words.size(), 0);
        a.passed_words = std::max(1.0, bytes_of(a.type) / 4);
        if (use != ArrayUse::input) a.writer.assign(words.size(), -1);
        if (a.is_in_place()) a.reader = a.touched_in = a.writer;
        Place& place = *places_[number(parameter.name)];
        place.what = std::move(a);
        place.declared = true;
    }
    [[nodiscard]] const Array& touched(const std::string& name) { return std::get<Array>(places_[number(name)]->what); }
    /// What its name stands for is asked for by number from then on.
    [[nodiscard]] std::size_t number(const std::string& name) {
        const auto [at, added] = numbers_.try_emplace(name, places_.size());
        if (added) places_.push_back(std::make_unique<Place>(Place{name}));
        return at->second;
    }
    /// Whether this block is the last of so many to count itself: from then on what the threads that did so stored may
    /// be read.
    [[nodiscard]] int count_block(std::int64_t blocks) {
        if (!in_thread_) fault("a block counts itself by no thread");
        if (!finished_.insert(linear_block_).second) fault("a block counts itself twice");
        if (finished_by_ >= 0 || static_cast<std::int64_t>(finished_.size()) < blocks) return 0;
        finished_by_ = thread_;
        return 1;
    }
    void begin_block(int linear_block) {
        if (linear_block == 0) finished_.clear(), finished_by_ = -1;  // another launch
        linear_block_ = linear_block;
        forget(of_block_);
        interval_ = 0;
        end_threads();
    }
    void begin_thread(int thread) {
        thread_ = thread;
        in_thread_ = true;
        agent_ = linear_block_ * threads_ + thread_;
        forget(of_thread_);
    }
    /// What follows is done by the block.
    void end_threads() {
        in_thread_ = false;
        agent_ = all_of_this_block();
    }
    void barrier() {
        ++interval_;
        traffic_.barriers = std::max(traffic_.barriers, interval_);
    }
    [[nodiscard]] Traffic traffic() const {
        Traffic all = traffic_;
        for (const auto& place : places_) {
            if (!std::holds_alternative<Array>(place->what)) continue;
            const auto& a = std::get<Array>(place->what);
            const auto set = [](const std::vector<char>& of) {
                return static_cast<double>(std::count_if(of.begin(), of.end(), [](char c) { return c != 0; }));
            };
            all.read_bytes += bytes_of(a.type) * set(a.read);
            all.stored_bytes += bytes_of(a.type) * set(a.written);
        }
        return all;
    }

    void declare_registers(std::size_t name, kernel::Type type, std::size_t words) {
        declare<Registers>(name, of_thread_).begin(type, 1, words);
    }
    [[nodiscard]] std::size_t register_words(std::size_t name) const {
        return std::get<Registers>(places_[name]->what).of_one;
    }
    void declare_private(std::size_t name, kernel::Type type, int of_thread) {
        declare<OfThreads>(name, of_block_)
            .begin(type, static_cast<std::size_t>(threads_), static_cast<std::size_t>(of_thread));
    }
    /// Objects to words that their thread has not written. Where a thread has no partner, it may read the word no more.
    void exchange(const kernel::Exchange& e, std::size_t from, std::size_t to) {
        const OfThreads before = std::get<OfThreads>(declared(from).what);
        auto& into = std::get<OfThreads>(declared(to).what);
        for (int thread = 0; thread < threads_; ++thread) {
            const auto partner = e.partner(thread);
            for (int k = 0; k < e.words; ++k) {
                ++traffic_.exchanged;
                const std::size_t own = into.at(thread, e.into_first + k);
                into.set[own] = partner.has_value();
                if (!partner) continue;
                const std::size_t theirs = before.at(*partner, e.from_first + k);
                if (!before.set[theirs])
                    fault(fmt::format("exchanges {}[{}] of thread {} before it is written", e.from, e.from_first + k,
                                      *partner));
                into.words[own] = before.words[theirs];
            }
        }
    }
    void declare_shared(std::size_t name, kernel::Type type, int words) {
        auto& shared = declare<SharedWords>(name, of_block_);
        shared.words.assign(static_cast<std::size_t>(words), {});
        shared.type = type;
    }

    Scalar load(std::size_t name, std::int64_t at) {
        Place& place = declared(name);
        const std::string& array = place.name;
        if (auto* shared = std::get_if<SharedWords>(&place.what)) {
            ++traffic_.shared_loads;
            return Scalar::word(shared->type, load_shared(shared->words, array, at));
        }
        auto* memory = std::get_if<Array>(&place.what);
        if (memory == nullptr) return load_register(place, at);
        Array& a = *memory;
        const std::size_t i = checked(a, array, at, "reads");
        const bool finished = finished_by_ >= 0 && a.use != ArrayUse::input && is_of_count(a.writer[i]);
        if (a.use == ArrayUse::output && a.writer[i] != agent_ && !finished)
            fault(fmt::format("reads {}[{}] of its output, which this thread has not stored", array, at));
        if (a.use != ArrayUse::output) a.read[i] = 1;
        ++traffic_.loads;
        traffic_.passed_words += a.passed_words;
        if (a.is_in_place()) {
            if (a.writer[i] != -1 && a.writer[i] != agent_ && !finished)
                fault(fmt::format("reads {}[{}], which another thread writes", array, at));
            a.reader[i] = is_apart(a, i, a.reader[i])     ? agent_
                          : is_of_this_block(a.reader[i]) ? all_of_this_block()
                                                          : -2;
            a.touched_in[i] = interval_;
        }
        return Scalar::word(a.type, (*a.words)[i]);
    }
    /// The array has such a word.
    void find(std::size_t name, std::int64_t at) const {
        (void)checked(std::get<Array>(places_[name]->what), places_[name]->name, at, "looks at");
    }
    /// Other threads may add to the word as well, and none may read it; of shared memory none before a barrier.
    void add(std::size_t name, std::int64_t at, const Scalar& value) {
        Place& place = declared(name);
        if (value.kind != Scalar::Kind::whole) fault(fmt::format("adds a real to '{}'", place.name));
        if (auto* shared = std::get_if<SharedWords>(&place.what)) {
            ++traffic_.shared_loads, ++traffic_.shared_stores;
            return add_shared(*shared, place.name, at, value);
        }
        auto& a = std::get<Array>(place.what);
        if (a.use == ArrayUse::input) fault(fmt::format("adds to its input '{}'", place.name));
        const std::size_t i = checked(a, place.name, at, "adds to");
        if (a.is_in_place() && a.reader[i] != -1)
            fault(fmt::format("adds to {}[{}], which a thread reads", place.name, at));
        if (a.is_in_place()) a.writer[i] = -2;
        a.written[i] = a.read[i] = 1;
        ++traffic_.loads, ++traffic_.stores;
        traffic_.passed_words += 2;
        (*a.words)[i] = sum_of(a.type, (*a.words)[i], value);
    }
    void store(std::size_t name, std::int64_t at, const Scalar& value) {
        Place& place = declared(name);
        const std::string& array = place.name;
        if (auto* shared = std::get_if<SharedWords>(&place.what)) {
            check_stored(shared->type, value, array);
            ++traffic_.shared_stores;
            return store_shared(shared->words, array, at, in_memory(shared->type, value.cell()));
        }
        auto* memory = std::get_if<Array>(&place.what);
        if (memory == nullptr) {
            RegisterWords& r = registers(place);
            if (at < 0 || at >= static_cast<std::int64_t>(r.of_one))
                fault(fmt::format("writes register {}[{}]", array, at));
            // A register may hold a byte's word as an integer of any width.
            check_stored(r.type == kernel::Type::u8 ? kernel::Type::i32 : r.type, value, array);
            const std::size_t word = own_word(place, r, at);
            r.words[word] = in_memory(r.type, value.cell());
            r.set[word] = 1;
            return;
        }
        Array& a = *memory;
        if (a.use == ArrayUse::input) fault(fmt::format("writes its input '{}'", array));
        const std::size_t i = checked(a, array, at, "writes");
        check_stored(a.type, value, array);
        if (a.written[i] && a.use != ArrayUse::of_thread) fault(fmt::format("writes {}[{}] twice", array, at));
        a.written[i] = 1;
        if (a.use == ArrayUse::output) a.writer[i] = agent_;
        if (a.is_in_place()) {
            if (!is_apart(a, i, a.reader[i]))
                fault(fmt::format("writes {}[{}], which another thread reads", array, at));
            if (!is_apart(a, i, a.writer[i]))
                fault(fmt::format("writes {}[{}], which another thread writes", array, at));
            a.writer[i] = agent_;
            a.touched_in[i] = interval_;
        }
        (*a.words)[i] = in_memory(a.type, value.cell());
        ++traffic_.stores;
        traffic_.passed_words += a.passed_words;
    }

private:
    /// Those of threads lie one behind the other.
    struct RegisterWords {
        std::vector<double> words;
        std::vector<char> set;
        kernel::Type type = kernel::Type::f32;
        std::size_t of_one = 0;

        /// None is written.
        void begin(kernel::Type of, std::size_t threads, std::size_t of_thread) {
            type = of, of_one = of_thread;
            words.resize(threads * of_thread);
            set.assign(threads * of_thread, 0);
        }
        [[nodiscard]] std::size_t at(int thread, int word) const {
            const auto k = static_cast<std::size_t>(thread) * of_one + static_cast<std::size_t>(word);
            if (word < 0 || static_cast<std::size_t>(word) >= of_one || thread < 0 || k >= words.size())
                throw std::out_of_range("a register of no thread");
            return k;
        }
    };
    struct Registers : RegisterWords {};  ///< of the thread that runs
    struct OfThreads : RegisterWords {};  ///< of all threads of the block

    /// A word of shared memory, and the threads that touched it last.
    struct SharedWord {
        double value = 0;
        int writer = -1, written_in = -1, reader = -1, read_in = -1;
        int added_in = -1;  ///< several threads may have
        bool several_readers = false;
    };

    struct SharedWords {
        std::vector<SharedWord> words;
        kernel::Type type = kernel::Type::f32;
    };

    /// What a name stands for, once it is declared. Its memory is kept for the next block or thread.
    struct Place {
        std::string name;
        std::variant<std::monostate, Array, SharedWords, OfThreads, Registers> what{};
        bool declared = false;
    };

    const kernel::Kernel& kernel_;
    std::map<std::string, std::size_t> numbers_;
    std::vector<std::unique_ptr<Place>> places_;
    std::vector<std::size_t> of_block_, of_thread_;  ///< that were declared by the one that runs
    Traffic traffic_;
    const int threads_;  ///< of a block
    int interval_ = 0, linear_block_ = 0, thread_ = 0;
    bool in_thread_ = false;
    /// The thread, apart from those of all other blocks; all threads of a block together are one more.
    int agent_ = -3;
    std::set<int> finished_;  ///< blocks that have counted themselves
    int finished_by_ = -1;    ///< the thread that all blocks did so by, once all have

    [[nodiscard]] static double bytes_of(kernel::Type type) {
        if (type == kernel::Type::f16 || type == kernel::Type::bf16) return 2;
        return type == kernel::Type::f64 || type == kernel::Type::i64 ? 8 : type == kernel::Type::u8 ? 1 : 4;
    }
    SharedWord& shared_word(std::vector<SharedWord>& words, const std::string& array, std::int64_t at) {
        if (at < 0 || at >= static_cast<std::int64_t>(words.size()))
            fault(fmt::format("touches {}[{}] of {}", array, at, words.size()));
        return words[static_cast<std::size_t>(at)];
    }
    double load_shared(std::vector<SharedWord>& words, const std::string& array, std::int64_t at) {
        SharedWord& w = shared_word(words, array, at);
        if (w.writer < 0) fault(fmt::format("reads {}[{}], which nothing wrote", array, at));
        if (w.added_in == interval_ || (w.written_in == interval_ && w.writer != thread_))
            fault(fmt::format("reads {}[{}] with no barrier after the write", array, at));
        w.several_readers = w.read_in == interval_ && (w.several_readers || w.reader != thread_);
        w.reader = thread_;
        w.read_in = interval_;
        return w.value;
    }
    void store_shared(std::vector<SharedWord>& words, const std::string& array, std::int64_t at, double value) {
        SharedWord& w = shared_word(words, array, at);
        const bool other_reads = w.read_in == interval_ && (w.several_readers || w.reader != thread_);
        const bool other_writes = w.written_in == interval_ && w.writer != thread_;
        if (other_reads || other_writes || w.added_in == interval_)
            fault(fmt::format("writes {}[{}] with no barrier after another thread's access", array, at));
        w.value = value;
        w.writer = thread_;
        w.written_in = interval_;
    }
    [[nodiscard]] static double sum_of(kernel::Type type, double word, const Scalar& value) {
        const auto sum = static_cast<std::int64_t>(word) + value.i;
        return stored(type == kernel::Type::i64 ? CellType::int64 : CellType::int32, static_cast<double>(sum));
    }
    void add_shared(SharedWords& shared, const std::string& array, std::int64_t at, const Scalar& value) {
        SharedWord& w = shared_word(shared.words, array, at);
        if (w.writer < 0) fault(fmt::format("adds to {}[{}], which nothing wrote", array, at));
        if (w.written_in == interval_ || w.read_in == interval_)
            fault(fmt::format("adds to {}[{}] with no barrier after another access", array, at));
        w.value = sum_of(shared.type, w.value, value);
        w.added_in = interval_;
    }
    void forget(std::vector<std::size_t>& declared) {
        for (const std::size_t name : declared) places_[name]->declared = false;
        declared.clear();
    }
    template <class What>
    What& declare(std::size_t name, std::vector<std::size_t>& declared) {
        Place& place = *places_[name];
        if (!std::holds_alternative<What>(place.what)) place.what.emplace<What>();
        place.declared = true;
        declared.push_back(name);
        return std::get<What>(place.what);
    }
    Place& declared(std::size_t name) {
        Place& place = *places_[name];
        if (!place.declared) fault(fmt::format("touches '{}', which nothing declared", place.name));
        return place;
    }
    static RegisterWords& registers(Place& place) {
        if (auto* of_block = std::get_if<OfThreads>(&place.what)) return *of_block;
        return std::get<Registers>(place.what);
    }
    /// The index of the running thread's word, which it has.
    [[nodiscard]] std::size_t own_word(const Place& place, const RegisterWords& r, std::int64_t at) const {
        const bool of_block = std::holds_alternative<OfThreads>(place.what);
        return static_cast<std::size_t>(at) + (of_block ? static_cast<std::size_t>(thread_) * r.of_one : 0);
    }

    std::size_t checked(const Array& a, const std::string& array, std::int64_t at, const char* what) const {
        if (at < 0 || at >= static_cast<std::int64_t>(a.words->size()))
            fault(fmt::format("{} {}[{}] of {}", what, array, at, a.words->size()));
        return static_cast<std::size_t>(at);
    }
    /// Whoever touched the word does not meet this thread there.
    [[nodiscard]] bool is_apart(const Array& a, std::size_t i, int who) const {
        if (who == -1 || who == agent_) return true;
        return a.use == ArrayUse::of_thread && a.touched_in[i] < interval_ && is_of_this_block(who);
    }
    [[nodiscard]] bool is_of_this_block(int who) const {
        if (who < 0) return who == all_of_this_block();
        return who >= linear_block_ * threads_ && who < (linear_block_ + 1) * threads_;
    }
    [[nodiscard]] bool is_of_count(int who) const { return who >= 0 && who % threads_ == finished_by_; }
    [[nodiscard]] int all_of_this_block() const { return -3 - linear_block_; }
    Scalar load_register(Place& place, std::int64_t at) {
        const std::string& array = place.name;
        const RegisterWords& r = registers(place);
        if (at < 0 || at >= static_cast<std::int64_t>(r.of_one)) fault(fmt::format("reads register {}[{}]", array, at));
        const std::size_t word = own_word(place, r, at);
        if (!r.set[word]) fault(fmt::format("reads {}[{}] before it is written", array, at));
        return Scalar::word(r.type, r.words[word]);
    }
    void check_stored(kernel::Type type, const Scalar& value, const std::string& array) const {
        if (value.kind != Scalar::kind_of(type)) fault(fmt::format("stores a value of another kind in '{}'", array));
        if (type == kernel::Type::u8 && (value.i < 0 || value.i > 255)) fault(fmt::format("'{}' overflows", array));
    }
};

}  // namespace kasc::test
