#include "tune/export_t4.hpp"

#include <gtest/gtest.h>

namespace kasc::tune {
namespace {

TEST(ExportT4, TwoResults) {
    const TuningKey key{"p", "l", "n=64", "dt=0.5", "cuda", "GPU", "GPU", "580", "13.0", "0.1"};
    Measurement good;
    good.plan = "program: [0] x";
    good.parts = "1";
    good.position = 1;
    good.predicted_ns = 2e6;
    good.compilation_s = 0.5;
    good.times_ns = {1e6, 3e6};
    good.copy_gb_s = 3000;
    Measurement bad = good;
    bad.position = 2;
    bad.invalidity = "timeout";
    bad.times_ns.clear();
    EXPECT_EQ(export_t4(key, {good, bad}), R"({
  "schema_version": "1.0.0",
  "metadata": {
    "program": "p",
    "library": "l",
    "sizes": "n=64",
    "parameters": "dt=0.5",
    "target": "cuda",
    "device": "GPU",
    "driver": "580",
    "compiler": "13.0",
    "kasc": "0.1"
  },
  "results": [
    {
      "configuration": {
        "plan": "program: [0] x",
        "kernels": "1",
        "position": "1"
      },
      "times": {
        "compilation_time": 500.0,
        "compilation": 500.0,
        "runtimes": [
          1.0,
          3.0
        ],
        "benchmark": 4.0,
        "framework": 0.0,
        "search_algorithm": 0.0,
        "validation": 0.0
      },
      "invalidity": "correct",
      "correctness": 1,
      "measurements": [
        {
          "name": "time",
          "value": 2.0,
          "unit": "ms"
        },
        {
          "name": "predicted",
          "value": 2.0,
          "unit": "ms"
        },
        {
          "name": "low_quartile",
          "value": 1.5,
          "unit": "ms"
        },
        {
          "name": "high_quartile",
          "value": 2.5,
          "unit": "ms"
        },
        {
          "name": "copy_rate",
          "value": 3000.0,
          "unit": "GB/s"
        }
      ],
      "objectives": [
        "time"
      ]
    },
    {
      "configuration": {
        "plan": "program: [0] x",
        "kernels": "1",
        "position": "2"
      },
      "times": {
        "compilation_time": 500.0,
        "compilation": 500.0,
        "runtimes": [],
        "benchmark": 0.0,
        "framework": 0.0,
        "search_algorithm": 0.0,
        "validation": 0.0
      },
      "invalidity": "timeout",
      "correctness": 0,
      "measurements": [
        {
          "name": "predicted",
          "value": 2.0,
          "unit": "ms"
        }
      ],
      "objectives": [
        "time"
      ]
    }
  ]
}
)");
}

}  // namespace
}  // namespace kasc::tune
