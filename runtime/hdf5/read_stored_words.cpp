// A piece that lies as it will lie in memory is read in slices that fit a core's cache, and looked through while they
// are there; where the words of cells go to an array each, by way of a buffer. Other pieces are read and unpacked to a
// buffer, and copied run by run:
//
//     dataset (4, 6), chunk (2, 4) at (2, 4)      its last 2 columns are beyond: runs (2, 4..5) and (3, 4..5)

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "foundation/parallel.hpp"
#include "runtime/hdf5/part_target.hpp"
#include "runtime/hdf5/stored_words.hpp"

namespace kasc::runtime {

namespace {

/// Bytes that stay in a core's own cache between reading and looking.
constexpr std::uint64_t slice_bytes = std::uint64_t{1} << 18U;

using Buffer = std::unique_ptr<std::byte[]>;
Buffer make_buffer(std::uint64_t bytes) { return std::make_unique_for_overwrite<std::byte[]>(bytes); }

bool read_all(int descriptor, std::uint64_t place, std::byte* to, std::uint64_t bytes) {
    while (bytes > 0) {
        const ssize_t got = pread(descriptor, to, bytes, static_cast<off_t>(place));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        to += got;
        place += static_cast<std::uint64_t>(got);
        bytes -= static_cast<std::uint64_t>(got);
    }
    return true;
}

/// True: it unpacks to just so many bytes.
bool inflate_all(std::byte* packed, std::uint64_t packed_bytes, std::byte* to, std::uint64_t bytes) {
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) return false;
    stream.next_in = reinterpret_cast<Bytef*>(packed);
    stream.avail_in = static_cast<uInt>(packed_bytes);
    stream.next_out = reinterpret_cast<Bytef*>(to);
    stream.avail_out = static_cast<uInt>(bytes);
    const bool whole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0;
    inflateEnd(&stream);
    return whole;
}

/// Shuffled are first all words' first bytes, then all second ones, …
template <std::size_t size>
void unshuffle_words(const std::byte* shuffled, std::byte* to, std::uint64_t words) {
    for (std::uint64_t i = 0; i < words; ++i) {
        for (std::size_t b = 0; b < size; ++b) to[i * size + b] = shuffled[b * words + i];
    }
}

void unshuffle(const std::byte* shuffled, std::byte* to, std::uint64_t words, std::size_t word_bytes) {
    if (word_bytes == 4) return unshuffle_words<4>(shuffled, to, words);
    if (word_bytes == 8) return unshuffle_words<8>(shuffled, to, words);
    for (std::uint64_t i = 0; i < words; ++i) {
        for (std::size_t b = 0; b < word_bytes; ++b) to[i * word_bytes + b] = shuffled[b * words + i];
    }
}

/// What is read at one go: a slice of a piece, or all of it.
struct Portion {
    const StoredPiece* piece;
    std::uint64_t from = 0, bytes = 0;  ///< within the piece
};

class PieceReader {
public:
    PieceReader(const StoredWords& stored, const DatasetPart& part, void* values)
        : stored_(stored), type_(part.type), low_(part.start()), shape_(part.shape()), target_(part, values) {
        words_a_piece_ = cell_count(stored.piece_shape).value_or(0);
    }

    /// A piece of which all is wanted, and whose words lie together in memory, in slices.
    [[nodiscard]] std::vector<Portion> portions() const {
        std::vector<Portion> all;
        for (const StoredPiece& piece : stored_.pieces) {
            const std::uint64_t step = is_plain() && lies_together(piece) ? slice_bytes : piece.bytes;
            for (std::uint64_t from = 0; from < piece.bytes; from += step)
                all.push_back({&piece, from, std::min(step, piece.bytes - from)});
        }
        return all;
    }

    [[nodiscard]] std::optional<NotFiniteCount> read(const Portion& portion) const {
        const StoredPiece& piece = *portion.piece;
        if (!lies_together(piece)) {
            const Buffer unpacked = make_buffer(words_a_piece_ * stored_.word_bytes);
            if (!unpack(piece, unpacked.get())) return std::nullopt;
            return scatter(piece, unpacked.get());
        }
        const std::uint64_t word = offset_of(piece.first) + portion.from / stored_.word_bytes;
        const std::uint64_t words = is_plain() ? portion.bytes / stored_.word_bytes : words_a_piece_;
        if (target_.is_one_array()) {
            if (!read_portion(portion, target_.at(word))) return std::nullopt;
            return count_not_finite(type_, target_.at(word), words, word);
        }
        const Buffer buffer = make_buffer(words * stored_.word_bytes);
        if (!read_portion(portion, buffer.get())) return std::nullopt;
        return target_.put(buffer.get(), word, words);
    }

private:
    [[nodiscard]] bool is_plain() const { return !stored_.deflated && !stored_.shuffled; }

