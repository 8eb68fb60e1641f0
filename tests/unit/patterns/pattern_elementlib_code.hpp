#pragma once
// The element library's files as C++: the constants of the device code are the emulator's variables.

// Its pragmas and unused coordinates are the device compiler's business.
#pragma GCC system_header

#include <math.h>

#include "pattern_block_emulator.hpp"

#define __device__
#define APLS kasc::emulation::addresses().transfer
#define APIN0 kasc::emulation::addresses().inputs[0]
#define APIN1 kasc::emulation::addresses().inputs[1]
#define APOUT kasc::emulation::addresses().output
#define KASC_BX kasc::emulation::addresses().block[0]
#define KASC_BY kasc::emulation::addresses().block[1]
#define MMUL33_1_BY KASC_BY
#define MMUL33_2_BX KASC_BX
#define MMUL55_1_BY KASC_BY
#define MMUL55_2_BX KASC_BX
#define MVMUL33_1_BY KASC_BY
#define MVMUL33_2_BX KASC_BX
#define VENORM3_1_BX KASC_BX
#define VENORM3_2_BX KASC_BX
#define SMMUL55_1_BY KASC_BY
#define SMMUL55_2_BX KASC_BX
#define SMMUL55_3_BX KASC_BX
#define MADD33_1_BY KASC_BY
#define MADD33_2_BX KASC_BX
#define MADD33_3_BX KASC_BX
#define SVMUL3_1_BY KASC_BY
#define SVMUL3_2_BX KASC_BX
#define SVMUL3_3_BX KASC_BX

#include "../../../elementlib/stream/types.cuh"
namespace mmul33 {
#include "../../../elementlib/stream/mmul33.cu"
}
namespace mmul55 {
#include "../../../elementlib/stream/mmul55.cu"
}
namespace mvmul33 {
#include "../../../elementlib/stream/mvmul33.cu"
}
namespace venorm3 {
#include "../../../elementlib/stream/venorm3.cu"
}
namespace smmul55 {
#include "../../../elementlib/stream/smmul55.cu"
}
namespace madd33 {
#include "../../../elementlib/stream/madd33.cu"
}
namespace svmul3 {
#include "../../../elementlib/stream/svmul3.cu"
}
