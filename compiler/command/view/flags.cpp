#include "command/view/flags.hpp"

#include "command/run/flags.hpp"
#include "command/view/texts.hpp"

namespace kasc::command {

void add_view(CLI::App& app, ViewOptions& o) {
    CLI::App* sub =
        app.add_subcommand("view", "Show what is in an HDF5 file, and draw fields and series as PNG, SVG or PDF");
    sub->add_option("file", o.file, "results of kasc run, an input or output file of k-Wave")
        ->required()
        ->type_name("FILE.h5");
    sub->add_option("datasets", o.datasets, "what is drawn; default: all that is a field or a series over time")
        ->type_name("DATASET");
    sub->add_flag("--list", o.list, "say what is in the file, draw nothing");
    auto* output =
        sub->add_option(
               "-o,--output", o.output,
               "a folder for pictures FILE-DATASET.png, or the name of one picture: FILE.png, FILE.svg, FILE.pdf")
            ->type_name("DIR|FILE.png")
            ->capture_default_str();
    sub->add_option("--grid", o.grid, "a file that has dt, dx, dy, dz, as k-Wave's inputs do; default: FILE.h5 itself")
        ->type_name("FILE.h5");
    sub->add_option("--as", o.as,
                    "a field of three axes as planes across each of them, or as a slice across one; sensors as traces, "
                    "or, more than 8 of them, as a slice of sensor and time")
        ->check(CLI::IsMember({"slice", "planes", "traces"}));
    sub->add_option("--axis", o.axis, "a slice across this axis of a field of three, as x")->type_name("NAME");
    sub->add_option(
           "--at", o.at,
           "where a field of three is cut: middle; peak, where a value is farthest from 0; a cell as 12,20,31, from "
           "0; an index of a slice")
        ->check(CLI::Validator(
            [](const std::string& text) {
                return read_place(text) ? "" : "an index from 0, three of them as 12,20,31, middle, peak";
            },
            ""))
        ->type_name("INDEX|CELL|middle|peak")
        ->capture_default_str();
    sub->add_option("--sensors", o.sensors, "whose traces are drawn, from 0: 0,3-5")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::Validator([](const std::string& text) { return read_span(text) ? "" : "numbers from 0 as 0,3-5"; },
                               ""))
        ->type_name("LIST");
    sub->add_option("--range", o.range, "values of the ends of the colours, or of the curves' axis")
        ->check(
            CLI::Validator([](const std::string& text) { return read_range(text) ? "" : "two numbers as 0:3e6"; }, ""))
        ->type_name("LOW:HIGH");
    sub->add_option("--colours", o.colours, "default: balance (blue, white at 0, red) for both signs, else heat")
        ->check(CLI::IsMember({"heat", "balance", "grey"}));
    sub->add_option("--unit,--units", o.unit,
                    "of the values; default: the dataset's attribute units, or k-Wave's, where the file is k-Wave's")
        ->type_name("TEXT");
    sub->add_option("--spacing", o.spacing,
                    "how far apart cells are: x=1.5mm,y=1.5mm,t=40ns; default: as the file says")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::Validator(
            [](const std::string& text) { return read_spacing(text) ? "" : "an axis and a number as x=1.5mm"; }, ""))
        ->type_name("LIST");
    auto* movie = sub->add_option("--movie", o.movie,
                                  "in place of pictures a movie of a dataset over its first dimension, by ffmpeg: "
                                  "FILE.mp4, FILE.webm, FILE.gif")
                      ->excludes(output)
                      ->type_name("FILE.mp4");
    sub->add_option("--fps", o.fps, "frames in a second")
        ->needs(movie)
        ->check(CLI::Range(0.1, 240.0))
        ->capture_default_str()
        ->type_name("N");
    add_diagnostics(*sub, o.diagnostics);
    sub->footer(
        "Numbers beside pictures are cells and steps, or, where dx and dt are known, lengths and times: as datasets "
        "or\n"
        "attributes of the file (kasc run writes spacing_x, … where a program has dx, dy, dz or h), or by --spacing.\n"
        "Example:\n  kasc view output.h5                                     # what is in it, and pictures of it\n"
        "  kasc view output.h5 p_max_all --grid input.h5 -o focus.png --range 0:3e6\n"
        "  kasc view input.h5 c0 --axis y --at middle\n  kasc view output.h5 p --grid input.h5 --sensors 0,4-6\n"
        "  kasc view heat.h5 T -o T.pdf --spacing x=1mm,y=1mm --unit °C\n  kasc view heat.h5 frames --movie heat.mp4");
}

}  // namespace kasc::command
