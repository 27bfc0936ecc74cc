// AtEnd: calls a function at the end of a scope, also after an exception.
#pragma once
#include <utility>

namespace popscope {

template <class Call> class AtEnd {
public:
  explicit AtEnd(Call call) : call_(std::move(call)) {}
  ~AtEnd() { call_(); }
  AtEnd(const AtEnd &) = delete;
  AtEnd &operator=(const AtEnd &) = delete;

private:
  Call call_; // must not throw
};

} // namespace popscope
