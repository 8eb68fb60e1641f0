#pragma once
// Kernel IR: one fused kernel as structure, printed to CUDA and to C++ by printers that decide nothing.
//
// Two levels. Block level: statements that all threads of a block execute together (uniform control flow, barriers,
// declarations). Thread level: what stands inside Threads or Cells, executed by each thread on its own. Barriers exist
// at block level only, so that no emitted barrier can be divergent. On CUDA, Threads and Cells print as plain code; on
// the CPU each is a loop over the block's threads: the phases between barriers are explicit.
//
// For the same reason threads of a warp exchange words at block level: all of them come there.
//
//   block level:  SharedArray PrivateArray Let For If Barrier Exchange Threads Cells Comment
//   thread level: Let Variable RegisterArray Assign Fetch LoadVector StoreVector Butterfly For If Call Stage CountBlock
//                 Comment

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "foundation/id.hpp"
#include "frontend/program.hpp"
#include "kernel/expression.hpp"
#include "patterns/pattern.hpp"

namespace kasc::kernel {

struct Statement;
using Body = std::vector<Statement>;

struct Comment {
    std::string text;
};
/// const type name = value;
struct Let {
    Type type;
    std::string name;
    ExprRef value;
};
/// type name = value; assigned again by Assign. Thread level.
struct Variable {
    Type type;
    std::string name;
    ExprRef value;
};
/// type name[words]; of one thread, within one Threads or Cells region. With values, one a word: const, and these.
struct RegisterArray {
    std::string name;
    int words = 1;
    Type type = Type::f32;
    std::vector<ExprRef> values{};
};
/// type name[words]; of each thread, across the barriers of a block.
struct PrivateArray {
    std::string name;
    int words = 1;
    Type type = Type::f32;
};
/// type name[words]; of the block. With an offset: float *name = shared + offset, a region of the kernel's one block of
/// floats, where regions that are not needed at once lie over each other.
struct SharedArray {
    std::string name;
    std::optional<int> offset;
    int words = 1;
    std::string comment;
    Type type = Type::f32;
};
/// target = value; target is Name (of a Variable) or Element. adds: target += value of an array of i32 or i64, in
/// memory or shared, as one action, which any number of threads may do to one word; sums are modulo 2^32, or 2^64.
struct Assign {
    ExprRef target;
    ExprRef value;
    bool adds = false;
};
/// into[into_index :+ words] = from[from_index :+ words], words of global memory that are under way to a shared array:
/// they are there behind the next Barrier that awaits them. More than one are of whole accesses, at multiples of them.
struct Fetch {
    std::string into;
    ExprRef into_index;
    std::string from;
    ExprRef from_index;
    int words = 1;
};
/// array[index … index+words), words of global memory that the thread, or others, will read, are under way to a cache.
/// Thread level; nothing waits for it. More than one word are a multiple of 16 bytes, at one.
struct Prefetch {
    std::string array;
    ExprRef index;
    int words = 1;
};
/// registers[first … first+width) = array[index … index+width), one access; index is a multiple of width.
struct LoadVector {
    std::string registers;
    ExprRef first;
    std::string array;
    ExprRef index;
    int width = 4;
};
/// array[index … index+width) = registers[first … first+width), one access.
struct StoreVector {
    std::string array;
    ExprRef index;
    std::string registers;
    ExprRef first;
    int width = 4;
};
/// registers[first :+ numbers], complex: their discrete Fourier transform in their places, not scaled,
/// with exp(-2πi/numbers) or, backward, its conjugate. Before it each is multiplied with turn^j (of the first power of
/// a name; backward: its conjugate) where there is one. Thread level (support/kasc_butterflies.hpp).
struct Butterfly {
    std::string registers;
    int first = 0, numbers = 2;
    bool backward = false;
    Type type = Type::c32;  ///< of the registers
    ExprRef turn{};         ///< a Name, complex; none: 1
};
/// for (int variable = from; variable < to; variable += step). unroll: 0 none, -1 full, n by n. At block level from,
/// to and the step are uniform.
struct For {
    std::string variable;
    ExprRef from, to;
    int step = 1;
    int unroll = 0;
    Body body;
    ExprRef stride{};     ///< where set, the step: one that is known at the launch only
    bool rounds = false;  ///< no iteration reads what another left in shared memory or private arrays
    ExprRef going{};      ///< thread level; where set, iterations end where it is false before one
};
struct If {
    ExprRef condition;
    Body then, otherwise;
};
/// Copies that were begun since the last of these are a group: Barriers await groups in their order.
struct CommitCopies {};
/// __syncthreads(). awaits_all_but: the copies begun before are complete after it, but for so many groups that were
/// committed last; none: it awaits no copies.
struct Barrier {
    std::string reason;
    std::optional<int> awaits_all_but{};
};
/// into[into_first :+ words] of each thread = from[from_first :+ words] of the thread `distance` behind it in the order
/// of threads (negative: before it), where that is one of its own warp; elsewhere `into` holds nothing afterwards, or,
/// `or_own`, what the thread itself has there. With `group`, a power of two, in place of a distance: of the first
/// thread of its group of so many. Both are private arrays of one type; the block is made of whole warps.
///
///   distance -1:   thread   0  1  2 … 31 | 32 33 …
///                  into     ?  a0 a1  a30|  ? a32 …
struct Exchange {
    std::string into;
    int into_first = 0;
    std::string from;
    int from_first = 0;
    int words = 1;
    int distance = 1;
    int group = 0;
    bool or_own = false;

