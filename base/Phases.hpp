// Phases: tells a listener which part of a compile begins and ends. Stages name their parts and know nothing of clocks.
#pragma once

namespace popscope {

class PhaseListener {
public:
  virtual ~PhaseListener() = default;
  /// Phases nest. `name` must outlive the listener.
  virtual void begin(const char *name) = 0;
  /// Of the one that began last and has not ended.
  virtual void end() = 0;
};

/// One phase while it lives; null: nobody listens.
class Phase {
public:
  Phase(PhaseListener *listener, const char *name) : listener_(listener) {
    if (listener_ != nullptr)
      listener_->begin(name);
  }
  ~Phase() {
    if (listener_ != nullptr)
      listener_->end();
  }
  Phase(const Phase &) = delete;
  Phase &operator=(const Phase &) = delete;

private:
  PhaseListener *listener_;
};

} // namespace popscope
