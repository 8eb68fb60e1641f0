#include "run/hand_made_blocks.hpp"

#include <array>

#include "lower/block.hpp"

namespace kasc::test {

namespace {

using namespace kernel;
using block::Residence;
using block::StepKind;
using block::Touch;

std::shared_ptr<const AddressSet> words(std::vector<int> start, std::vector<int> offsets) {
    AddressSet set;
    set.start = std::move(start);
    set.offsets = std::move(offsets);
    return std::make_shared<const AddressSet>(std::move(set));
}

std::vector<int> counted(int from, int to, int step = 1) {
    std::vector<int> all;
    for (int k = from; k < to; k += step) all.push_back(k);
    return all;
}

ExprRef sum(const ExprRef& a, const ExprRef& b) { return binary("+", a, b); }
ExprRef times(const ExprRef& a, const ExprRef& b) { return binary("*", a, b); }

}  // namespace

HandMadeBlock two_steps() {
    constexpr int cells = 32, halo = 2;
    HandMadeBlock made;
    made.name = "two_steps";
    made.barriers = 2;
    made.text =
        "float u[x] boundary periodic, v[x] boundary periodic, w[x]; input u; v = 0.25*(u[x - 1] + u[x + 1]) + 0.5*u; "
        "w = 0.25*(v[x - 1] + v[x + 1]) + 0.5*v; return w;";
    made.arrays = {"u", "w"};
    made.extents = {{"x", 3 * cells + 5}};
    made.block.regions = {{"u_tile", Residence::shared, cells + 2 * halo}, {"v_tile", Residence::shared, cells + 2}};
    const auto own = counted(0, cells);
    const std::vector<int> two{0, 1};  // threads that compute a second cell of v
    made.block.steps = {
        {StepKind::copy, "fill", "the fill", "filled", {{0, 0, true, nullptr, {}, cells + 2 * halo}}},
        {StepKind::compute,
         "first step",
         "the first step",
         "computed",
         {{0, 0, false, words(own, {0, 1, 2})},
          {0, 0, false, words({cells, cells + 1}, {0, 1, 2}), two},
          {1, 0, true, words(own, {0})},
          {1, 0, true, words({cells, cells + 1}, {0}), two}}},
        {StepKind::store, "second step", "the second step", "", {{1, 0, false, words(own, {0, 1, 2})}}}};
    made.block = with_barriers(std::move(made.block));

    const ExprRef w = name("word"), nx = name("nx"), t = thread_index(Dimension::x);
    const ExprRef first = multiply(block_index(Dimension::x), integer(cells));
    const auto step = [&](const char* tile, const ExprRef& at) {
        return sum(times(real(0.25F), sum(element(tile, at), element(tile, add(at, integer(2))))),
                   times(real(0.5F), element(tile, add(at, integer(1)))));
    };
    const ExprRef wrapped = modulo(add(subtract(add(first, w), integer(halo)), nx), nx);
    std::vector<Body> steps{
        {{Threads{{{For{"word",
                        t,
                        integer(cells + 2 * halo),
                        cells,
                        0,
                        {{Assign{element("u_tile", w), element("u", wrapped)}}}}}}}}},
        {{Threads{
            {{For{"word", t, integer(cells + 2), cells, 0, {{Assign{element("v_tile", w), step("u_tile", w)}}}}}}}}},
        {{Threads{{{Let{Type::i32, "x", add(first, t)}},
                   {If{binary("<", name("x"), nx), {{Assign{element("w", name("x")), step("v_tile", t)}}}, {}}}}}}}};
    made.kernel.block = {cells, 1, 1};
    made.kernel.grid = {divide(add(nx, integer(cells - 1)), integer(cells)), integer(1), integer(1)};
    made.kernel.body = declare_shared(made.block, {"u_tile", "v_tile"}, {Type::f32, Type::f32});
    for (kernel::Statement& s : lower_block(made.block, std::move(steps))) made.kernel.body.push_back(std::move(s));
    return made;
}

HandMadeBlock sum_of_rows() {
    constexpr int lanes = 64;
    HandMadeBlock made;
    made.name = "sum_of_rows";
    made.barriers = 6;  // none before the store: the first lane made the last join itself
    made.text = "float u[x, y], v[x, y], s[y]; input u; v = 2*u - 1; s = sum(v, x); return v, s;";
    made.arrays = {"u", "v", "s"};
    made.extents = {{"x", 3 * lanes + 7}, {"y", 5}};
    made.block.regions = {{"lanes", Residence::shared, lanes, 1, 8}};
    const auto of = [](std::vector<int> offsets, int threads, bool writes) {
        return Touch{0, 0, writes, words(counted(0, threads), std::move(offsets)), counted(0, threads)};
    };
    made.block.steps = {{StepKind::fold, "fold", "the fold", "folded", {of({0}, lanes, true)}}};
    for (int half = lanes / 2; half > 0; half /= 2)
        made.block.steps.push_back(
            {StepKind::exchange, "join", "the join", "joined", {of({0, half}, half, false), of({0}, half, true)}});
    made.block.steps.push_back({StepKind::store, "store", "the store", "", {of({0}, 1, false)}});
    made.block = with_barriers(std::move(made.block));

    const ExprRef x = name("x"), nx = name("nx"), t = thread_index(Dimension::x), y = block_index(Dimension::x);
    const ExprRef at = add(multiply(wide(y), nx), x);
    std::vector<Body> steps{
        {{Threads{{{kernel::Variable{Type::f64, "folded", real(0, Precision::dual)}},
                   {For{"x",
                        t,
                        nx,
                        lanes,
                        0,
                        {{Let{Type::f32, "v_0", binary("-", times(real(2.0F), element("u", at)), real(1.0F))}},
                         {Assign{element("v", at), name("v_0")}},
                         {Assign{name("folded"), sum(name("folded"), convert(Type::f64, name("v_0")))}}}}},
                   {Assign{element("lanes", t), name("folded")}}}}}}};
    for (int half = lanes / 2; half > 0; half /= 2) {
        const kernel::Statement join{
            Assign{element("lanes", t), sum(element("lanes", t), element("lanes", add(t, integer(half))))}};
        steps.push_back({{Threads{{{If{binary("<", t, integer(half)), {join}, {}}}}}}});
    }
    const kernel::Statement store{Assign{element("s", y), convert(Type::f32, element("lanes", t))}};
    steps.push_back({{Threads{{{If{binary("==", t, integer(0)), {store}, {}}}}}}});
    made.kernel.block = {lanes, 1, 1};
    made.kernel.grid = {name("ny"), integer(1), integer(1)};
    made.kernel.body = declare_shared(made.block, {"lanes"}, {Type::f64});
    for (kernel::Statement& s : lower_block(made.block, std::move(steps))) made.kernel.body.push_back(std::move(s));
    return made;
}

namespace {

struct ComplexExpr {
    ExprRef re, im;
};

/// The sum of four numbers, the m-th times (-i)^(m·j).
ComplexExpr of_four(const std::array<ComplexExpr, 4>& z, int j) {
    ComplexExpr all = z[0];
    for (int m = 1; m < 4; ++m) {
        const ComplexExpr& n = z[static_cast<std::size_t>(m)];
        switch (m * j % 4) {
            case 0:
                all = {sum(all.re, n.re), sum(all.im, n.im)};
                break;
            case 1:
                all = {sum(all.re, n.im), binary("-", all.im, n.re)};
                break;
            case 2:
                all = {binary("-", all.re, n.re), binary("-", all.im, n.im)};
                break;
            default:
                all = {binary("-", all.re, n.im), sum(all.im, n.re)};
                break;
        }
    }
    return all;
}

}  // namespace

// Points n = 4 m + t and k = j + 4 q of a transform of 16: exp(-2πi nk/16) is (-i)^(mj) · exp(-2πi tj/16) · (-i)^(tq).
HandMadeBlock transform() {
    constexpr int points = 16, threads = 4, lines = 8;
    HandMadeBlock made;
    made.name = "transform";
    made.barriers = 1;
    made.text =
        "float re[x, l], im[x, l], R[k, l], I[k, l], scale[k]; param float w = 0.39269908169872414; input re, im, "
        "scale; "
        "R = scale*0 + sum(re*cos(w*(x*k)) + im*sin(w*(x*k)), x); I = scale*0 + sum(im*cos(w*(x*k)) - re*sin(w*(x*k)), "
        "x); "
        "return R, I;";
    made.arrays = {"re", "im", "scale", "R", "I"};
    made.extents = {{"x", points}, {"k", points}, {"l", 2 * lines + 3}};
    for (const char* part : {"re_line", "im_line"})
        made.block.regions.push_back({part, Residence::shared, points * lines});
    std::vector<int> written, read;
    for (int line = 0; line < lines; ++line) {
        for (int t = 0; t < threads; ++t) written.push_back(line * points + 4 * t), read.push_back(line * points + t);
    }
    const auto left = words(written, {0, 1, 2, 3}), taken = words(read, {0, 4, 8, 12});
    made.block.steps = {
        {StepKind::compute, "first pass", "the first pass", "left", {{0, 0, true, left}, {1, 0, true, left}}},
        {StepKind::exchange, "exchange", "the exchange", "took", {{0, 0, false, taken}, {1, 0, false, taken}}}};
    made.block = with_barriers(std::move(made.block));

    const ExprRef t = thread_index(Dimension::x), ty = thread_index(Dimension::y), nl = name("nl");
    const ExprRef line = add(multiply(block_index(Dimension::x), integer(lines)), ty);
    const auto word = [&](const ExprRef& point) { return add(multiply(name("l"), integer(points)), point); };
    Body first{{Let{Type::i32, "l", minimum(line, subtract(nl, integer(1)))}}}, second{{Let{Type::i32, "l", line}}};
    std::array<ComplexExpr, 4> z;
    for (int m = 0; m < 4; ++m) {
        const std::string number = std::to_string(m);
        for (const std::string part : {"re", "im"})
            first.push_back({Let{Type::f32, part + number, element(part, word(add(t, integer(4 * m))))}});
        z[static_cast<std::size_t>(m)] = {name("re" + number), name("im" + number)};
    }
    for (int j = 0; j < 4; ++j) {
        const std::string number = std::to_string(j);
        const ComplexExpr made_j = of_four(z, j);
        first.push_back({Let{Type::f32, "a" + number, made_j.re}});
        first.push_back({Let{Type::f32, "b" + number, made_j.im}});
        const ExprRef a = name("a" + number), b = name("b" + number);
        const ExprRef angle = times(real(0.39269908169872414F), convert(Type::f32, multiply(t, integer(j))));
        const ExprRef c = math_call("cosf", {angle}), s = math_call("sinf", {angle});
        const ExprRef at = add(add(multiply(ty, integer(points)), multiply(t, integer(4))), integer(j));
        first.push_back({Assign{element("re_line", at), sum(times(a, c), times(b, s))}});
        first.push_back({Assign{element("im_line", at), binary("-", times(b, c), times(a, s))}});
    }
    for (int m = 0; m < 4; ++m) {
        const ExprRef at = add(add(multiply(ty, integer(points)), t), integer(4 * m));
        z[static_cast<std::size_t>(m)] = {element("re_line", at), element("im_line", at)};
    }
    Body stores;
    for (int q = 0; q < 4; ++q) {
        const ComplexExpr made_q = of_four(z, q);
        stores.push_back({Assign{element("R", word(add(t, integer(4 * q)))), made_q.re}});
        stores.push_back({Assign{element("I", word(add(t, integer(4 * q)))), made_q.im}});
    }
    second.push_back({If{binary("<", name("l"), nl), std::move(stores), {}}});
    made.kernel.block = {threads, lines, 1};
    made.kernel.grid = {divide(add(nl, integer(lines - 1)), integer(lines)), integer(1), integer(1)};
    made.kernel.body = declare_shared(made.block, {"re_line", "im_line"}, {Type::f32, Type::f32});
    for (kernel::Statement& s :
         lower_block(made.block, {{{Threads{std::move(first)}}}, {{Threads{std::move(second)}}}}))
        made.kernel.body.push_back(std::move(s));
    return made;
}

}  // namespace kasc::test