    /// The thread that this one takes from; none: there is none in its warp.
    [[nodiscard]] std::optional<int> partner(int thread) const {
        if (group > 0) return thread - thread % group;
        const int at = thread % warp_threads + distance;
        if (at < 0 || at >= warp_threads) return or_own ? std::optional(thread) : std::nullopt;
        return thread + distance;
    }
};
/// Every thread of the block; ThreadIndex and LinearThread are known inside.
struct Threads {
    Body body;
};
/// How threads stand for cells: coordinate `name` = origin + step · index, where index is the thread's index in
/// `dimension` (0 … count-1); none: one cell, the origin. The body runs for coordinates in [low, high).
struct CellAxis {
    std::string name;
    ExprRef origin;
    std::optional<Dimension> dimension;
    int count = 1;
    int step = 1;
    ExprRef low, high;
};
/// axes.front() is contiguous in memory and the innermost loop on the CPU.
struct Cells {
    std::vector<CellAxis> axes;
    Body body;
};

/// into[index] = 1 where all other blocks of the launch have done this, else 0. What their threads that did so had
/// stored before it is there for this block's threads behind the next barrier. Thread level: by one thread of each
/// block, the same of all. `finished`: one i32 of memory, 0 before the launch and after it.
struct CountBlock {
    std::string into;
    ExprRef index;
    std::string finished;
    ExprRef blocks;  ///< of the launch
};

/// Where an argument of an elementary function points to: array + offset.
struct ArrayArgument {
    std::string array;
    ExprRef offset;
};  ///< offset null: none
using CallArgument = std::variant<ArrayArgument, ExprRef>;
/// The words of a shared array that each thread touches, or of the tile that its private array holds a part of.
struct CallTouch {
    std::string array;
    AddressSet words;  ///< by linear thread
    bool writes = false;
};
/// A device function of the library, in the variant of Kernel::functions with this name.
struct Call {
    std::string function;
    std::vector<CallArgument> arguments;
    std::vector<CallTouch> touches{};  ///< of the block's own arrays, as the function's metadata say; reads first
};
/// All threads together copy `words` contiguous words between a tile in global memory and a shared array, 16 bytes at
/// a time where the address allows it. In the shared array `padding` words follow each `element_words` of them.
/// into_shared copies may be asynchronous, a group each: a Barrier that awaits them ends them.
enum class StageDirection { into_shared, out_of_shared };
struct Stage {
    StageDirection direction;
    std::string shared;
    std::string global;
    ExprRef global_offset;
    int words = 0;
    int element_words = 1;
    int padding = 0;
};

struct Statement {
    std::variant<Comment, Let, Variable, RegisterArray, PrivateArray, SharedArray, Assign, Fetch, Prefetch, LoadVector,
                 StoreVector, Butterfly, For, If, CommitCopies, Barrier, Exchange, Threads, Cells, Call, Stage,
                 CountBlock>
        node;
};
/// Statements behind those of a body.
inline void append(Body& to, Body from) {
    for (Statement& s : from) to.push_back(std::move(s));
}

/// A library function as one kernel needs it: the author's text, its name, and what its pattern constants stand for.
struct FunctionVariant {
    std::string name;         ///< d_svmul3_1_compute_3_32_1_sss
    std::string author_name;  ///< d_svmul3_1_compute
    DeviceFunction function;
    SourceRef source;
    std::vector<std::pair<std::string, std::string>> macros;  ///< ("APIN0", "ty*3+tx"), ("SVMUL3_1_BY", "32"), in order
    std::vector<DeviceFunction> helpers;
    std::vector<std::string> helper_macros;
    bool of_cell = false;  ///< called with words of one cell, in registers of the thread
    int operations = 0;    ///< of such a call
    int words = 0;         ///< of its result
};

/// What the host passes for a parameter.
struct ElementCount {};
struct AxisExtent {
    AxisId axis;
    int cells = 1;  ///< of each part, of an axis of parts: for who assumes extents of other axes
};
struct HostExpression {
    ExpressionRef expression;
};  ///< uniform: computed by the host at each launch
struct ArrayIn {
    ValueId value;
};
struct ArrayOut {
    ValueId value;
};
/// Cells of a rider (lower.hpp) along its axis, one where it has none; 0 where no former iteration has left it any.
struct RiderCells {
    std::optional<AxisId> axis;
};
/// The word in which the kernel's blocks count themselves (CountBlock): its address.
struct FinishedBlocks {};
struct Parameter {
    Type type = Type::f32;  ///< of the scalar, or of the array's words
    std::string name;
    std::variant<ElementCount, AxisExtent, HostExpression, ArrayIn, ArrayOut, RiderCells, FinishedBlocks> source;
    std::optional<LoopId> former{};  ///< a HostExpression of what the former iteration of this loop has left
    [[nodiscard]] bool is_array() const {
        return std::holds_alternative<ArrayIn>(source) || std::holds_alternative<ArrayOut>(source);
    }
    [[nodiscard]] bool is_count() const { return std::holds_alternative<FinishedBlocks>(source); }
};

/// The host launches only where `position`, one that the program fixes, lies in [low, extent of axis - high): on the
/// grid, and where it is assigned outside of the layers that the boundary of `field` keeps.
struct PositionCheck {
    ExpressionRef position;
    VariableId field;
    AxisId axis;
    int low = 0, high = 0;
    Span span;
    std::optional<LoopId> former{};  ///< where set: in the former iteration of this loop, if this one has any
};

/// What a kernel of walk `stored` does with one cell: a library's transform calls it in place of storing the cell's
/// word, where it can; else the kernel runs behind it.
struct AtStore {
    ValueId given;      ///< the transform's result, which the kernel reads where it runs by itself
    Type type;          ///< of its words
    std::string index;  ///< the cell's number in memory, an i32
    std::string word;   ///< its word
    Body cell;          ///< thread level
};

/// The cells of its outermost axis that a kernel's blocks have: so many `blocks` that follow each other along a
/// dimension of the grid have so many `cells`, both over the names of integer parameters, and cell 0 is the first
/// block's. In the arrays of `near`, whose last axis this is, a block stores words of its cells alone, and reads none
/// that lie more than `reach` beyond them. So blocks apart need not wait for each other.
///
///   tiles of 4 planes                 cells 4, blocks 1     block b has the planes 4b … 4b + 3
///   12 tiles in each plane            cells 1, blocks 12    blocks 12z … 12z + 11 have plane z
///   4096 cells, as they are numbered  cells 4096, blocks nx * ny, numbered
struct BlockSpan {
    std::size_t along = 0;
    AxisId axis;  ///< of streams: their elements, which have no axis
    ExprRef cells, blocks;
    int block_cells = 0;  ///< of all axes, about; 0: it is not said
    int reach = 0;
    std::vector<ValueId> near{};
    /// How far some of these are used: what lies farther is read, ahead, and nothing comes of it.
    std::map<ValueId, int> used{};
    /// The same, but that beyond one end of the axis they are read at its other end.
    std::vector<ValueId> around{};
    /// Parts of a fold: what block b has are the cells with the numbers [b·cells, (b + 1)·cells) as they lie in memory,
    /// `blocks` of them a plane.
    bool numbered = false;
    std::vector<ValueId> by_block{};  ///< numbered: block b stores word b of them, and reads none
    /// Words that are the same at all cells along the axis: blocks that have cell 0 store them, and none reads them.
    std::vector<ValueId> at_first{};

