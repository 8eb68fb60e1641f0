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
#define APIN2 kasc::emulation::addresses().inputs[2]
#define APOUT kasc::emulation::addresses().output
#define KASC_BX kasc::emulation::addresses().block[0]
#define KASC_BY kasc::emulation::addresses().block[1]

#include "elementlib_code.hpp"  // made by support/write_elementlib_code
