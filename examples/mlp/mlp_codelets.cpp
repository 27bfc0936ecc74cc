// Vertices of the perceptron. Graph::addCodelets compiles this file at run time.
//
// The comments use these names of sizes: inputs = one tile's share of the input pixels, outputs = one tile's share of
// the hidden units, batch = digits of one step. Matrices are row-major, with the form [rows][columns].
#include <poplar/Vertex.hpp>

#include <cmath>

using namespace poplar;

namespace {
inline float sigmoid(float x) { return 1.0f / (1.0f + std::exp(-x)); }
} // namespace

/// partials[o][b] = sum over k of weights[o][k] * in[b][k]. The pairs (o, b) are dealt to the workers one by one. The
/// weights lie in interleaved memory, where an instruction can load 16 bytes in a cycle.
class PartialProducts : public MultiVertex {
public:
  Input<Vector<float, VectorLayout::SPAN, 8, true>> weights; // [outputs][inputs]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> in;         // [batch][inputs]
  Output<Vector<float, VectorLayout::SPAN, 8>> partials;     // [outputs][batch]
  unsigned short inputs;
  unsigned short batch;

  bool compute(unsigned workerId) {
    unsigned o = 0, b = workerId;
    for (unsigned i = workerId; i < partials.size(); i += numWorkers(), b += numWorkers()) {
      while (b >= batch) {
        b -= batch;
        ++o;
      }
      const float *w = &weights[o * inputs];
      const float *x = &in[b * inputs];
      float sum = 0.0f;
      for (unsigned k = 0; k < inputs; ++k)
        sum += w[k] * x[k];
      partials[i] = sum;
    }
    return true;
  }
};

/// out[b] = sum over the rows of rows[r][b]. Each worker handles one column at a time.
class ReducePartials : public MultiVertex {
public:
  Vector<Input<Vector<float, VectorLayout::ONE_PTR>>> rows; // [input groups][columns]
  Output<Vector<float>> out;                                // [columns]

  bool compute(unsigned workerId) {
    for (unsigned b = workerId; b < out.size(); b += numWorkers()) {
      float sum = 0.0f;
      for (unsigned r = 0; r < rows.size(); ++r)
        sum += rows[r][b];
      out[b] = sum;
    }
    return true;
  }
};

/// data[b] = sigmoid(data[b] + bias): the hidden layer's bias and non-linearity. Each worker handles one column at a
/// time.
class BiasSigmoid : public MultiVertex {
public:
  InOut<Vector<float>> data;
  Input<float> bias;

  bool compute(unsigned workerId) {
    for (unsigned b = workerId; b < data.size(); b += numWorkers())
      data[b] = sigmoid(data[b] + *bias);
    return true;
  }
};

/// out[b] = sigmoid(bias + sum over i of weights[i] * in[i][b]): one output unit, some digits of the batch.
class DenseSigmoid : public Vertex {
public:
  Vector<Input<Vector<float, VectorLayout::ONE_PTR>>> in; // [hidden][digits]
  Input<Vector<float, VectorLayout::ONE_PTR>> weights;    // [hidden]
  Input<float> bias;
  Output<Vector<float>> out; // [digits]

  bool compute() {
    for (unsigned b = 0; b < out.size(); ++b) {
      float sum = *bias;
      for (unsigned i = 0; i < in.size(); ++i)
        sum += weights[i] * in[i][b];
      out[b] = sigmoid(sum);
    }
    return true;
  }
};

/// Half the sum of squared errors of one output unit over some digits, and its derivative with respect to the sigmoid's
/// input: delta[b] = (out[b] - wanted) * out[b] * (1 - out[b]), where wanted is 1 for the digit's own unit and else 0.
class SumSquaredError : public Vertex {
public:
  Input<Vector<float>> out;
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> labels;
  Output<Vector<float, VectorLayout::ONE_PTR>> delta;
  Output<float> loss;
  unsigned unit;

