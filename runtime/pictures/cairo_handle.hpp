#pragma once
// Objects of Cairo that free themselves.

#include <cairo.h>

#include <memory>

namespace kasc::runtime {

template <class T, void (*destroy)(T*)>
struct DestroyCairo {
    void operator()(T* object) const { destroy(object); }
};
template <class T, void (*destroy)(T*)>
using CairoHandle = std::unique_ptr<T, DestroyCairo<T, destroy>>;
using CairoSurface = CairoHandle<cairo_surface_t, cairo_surface_destroy>;
using CairoContext = CairoHandle<cairo_t, cairo_destroy>;
using CairoFontOptions = CairoHandle<cairo_font_options_t, cairo_font_options_destroy>;

}  // namespace kasc::runtime
