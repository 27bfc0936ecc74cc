#include <poplar/Vertex.hpp>

class AddOne : public poplar::Vertex {
public:
  poplar::InOut<poplar::Vector<float>> data;
  bool compute() {
    for (unsigned i = 0; i < data.size(); ++i)
      data[i] += 1.0f;
    return true;
  }
};
