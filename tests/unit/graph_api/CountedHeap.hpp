// CountedHeap: how many bytes of the heap this test program holds. Counted by its own operator new, so that a figure is
// the same on a busy machine.
#pragma once
#include <cstddef>

/// Bytes that operator new gave out and operator delete did not get back, with what malloc rounds them up by.
std::size_t heldBytes();
