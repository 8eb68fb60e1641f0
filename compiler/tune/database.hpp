#pragma once
// Results of tuning on disk, in SQLite: every result is there for good as soon as it is stored, whatever happens next.

#include <filesystem>
#include <memory>
#include <optional>

#include "foundation/outcome.hpp"
#include "tune/key.hpp"
#include "tune/measurement.hpp"

struct sqlite3;

namespace kasc::tune {

/// The best plan that was measured of a program on a device.
struct BestMeasured {
    TuningKey key;
    Measurement measurement;
    int measured = 0;  ///< valid plans of the same key
};

class TuningDatabase {
public:
    /// Made where missing, its folder too. K0820 it cannot be opened or made, K0821 it is damaged or no database of
    /// kasc's, K0822 it is from a newer kasc.
    [[nodiscard]] static Outcome<TuningDatabase> open(const std::filesystem::path& path);

    /// Takes the place of an earlier result of the same key and plan. K0820, K0821.
    [[nodiscard]] Diagnostics store(const TuningKey& key, const Measurement& measurement);
    /// By position, then by plan. K0820, K0821.
    [[nodiscard]] Outcome<std::vector<Measurement>> load(const TuningKey& key) const;
    /// The best that was measured of key.program, key.library, key.target, key.model, and key.device where that is not
    /// empty; of the sizes nearest to key.sizes (see size_distance), of key.parameters where there are such, among
    /// these of the compiler and versions with the least time. Value-less: none.
    [[nodiscard]] Outcome<std::optional<BestMeasured>> best(const TuningKey& key) const;

private:
    struct Close {
        void operator()(sqlite3* handle) const;
    };
    explicit TuningDatabase(std::filesystem::path path) : path_(std::move(path)) {}
    std::filesystem::path path_;
    std::unique_ptr<sqlite3, Close> handle_;

    [[nodiscard]] Diagnostic fault() const;
    [[nodiscard]] Diagnostics prepare_schema();
};

/// $XDG_DATA_HOME/kasc/tuning.sqlite, or below ~/.local/share.
[[nodiscard]] std::filesystem::path default_database();

}  // namespace kasc::tune