    /// None of it is beyond what is wanted, and it is as wide as that in all dimensions behind the first in which it
    /// has more than one word.
    [[nodiscard]] bool lies_together(const StoredPiece& piece) const {
        bool one = true;
        for (std::size_t d = 0; d < shape_.size(); ++d) {
            const std::uint64_t width = stored_.piece_shape[d];
            if (piece.first[d] < low_[d] || piece.first[d] + width > low_[d] + shape_[d]) return false;
            if (!one && width != shape_[d]) return false;
            one = one && width == 1;
        }
        return true;
    }

    /// The place of a word of the dataset among those that are wanted.
    [[nodiscard]] std::uint64_t offset_of(const Shape& word) const {
        std::uint64_t offset = 0;
        for (std::size_t d = 0; d < shape_.size(); ++d) offset = offset * shape_[d] + word[d] - low_[d];
        return offset;
    }

    /// Requires: the piece lies together.
    [[nodiscard]] bool read_portion(const Portion& portion, std::byte* to) const {
        if (!is_plain()) return unpack(*portion.piece, to);
        return read_all(stored_.descriptor, portion.piece->place + portion.from, to, portion.bytes);
    }

    [[nodiscard]] bool unpack(const StoredPiece& piece, std::byte* to) const {
        const std::uint64_t bytes = words_a_piece_ * stored_.word_bytes;
        if (is_plain()) return piece.bytes == bytes && read_all(stored_.descriptor, piece.place, to, bytes);
        Buffer packed = make_buffer(piece.bytes);
        if (!read_all(stored_.descriptor, piece.place, packed.get(), piece.bytes)) return false;
        if (!stored_.shuffled) return inflate_all(packed.get(), piece.bytes, to, bytes);
        if (stored_.deflated) {
            Buffer shuffled = make_buffer(bytes);
            if (!inflate_all(packed.get(), piece.bytes, shuffled.get(), bytes)) return false;
            packed = std::move(shuffled);
        } else if (piece.bytes != bytes) {
            return false;
        }
        unshuffle(packed.get(), to, words_a_piece_, stored_.word_bytes);
        return true;
    }

    NotFiniteCount scatter(const StoredPiece& piece, const std::byte* unpacked) const {
        const std::size_t rank = shape_.size();
        Shape from(rank), to(rank);  // of the piece in the dataset, without what is beyond
        for (std::size_t d = 0; d < rank; ++d) {
            from[d] = std::max(piece.first[d], low_[d]);
            to[d] = std::min(piece.first[d] + stored_.piece_shape[d], low_[d] + shape_[d]);
        }
        const std::uint64_t run = to[rank - 1] - from[rank - 1];
        NotFiniteCount found;
        for (Shape at = from;;) {
            std::uint64_t source = 0;
            for (std::size_t d = 0; d < rank; ++d) source = source * stored_.piece_shape[d] + at[d] - piece.first[d];
            found.add(target_.put(unpacked + source * stored_.word_bytes, offset_of(at), run));
            std::size_t d = rank - 1;
            while (d > 0 && ++at[d - 1] == to[d - 1]) {
                at[d - 1] = from[d - 1];
                --d;
            }
            if (d == 0) return found;
        }
    }

    const StoredWords& stored_;
    WordType type_;
    Shape low_, shape_;  ///< what is wanted of the dataset
    PartTarget target_;
    std::uint64_t words_a_piece_ = 0;
};

}  // namespace

std::optional<NotFiniteCount> read_stored_words(const StoredWords& stored, const DatasetPart& part, void* values) {
    const PieceReader reader(stored, part, values);
    const std::vector<Portion> portions = reader.portions();
    std::vector<NotFiniteCount> found(portions.size());
    std::atomic<bool> whole = true;
    parallel_for(portions.size(), [&](std::size_t i) {
        if (!whole) return;
        try {
            const auto there = reader.read(portions[i]);
            if (there) found[i] = *there;
            if (!there) whole = false;
        } catch (const std::bad_alloc&) {
            whole = false;  // HDF5 holds one chunk at a time
        }
    });
    if (!whole) return std::nullopt;
    NotFiniteCount all;
    for (const NotFiniteCount& piece : found) all.add(piece);
    return all;
}

}  // namespace kasc::runtime