  bool compute() {
    float sum = 0.0f;
    for (unsigned b = 0; b < out.size(); ++b) {
      const float y = out[b];
      const float error = y - (labels[b] == unit ? 1.0f : 0.0f);
      delta[b] = error * y * (1.0f - y);
      sum += error * error;
    }
    *loss = 0.5f * sum;
    return true;
  }
};

/// correct = 1 if the output unit with the largest value is the label's unit, otherwise 0. If several units have this
/// value, the first of them counts.
class IsCorrect : public Vertex {
public:
  Input<Vector<float>> out; // one digit's output units
  Input<unsigned> label;
  Output<unsigned> correct;

  bool compute() {
    unsigned best = 0;
    for (unsigned c = 1; c < out.size(); ++c)
      if (out[c] > out[best])
        best = c;
    *correct = best == *label ? 1u : 0u;
    return true;
  }
};

/// total += sum of the parts.
template <typename T> class AddToTotal : public Vertex {
public:
  Input<Vector<T>> parts;
  InOut<T> total;

  bool compute() {
    T sum = *total;
    for (unsigned i = 0; i < parts.size(); ++i)
      sum += parts[i];
    *total = sum;
    return true;
  }
};
template class AddToTotal<float>;
template class AddToTotal<unsigned>;

/// delta[b] = act[b] * (1 - act[b]) * sum over c of weights[c] * next[c][b]: the error of one hidden unit, from the
/// errors of the output units. Each worker handles one column at a time.
class HiddenError : public MultiVertex {
public:
  Input<Vector<float>> weights;                             // [output units]
  Vector<Input<Vector<float, VectorLayout::ONE_PTR>>> next; // [output units][columns]
  Input<Vector<float, VectorLayout::ONE_PTR>> act;          // [columns]
  Output<Vector<float>> delta;                              // [columns]

  bool compute(unsigned workerId) {
    for (unsigned b = workerId; b < delta.size(); b += numWorkers()) {
      float sum = 0.0f;
      for (unsigned c = 0; c < weights.size(); ++c)
        sum += weights[c] * next[c][b];
      const float a = act[b];
      delta[b] = sum * a * (1.0f - a);
    }
    return true;
  }
};

/// weights[o][k] -= rate * sum over b of delta[o][b] * in[b][k]: updates one tile's block of the hidden layer in place.
class UpdateBlock : public MultiVertex {
public:
  InOut<Vector<float, VectorLayout::SPAN, 8>> weights;  // [outputs][inputs]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> delta; // [outputs][batch]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> in;    // [batch][inputs]
  unsigned short inputs;
  unsigned short batch;
  float rate;

  bool compute(unsigned workerId) {
    unsigned o = 0, k = workerId;
    for (unsigned i = workerId; i < weights.size(); i += numWorkers(), k += numWorkers()) {
      while (k >= inputs) {
        k -= inputs;
        ++o;
      }
      float sum = 0.0f;
      for (unsigned b = 0; b < batch; ++b)
        sum += delta[o * batch + b] * in[b * inputs + k];
      weights[i] -= rate * sum;
    }
    return true;
  }
};

/// weights[i] -= rate * sum over b of delta[b] * in[i][b]: updates some weights of one output unit in place.
class UpdateRow : public Vertex {
public:
  InOut<Vector<float>> weights;
  Input<Vector<float, VectorLayout::ONE_PTR>> in; // [weights][batch]
  Input<Vector<float>> delta;                     // [batch]
  float rate;

  bool compute() {
    const unsigned batch = delta.size();
    for (unsigned i = 0; i < weights.size(); ++i) {
      float sum = 0.0f;
      for (unsigned b = 0; b < batch; ++b)
        sum += delta[b] * in[i * batch + b];
      weights[i] -= rate * sum;
    }
    return true;
  }
};

/// bias -= rate * sum over b of delta[b].
class UpdateBias : public Vertex {
public:
  InOut<float> bias;
  Input<Vector<float>> delta; // [batch]
  float rate;

  bool compute() {
    float sum = 0.0f;
    for (unsigned b = 0; b < delta.size(); ++b)
      sum += delta[b];
    *bias -= rate * sum;
    return true;
  }
};