    [[nodiscard]] bool is_near(ValueId value) const { return contains(near, value); }
    [[nodiscard]] int used_reach(ValueId value) const {
        const auto farthest = used.find(value);
        return farthest == used.end() ? reach : farthest->second;
    }
    [[nodiscard]] bool is_around(ValueId value) const { return contains(around, value); }
    [[nodiscard]] bool is_by_block(ValueId value) const { return contains(by_block, value); }
    [[nodiscard]] bool is_at_first(ValueId value) const { return contains(at_first, value); }

private:
    [[nodiscard]] static bool contains(const std::vector<ValueId>& values, ValueId value) {
        return std::find(values.begin(), values.end(), value) != values.end();
    }
};

/// An array that a kernel touches at one position of its last axes alone: T[z = k], of which a kernel over x and y has
/// plane k.
struct PlacedArray {
    ValueId value;
    std::vector<ExpressionRef> at;  ///< the last axis first
};

/// A place along an axis that a statement computes of its operands.
struct ListedPosition {
    std::vector<Operand> operands;
    ExpressionRef position;
};
/// An array that a kernel touches at such places of its last axis alone: T[x = px, y = py] += energy.
struct ListedArray {
    ValueId value;
    AxisId axis;
    std::vector<ListedPosition> at;
};

struct Kernel {
    std::string name;                  ///< <program>_k0
    std::vector<std::string> comment;  ///< what it computes, one line a call
    std::vector<Parameter> parameters;
    BlockShape block{1, 1, 1};
    std::array<ExprRef, 3> grid;  ///< over the names of integer parameters
    int shared_words = 0;         ///< of the block in which shared arrays have offsets
    int min_blocks = 0;           ///< __launch_bounds__' second argument; 0: none
    std::vector<FunctionVariant> functions;
    Body body;
    /// What the names of the arrays and registers of a field's value begin with, "T_new" of T_new and T_new_0.
    std::map<ValueId, std::string> value_names;
    /// Where set, the kernel needs the first of these extents to be a multiple of one number and their product to be at
    /// most another, and products of others to have bounds of their own; the host takes the next alternative elsewhere.
    struct Requirement {
        struct Product {
            std::vector<AxisId> axes;
            std::int64_t most = 0;
        };
        std::vector<AxisId> axes;
        int multiple = 1;
        std::optional<std::int64_t> most;
        std::vector<Product> others{};
        [[nodiscard]] bool holds(const std::vector<long long>& extents) const;  ///< by axis of the program
    };
    std::optional<Requirement> requirement;
    std::map<AxisId, int> lengths{};  ///< the kernel, an only one, serves these alone: the host refuses others
    std::vector<PositionCheck> positions;
    std::optional<AtStore> at_store;
    /// Arrays of one i32 each: a launch computes nothing where one of them is not more than 0. Before the kernel's
    /// first barrier nothing stores them, or no other thread is there.
    std::vector<std::string> guards{};
    std::optional<BlockSpan> span{};    ///< none: any block may touch any word
    std::vector<PlacedArray> placed{};  ///< with a span, that is of their other axes
    std::vector<ListedArray> listed{};  ///< with a span
    int line_step = 0;  ///< cells of a line that a block goes through at a time: who assumes extents takes two turns

