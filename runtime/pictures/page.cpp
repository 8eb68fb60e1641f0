// Cairo draws into memory: pixels, or the bytes of an SVG or PDF file, whose unit is a point of 1/72 inch. Letters are
// those of DejaVu Sans, or of what fontconfig finds in its place; without any font Cairo has letters of its own. They
// are not fitted to pixels, so that their widths are the same in all formats.

#include "runtime/pictures/page.hpp"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "foundation/printable.hpp"
#include "runtime/files/replacement.hpp"
#include "runtime/pictures/cairo_handle.hpp"
#include "runtime/pictures/indexed_png.hpp"

namespace kasc::runtime {

namespace {

constexpr double points_per_pixel = 72.0 / 96;

void choose_font(cairo_t* context) {
    const CairoFontOptions options(cairo_font_options_create());
    cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(context, options.get());
    cairo_select_font_face(context, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(context, text_size);
}

double width_of(cairo_t* context, const std::string& text) {
    cairo_text_extents_t extents;
    cairo_text_extents(context, text.c_str(), &extents);
    return extents.x_advance;
}

cairo_status_t append(void* file, const unsigned char* data, unsigned int length) {
    static_cast<std::string*>(file)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
}

void set_colour(cairo_t* context, Colour c) {
    cairo_set_source_rgb(context, c.red / 255.0, c.green / 255.0, c.blue / 255.0);
}

/// Cairo's pixels are words of blue, green, red and a byte without meaning.
CairoSurface surface_of(const Pixels& pixels) {
    CairoSurface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels.width, pixels.height));
    unsigned char* data = cairo_image_surface_get_data(surface.get());
    const int stride = cairo_image_surface_get_stride(surface.get());
    for (int y = 0; data != nullptr && y < pixels.height; ++y) {
        for (int x = 0; x < pixels.width; ++x) {
            const Colour c = pixels.at(x, y);
            const std::uint32_t word = static_cast<std::uint32_t>(c.red) << 16U |
                                       static_cast<std::uint32_t>(c.green) << 8U | static_cast<std::uint32_t>(c.blue);
            std::memcpy(data + static_cast<std::ptrdiff_t>(y) * stride + 4 * static_cast<std::ptrdiff_t>(x), &word, 4);
        }
    }
    cairo_surface_mark_dirty(surface.get());
    return surface;
}

/// An SVG keeps the picture as the PNG that is handed on with it.
void attach_png(cairo_surface_t* surface, const Pixels& pixels) {
    const auto png = indexed_png(pixels);
    if (!png) return;
    auto* copy = new std::string(*png);
    const auto status = cairo_surface_set_mime_data(
        surface, CAIRO_MIME_TYPE_PNG, reinterpret_cast<const unsigned char*>(copy->data()), copy->size(),
        [](void* text) { delete static_cast<std::string*>(text); }, copy);
    if (status != CAIRO_STATUS_SUCCESS) delete copy;
}

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
    return out;
}

/// Behind the first tag <svg …>: what can be found and told, since letters are drawn as curves.
void insert_words(std::string& svg, const std::string& title, const std::string& words) {
    const std::size_t tag = svg.find("<svg"), end = tag == std::string::npos ? tag : svg.find('>', tag);
    if (end == std::string::npos) return;
    svg.insert(end + 1, "\n<title>" + escaped(title) + "</title>\n<desc>" + escaped(words) + "</desc>");
}

}  // namespace

struct Page::Drawing {
    PictureFormat format;
    int width, height;
    std::string title;
    std::string file{};   ///< of SVG and PDF, as far as it is written
    std::string words{};  ///< all texts
    CairoSurface surface{};
    CairoContext context{};
};

double text_width(std::string_view line) {
    static const CairoSurface surface(cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1));
    static const CairoContext context([] {
        cairo_t* made = cairo_create(surface.get());
        choose_font(made);
        return made;
    }());
    return width_of(context.get(), printable(line));
}

Page::Page(PictureFormat format, int width, int height, const std::string& title)
    : drawing_(std::make_unique<Drawing>(Drawing{format, width, height, printable(title)})) {
    Drawing& d = *drawing_;
    const double across = width * points_per_pixel, down = height * points_per_pixel;
    if (format == PictureFormat::png) {
        d.surface.reset(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height));
    } else if (format == PictureFormat::svg) {
        d.surface.reset(cairo_svg_surface_create_for_stream(append, &d.file, across, down));
    } else {
        d.surface.reset(cairo_pdf_surface_create_for_stream(append, &d.file, across, down));
        cairo_pdf_surface_set_metadata(d.surface.get(), CAIRO_PDF_METADATA_TITLE, d.title.c_str());
        // No clock decides bytes.
        cairo_pdf_surface_set_metadata(d.surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, nullptr);
    }
    d.context.reset(cairo_create(d.surface.get()));
    if (format != PictureFormat::png) cairo_scale(d.context.get(), points_per_pixel, points_per_pixel);
    choose_font(d.context.get());
    fill({0, 0, width, height}, {255, 255, 255});
}

