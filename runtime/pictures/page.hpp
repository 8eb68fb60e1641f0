#pragma once
// What pictures are drawn on, the same way for pixels, SVG and PDF: by Cairo. Lengths are pixels, of which an inch has
// 96; x to the right, y down.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/pictures/picture_format.hpp"
#include "runtime/pictures/pixels.hpp"

namespace kasc::runtime {

struct Frame {
    int x = 0, y = 0, width = 0, height = 0;
};

struct Point {
    double x = 0, y = 0;
};

/// The point of a text that is given: its left end, its middle or its right end, in the middle of its height.
enum class Anchor { left, middle, right };

inline constexpr double text_size = 15;  ///< of letters, pixels
inline constexpr int text_height = 18;   ///< of a line

/// In pixels, of letters of text_size. What is no UTF-8 is shown by its bytes.
[[nodiscard]] double text_width(std::string_view line);

class Page {
public:
    /// White. `title`: what the picture shows, for readers that tell it.
    Page(PictureFormat format, int width, int height, const std::string& title);
    Page(Page&& other) noexcept;
    Page& operator=(Page&&) = delete;
    ~Page();

    void fill(const Frame& frame, Colour colour);
    /// A closed line, filled.
    void fill(const std::vector<Point>& corners, Colour colour);
    /// Within the frame; round where it bends.
    void line(const std::vector<Point>& points, const Frame& within, double thick, Colour colour);
    void text(Point at, Anchor anchor, std::string_view line, Colour colour);
    /// Read from below to above; `at` is its middle.
    void turned_text(Point at, std::string_view line, Colour colour);
    /// Each pixel a rectangle of the frame.
    void image(const Frame& frame, const Pixels& pixels);

    /// Requires: png.
    [[nodiscard]] Pixels pixels() const;
    /// Ends the page. The file appears whole or not at all; the same drawing gives the same bytes. K0720, K0721.
    [[nodiscard]] Diagnostics write(const std::string& path);

private:
    struct Drawing;
    std::unique_ptr<Drawing> drawing_;
};

}  // namespace kasc::runtime