    /// Its last block to finish goes on: the host gives it a word of memory.
    [[nodiscard]] bool counts_blocks() const {
        return std::any_of(parameters.begin(), parameters.end(), [](const Parameter& p) { return p.is_count(); });
    }
    /// Threads share elements of streams: device functions of the library touch the block's arrays.
    [[nodiscard]] bool is_of_streams() const {
        return std::any_of(functions.begin(), functions.end(), [](const FunctionVariant& f) { return !f.of_cell; });
    }
};

/// A schedule lowered. alternatives.front() is the chosen one; the next serve where its requirement does not hold; the
/// last has none.
struct Lowered {
    std::vector<Kernel> alternatives;
};

/// Names in C++ that avoid each other, C++'s and CUDA's own words, and names starting with kasc.
class Names {
public:
    Names();
    [[nodiscard]] std::string fresh(const std::string& wish);
    void take(const std::string& name) { taken_.try_emplace(name, 2); }

private:
    std::unordered_map<std::string, int> taken_;  ///< with the first number that may be free as its suffix
};

/// The invariants above: levels, declarations before use, no name twice in one scope, uniform control flow around
/// barriers. Empty, or the first that fails.
[[nodiscard]] std::string verify(const Kernel& kernel);
[[nodiscard]] std::string print(const Kernel& kernel);

}  // namespace kasc::kernel
