#pragma once
// Programs that are run in pieces.

#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace kasc {

struct SeriesCase {
    bool input = true;
    std::size_t position = 0;
    long long row_words = 0, extent = 0;
    long long start = 0, iterations = 0, from = 0;  ///< of its loop: iterations before it, its own, its first row

    /// The row of the iteration; none where it is another loop's.
    [[nodiscard]] std::optional<long long> row(long long done) const {
        if (done < start || done >= start + iterations) return std::nullopt;
        return from + done - start;
    }
};
struct PiecesCase {
    std::string name, source;
    std::vector<long long> extents;
    std::vector<double> parameters;
    std::vector<std::size_t> input_words, output_words;
    std::vector<SeriesCase> series;
    std::vector<std::string> state;  ///< at the first iteration, of every plan
    int steps = 1;                   ///< of the loop in a kernel, in the first plan
};
inline std::ostream& operator<<(std::ostream& out, const PiecesCase& c) { return out << c.name; }

inline const std::vector<PiecesCase> pieces_cases{
    {"series",
     "param int steps; param float dt;\n"
     "float T[x, y] boundary keep(1), q[x, y, t], on[t], movie[x, y, t], z[x, y];\n"
     "input T, q, on;\n"
     "z = T * 2;\n"
     "for (n = 0; n < steps; n++) {\n"
     "    T = T + dt*(T[-1,0] + T[1,0] + T[0,-1] + T[0,1] - 4*T + q[t = n]*on[t = n]);\n"
     "    movie[t = n, x = 3] = T[x = 1] + z[x = 2];\n"
     "}\n"
     "return T, movie;\n",
     {8, 5, 7},
     {6, 0.1},
     {40, 280, 7},
     {40, 280},
     {{true, 1, 40, 7, 0, 6, 0}, {false, 1, 40, 7, 0, 6, 0}},
     {"T.1", "z", "movie"}},
    {"loops",
     "param int a; param int b;\n"
     "float u[x] boundary periodic, v[x] boundary mirror, w[x], r[x, k], s[x, l], sum[l];\n"
     "input u, v;\n"
     "w = u * 2;\n"
     "for (n = 0; n < a; n++) {\n"
     "    u = u[-1] + 0.5*v;\n"
     "    for (m = 0; m < 3; m++) { v = v[1] - 0.25*w; }\n"
     "    r[k = n] = u + w;\n"
     "}\n"
     "w = u - w;\n"
     "for (i = 1; i < b; i++) {\n"
     "    v = v + 0.125*(u[1] - v[-1]);\n"
     "    s[l = i] = v * w;\n"
     "    sum[l = i] = v[x = 1];\n"
     "}\n"
     "return u, v, r, s, sum;\n",
     {9, 3, 5},
     {3, 5},
     {9, 9},
     {9, 9, 27, 45, 5},
     {{false, 2, 9, 3, 0, 3, 0}, {false, 3, 9, 5, 3, 4, 1}},
     {"u.1", "v.1", "w.0", "r"}},
    {"probes",
     "param int steps;\n"
     "axis p = 5; axis s = 3;\n"
     "float T[x, y] boundary mirror, dose[x, y] boundary mirror, rec[p, t], most[p], square[s], inner[s]; int px[p], "
     "py[p];\n"
     "input T;\n"
     "px = 3*p % extent(x); py = p; dose = 0; most = -9; square = 0; inner = 0;\n"
     "for (n = 0; n < steps; n++) {\n"
     "    T = T + 0.1*(T[-1, 0] + T[1, 0] + T[0, -1] + T[0, 1] - 4*T);\n"
     "    dose = dose + 0.5*T;\n"
     "    rec[t = n] = T[x = px, y = py] + n;\n"
     "    most = max(most, T[x = px, y = py]);\n"
     "    square = square + (n + 1)*T[x = s, y = 1]*T[x = s, y = 2];\n"
     "    for (m = 1; m < 4; m++) {\n"
     "        dose = 0.75*dose[1, 0] + 0.25*dose[0, 1];\n"
     "        inner = inner + m*dose[x = s + m, y = n];\n"
     "    }\n"
     "}\n"
     "return T, dose, rec, most, square, inner;\n",
     {8, 6, 5, 5, 3},
     {5},
     {48},
     {48, 48, 25, 5, 3, 3},
     {{false, 2, 5, 5, 0, 5, 0}},
     {"T.1", "dose.1", "most.1", "square.1", "inner.1", "px", "py", "rec"}},
    {"spectra",
     "param int steps;\n"
     "float p[x, y, z], u[x, y, z], r[y, t];\n"
     "axis kx = half(x);\n"
     "float damp[kx]; complex P[kx, y, z];\n"
     "input p;\n"
     "damp = 1/(1 + 0.125*kx); u = 0.5*p;\n"
     "for (n = 0; n < steps; n++) {\n"
     "    P = fft(p);\n"
     "    u = 0.75*u + 0.25*ifft(damp*P);\n"
     "    p = u + 0.125*ifft(damp*fft(u*u));\n"
     "    r[t = n] = p[x = 1, z = 2];\n"
     "}\n"
     "return p, u, r;\n",
     {8, 6, 5, 4, 5},
     {4},
     {240},
     {240, 240, 24},
     {{false, 2, 6, 4, 0, 4, 0}},
     {"p.1", "u.1", "damp", "r"}},
    {"steps",
     "param int steps;\n"
     "float u[x, y] boundary periodic, v[x, y] boundary keep(1), before[x, y], lap[x, y], w[x, y];\n"
     "input u, v, w;\n"
     "before = u; w = 0.5*w; lap = 0;\n"
     "for (n = 2; n < steps; n++) {\n"
     "    lap = u[-1, 0] + u[1, 0] + u[0, -1] + u[0, 1] - 4*u;\n"
     "    v = v + 0.1*(v[0, 1] + v[1, 0] - 2*v) + w*n;\n"
     "    u = u + 0.01*lap - 0.125*(before - v);\n"
     "    before = u[1, 1];\n"
     "}\n"
     "for (m = 0; m < 5; m++) { v = v + 0.25*(u[1, 0] - v); }\n"
     "return u, v, lap, before;\n",
     {9, 8},
     {21},
     {72, 72, 72},
     {72, 72, 72, 72},
     {},
     {"u.1", "v.1", "before.1", "lap.1", "w.1"},
     4},
    {"treatment",
     "param int steps; param float dt; param int at;\n"
     "axis s = 3; axis p = 4;\n"
     "float T[x, y] boundary keep(1), q[x, y], on[t], heat[s, t], dose[x, y] boundary mirror, probe[t], rec[p, t];\n"
     "float movie[x, y, t], most[p]; int sx[s], sy[s], px[p], py[p];\n"
     "input T, q, on, heat;\n"
     "require(distinct(sx, sy));\n"
     "sx = 2*s + 1; sy = s + 1; px = 2*p; py = p; dose = 0; most = -9;\n"
     "for (n = 0; n < steps; n++) {\n"
     "    T = T + dt*(T[-1,0] + T[1,0] + T[0,-1] + T[0,1] - 4*T + q*on[t = n > 0 ? n - 1 : 0]);\n"
     "    T[x = sx, y = sy] += heat[t = n];\n"
     "    dose = dose + (T < 0 ? 0.25 : 0.5)*T + 0.001*n;\n"
     "    probe[t = n] = T[x = at, y = 2];\n"
     "    rec[t = n] = T[x = px, y = py] + n;\n"
     "    movie[t = n] = dose[1, 0];\n"
     "    most = max(most, T[x = px, y = py]);\n"
     "}\n"
     "return T, dose, probe, rec, movie, most;\n",
     {9, 8, 11, 3, 4},
     {11, 0.1, 4},
     {72, 72, 11, 33},
     {72, 72, 11, 44, 792, 4},
     {{true, 3, 3, 11, 0, 11, 0}, {false, 3, 4, 11, 0, 11, 0}, {false, 4, 72, 11, 0, 11, 0}},
     {"T.1", "dose.1", "most.1", "px", "py", "T_number.1", "T_marked.1", "probe", "movie", "rec"},
     4},
    {"conditions",
     "param int steps; param int every;\n"
     "axis s = 5; axis t = 2;\n"
     "float T[x, y] boundary mirror, q[x, y], last[x, y], movie[x, y, t], energy[s], mean_of[s], on[x, u];\n"
     "input T, q, last, on;\n"
     "mean_of = 0;\n"
     "for (n = 0; n < steps; n++) {\n"
     "    T = T + 0.1*(T[-1, 0] + T[1, 0] + T[0, -1] + T[0, 1] - 4*T) + 0.01*on[u = n];\n"
     "    if (n % every == 1) { energy[s = n/every] = sum(T*T); mean_of[s = n/every] = sum(T - last)/extent(x); }\n"
     "    if (n < 2 || n == 11) { T = T + 0.5*q; last = last + T; }\n"
     "    if (n % 10 == 5) { movie[t = n/10] = last[0, 0] + T; }\n"
     "}\n"
     "return T, energy, mean_of, movie, last;\n",
     {9, 8, 2, 5, 19},
     {19, 4},
     {72, 72, 72, 171},
     {72, 5, 5, 144, 72},
     {{true, 3, 9, 19, 0, 19, 0}},
     {"T.1", "mean_of.1", "last.1", "energy", "movie"},
     3},
    {"converging",
     "param int most; param float tol;\n"
     "float u[x, y] boundary keep(1), f[x, y], next[x, y], residual[];\n"
     "input u, f;\n"
     "residual = 1;\n"
     "for (n = 0; n < most && residual > tol; n++) {\n"
     "    next = 0.25*(u[-1, 0] + u[1, 0] + u[0, -1] + u[0, 1] - f);\n"
     "    if (n % 5 == 3) { residual = maximum(abs(next - u)); }\n"
     "    u = next;\n"
     "}\n"
     "f = 2*u;\n"
     "return u, residual, f;\n",
     {9, 8},
     {50, 0.3},
     {72, 72},
     {72, 1, 72},
     {},
     {"u.1", "goes_on.1", "residual.1"},
     3},
    {"streams",
     "matrix3x3 A, P;\nparam int power;\ninput A, P;\n"
     "for (i = 0; i < power; i++) { P = mmul33(P, A); }\n"
     "return P;\n",
     {77},
     {5},
     {693, 693},
     {693},
     {},
     {}},
};

}  // namespace kasc
