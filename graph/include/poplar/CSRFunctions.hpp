// Programs that set and read the tiles' floating-point control register. If an exception is enabled on a tile and a
// vertex on this tile raises the exception, the run ends with application_runtime_error. The fields `esr` and `nanoo`
// are stored in the register, and have no effect: rounding is never stochastic, and the overflow of a half never gives
// NaN.
#pragma once
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace poplar {

struct FloatingPointBehaviour {
  bool inv;   // true: invalid operations raise an exception
  bool div0;  // true: divisions by zero raise an exception
  bool oflo;  // true: overflows raise an exception
  bool esr;   // true: rounding is stochastic (no effect in Popscope)
  bool nanoo; // true: half overflow gives NaN; false: the largest value (no effect in Popscope)
  FloatingPointBehaviour(bool inv_ = true, bool div0_ = true, bool oflo_ = true, bool esr_ = true, bool nanoo_ = true)
      : inv(inv_), div0(div0_), oflo(oflo_), esr(esr_), nanoo(nanoo_) {}
  FloatingPointBehaviour operator!() const { return FloatingPointBehaviour(!inv, !div0, !oflo, !esr, !nanoo); }
  FloatingPointBehaviour operator&(const FloatingPointBehaviour &o) const {
    return FloatingPointBehaviour(inv && o.inv, div0 && o.div0, oflo && o.oflo, esr && o.esr, nanoo && o.nanoo);
  }
  bool operator==(const FloatingPointBehaviour &o) const {
    return inv == o.inv && div0 == o.div0 && oflo == o.oflo && esr == o.esr && nanoo == o.nanoo;
  }
  bool operator!=(const FloatingPointBehaviour &o) const { return !(*this == o); }
};

/// Appends a program that sets the behaviour of all tiles of the graph.
void setFloatingPointBehaviour(Graph &graph, program::Sequence &prog, const FloatingPointBehaviour &behaviour,
                               const DebugContext &debugContext = {});
/// Appends a program that sets the behaviour of all tiles. `behaviour` is a tensor that
/// getAndModifyFloatingPointBehaviour returned, and may be mapped to any tiles. Throws poplar_error if `behaviour` does
/// not have the shape {tiles}, and type_error if its type is not UNSIGNED_INT.
void setFloatingPointBehaviour(Graph &graph, program::Sequence &prog, const Tensor &behaviour,
                               const DebugContext &debugContext = {});
/// Appends a program that reads the floating-point control registers of all tiles. The program then clears the fields
/// that are true in `clear`, and sets the fields that are true in `set`. Returns the values from before the change as a
/// tensor of type UNSIGNED_INT and shape {tiles}. Element t is on tile t, and has the layout of
/// Target::makeFpIctlValue.
Tensor getAndModifyFloatingPointBehaviour(Graph &graph, program::Sequence &prog, const FloatingPointBehaviour &clear,
                                          const FloatingPointBehaviour &set, const DebugContext &debugContext = {});
/// Appends a program that switches stochastic rounding on or off, and changes no other field.
void setStochasticRounding(Graph &graph, program::Sequence &prog, bool enable, const DebugContext &debugContext = {});

} // namespace poplar
