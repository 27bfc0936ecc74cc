// Vertices of the control-flow example.
#include <poplar/Vertex.hpp>

using namespace poplar;

/// Computes the properties of a number that the loop and the branch need.
class Examine : public Vertex {
public:
  Input<unsigned> number;
  Output<bool> notOne;
  Output<bool> isOdd;

  bool compute() {
    *notOne = *number != 1;
    *isOdd = *number % 2 == 1;
    return true;
  }
};

class Halve : public Vertex {
public:
  InOut<unsigned> number;

  bool compute() {
    *number = *number / 2;
    return true;
  }
};

class TripleAndOne : public Vertex {
public:
  InOut<unsigned> number;

  bool compute() {
    *number = 3 * *number + 1;
    return true;
  }
};

class Increment : public Vertex {
public:
  InOut<unsigned> number;

  bool compute() {
    *number = *number + 1;
    return true;
  }
};

class Remainder : public Vertex {
public:
  Input<unsigned> number;
  Output<int> remainder;
  unsigned divisor;

  bool compute() {
    *remainder = int(*number % divisor);
    return true;
  }
};

/// data[i] = data[i] * factor. Worker w of n workers handles the elements w, w + n, w + 2 n and so on.
class Scale : public MultiVertex {
public:
  InOut<Vector<float>> data;
  float factor;

  bool compute(unsigned workerId) {
    for (unsigned i = workerId; i < data.size(); i += numWorkers())
      data[i] *= factor;
    return true;
  }
};
