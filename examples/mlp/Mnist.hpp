// Reads the MNIST digits from their IDX files.
#pragma once
#include "Digits.hpp"

#include <string>

/// Reads train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte (unpacked)
/// from `folder`. Throws std::runtime_error for a missing or damaged file; the message contains the file and the fault.
DigitSets readMnist(const std::string &folder);
