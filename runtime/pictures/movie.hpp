#pragma once
// A movie, by ffmpeg, which is handed its frames one by one.

#include <functional>
#include <memory>
#include <string>

#include "foundation/outcome.hpp"
#include "runtime/pictures/pixels.hpp"

namespace kasc::runtime {

struct MovieForm {
    int width = 0, height = 0;  ///< of each frame; even
    double frames_per_second = 25;
};

/// K0731: the name's ending is none of a movie.
[[nodiscard]] Diagnostics check_movie_format(const std::string& path);
/// ffmpeg's path. K0732: it is not there.
[[nodiscard]] Outcome<std::string> find_ffmpeg();

class Movie {
public:
    /// `stop`: asked some ten times a second while ffmpeg is waited for. K0720, K0731, K0732, K0733: ffmpeg could not
    /// be started.
    [[nodiscard]] static Outcome<Movie> start(const std::string& path, const MovieForm& form,
                                              std::function<bool()> stop);
    Movie(Movie&& other) noexcept;
    Movie& operator=(Movie&&) = delete;
    /// Where it was not finished, ffmpeg ends and no file is left.
    ~Movie();

    /// False: it was stopped, or ffmpeg has ended; finish() says why.
    [[nodiscard]] bool add(const Pixels& frame);
    /// The file appears whole or not at all. K0733: ffmpeg failed, with its words; K0814: it was stopped; K0721.
    [[nodiscard]] Diagnostics finish();

private:
    struct Making;
    explicit Movie(std::unique_ptr<Making> making);
    std::unique_ptr<Making> making_;
};

}  // namespace kasc::runtime