Page::Page(Page&& other) noexcept = default;
Page::~Page() = default;

void Page::fill(const Frame& frame, Colour colour) {
    cairo_t* context = drawing_->context.get();
    set_colour(context, colour);
    cairo_rectangle(context, frame.x, frame.y, frame.width, frame.height);
    cairo_fill(context);
}

void Page::fill(const std::vector<Point>& corners, Colour colour) {
    cairo_t* context = drawing_->context.get();
    set_colour(context, colour);
    for (const Point& corner : corners) cairo_line_to(context, corner.x, corner.y);
    cairo_close_path(context);
    cairo_fill(context);
}

void Page::line(const std::vector<Point>& points, const Frame& within, double thick, Colour colour) {
    cairo_t* context = drawing_->context.get();
    cairo_save(context);
    cairo_rectangle(context, within.x, within.y, within.width, within.height);
    cairo_clip(context);
    set_colour(context, colour);
    cairo_set_line_width(context, thick);
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND);
    for (const Point& point : points) cairo_line_to(context, point.x, point.y);
    if (points.size() == 1) cairo_line_to(context, points.front().x, points.front().y);  // a dot
    cairo_stroke(context);
    cairo_restore(context);
}

void Page::text(Point at, Anchor anchor, std::string_view line, Colour colour) {
    cairo_t* context = drawing_->context.get();
    const std::string shown = printable(line);
    drawing_->words += (drawing_->words.empty() || shown.empty() ? "" : "; ") + shown;
    const double share = anchor == Anchor::left ? 0 : anchor == Anchor::middle ? 0.5 : 1;
    set_colour(context, colour);
    // The middle of a figure is 0.365 of the size above the line that it stands on.
    cairo_move_to(context, at.x - share * width_of(context, shown), at.y + 0.365 * text_size);
    cairo_show_text(context, shown.c_str());
    cairo_new_path(context);
}

void Page::turned_text(Point at, std::string_view line, Colour colour) {
    cairo_t* context = drawing_->context.get();
    cairo_save(context);
    cairo_translate(context, at.x, at.y);
    cairo_rotate(context, -1.5707963267948966);
    text({0, 0}, Anchor::middle, line, colour);
    cairo_restore(context);
}

void Page::image(const Frame& frame, const Pixels& pixels) {
    cairo_t* context = drawing_->context.get();
    const CairoSurface surface = surface_of(pixels);
    if (drawing_->format == PictureFormat::svg) attach_png(surface.get(), pixels);
    cairo_save(context);
    cairo_translate(context, frame.x, frame.y);
    cairo_scale(context, static_cast<double>(frame.width) / pixels.width,
                static_cast<double>(frame.height) / pixels.height);
    cairo_set_source_surface(context, surface.get(), 0, 0);
    cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_NEAREST);
    cairo_paint(context);
    cairo_restore(context);
}

Pixels Page::pixels() const {
    cairo_surface_t* surface = drawing_->surface.get();
    cairo_surface_flush(surface);
    const unsigned char* data = cairo_image_surface_get_data(surface);
    const int stride = cairo_image_surface_get_stride(surface);
    Pixels pixels{drawing_->width, drawing_->height};
    pixels.colours.reserve(static_cast<std::size_t>(pixels.width) * static_cast<std::size_t>(pixels.height));
    for (int y = 0; data != nullptr && y < pixels.height; ++y) {
        for (int x = 0; x < pixels.width; ++x) {
            std::uint32_t word = 0;
            std::memcpy(&word, data + static_cast<std::ptrdiff_t>(y) * stride + 4 * static_cast<std::ptrdiff_t>(x), 4);
            pixels.colours.push_back({static_cast<std::uint8_t>(word >> 16U), static_cast<std::uint8_t>(word >> 8U),
                                      static_cast<std::uint8_t>(word)});
        }
    }
    return pixels;
}

Diagnostics Page::write(const std::string& path) {
    Drawing& d = *drawing_;
    const auto fault = [&](const std::string& why) {
        return Diagnostics{placeless("K0721", fmt::format("cannot write '{}': {}", path, why))};
    };
    if (const auto status = cairo_status(d.context.get()); status != CAIRO_STATUS_SUCCESS)
        return fault(cairo_status_to_string(status));
    if (d.format == PictureFormat::png) {
        const auto file = indexed_png(pixels());
        return file ? replace_file(path, *file) : fault("there is no memory for the picture");
    }
    cairo_show_page(d.context.get());
    cairo_surface_finish(d.surface.get());
    if (const auto status = cairo_surface_status(d.surface.get()); status != CAIRO_STATUS_SUCCESS)
        return fault(cairo_status_to_string(status));
    if (d.format == PictureFormat::svg) insert_words(d.file, d.title, d.words);
    return replace_file(path, d.file);
}

}  // namespace kasc::runtime
