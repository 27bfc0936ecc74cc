// CountedHeap: the number of heap bytes that this test program holds. The test program's own operator new counts these
// bytes, so that the figure does not depend on the load of the machine.
#pragma once
#include <cstddef>

/// Returns the bytes that operator new returned and operator delete has not freed, rounded up as malloc rounds them.
std::size_t heldBytes();
