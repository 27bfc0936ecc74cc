// Callbacks of host functions. When the device program calls a host function, the callback of the function receives the
// input tensors and fills the output tensors.
#pragma once
#include <poplar/ArrayRef.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace poplar {

/// The base class of callbacks. A derived class overrides one of the two operators. The engine calls the operator
/// with two parameters. Poplar has this operator from version 3 on. By default, this operator calls the older operator.
/// The older operator has four parameters: it also receives the sizes of both arrays.
class HostCallback {
public:
  virtual ~HostCallback() = default;
  virtual void operator()(ArrayRef<const void *> inputs, ArrayRef<void *> outputs) {
    (*this)(inputs, inputs.size(), outputs, outputs.size());
  }
  /// Throws poplar_error if the derived class overrides neither operator.
  virtual void operator()(ArrayRef<const void *> inputs, std::size_t numberOfInputs, ArrayRef<void *> outputs,
                          std::size_t numberOfOutputs);
};

/// The owner of a HostCallback. A handle is constructed from a unique_ptr to a HostCallback, or from a callable object.
/// The callable object has one of these lists of parameters:
///   (ArrayRef<const void *> inputs, ArrayRef<void *> outputs)
///   (ArrayRef<const void *> inputs, size_t numInputs, ArrayRef<void *> outputs, size_t numOutputs)
///   (const void *const *inputs, size_t numInputs, void *const *outputs, size_t numOutputs)
class HostCallbackHandle {
  template <class F> struct TakesArrays {
    template <class G>
    static auto test(int)
        -> decltype(std::declval<G &>()(std::declval<ArrayRef<const void *>>(), std::declval<ArrayRef<void *>>()),
                    std::true_type());
    template <class> static std::false_type test(...);
    static constexpr bool value = decltype(test<F>(0))::value;
  };
  template <class F> struct TakesSizedArrays {
    template <class G>
    static auto test(int) -> decltype(std::declval<G &>()(std::declval<ArrayRef<const void *>>(), std::size_t(),
                                                          std::declval<ArrayRef<void *>>(), std::size_t()),
                                      std::true_type());
    template <class> static std::false_type test(...);
    static constexpr bool value = decltype(test<F>(0))::value;
  };
  template <class F> struct TakesPointers {
    template <class G>
    static auto test(int) -> decltype(std::declval<G &>()(std::declval<const void *const *>(), std::size_t(),
                                                          std::declval<void *const *>(), std::size_t()),
                                      std::true_type());
    template <class> static std::false_type test(...);
    static constexpr bool value = decltype(test<F>(0))::value;
  };

public:
  template <class C, class = typename std::enable_if<std::is_base_of<HostCallback, C>::value>::type>
  HostCallbackHandle(std::unique_ptr<C> p) : callback_(std::move(p)) {}
  template <
      class F,
      class = typename std::enable_if<!std::is_same<typename std::decay<F>::type, HostCallbackHandle>::value>::type,
      class =
          typename std::enable_if<TakesArrays<F>::value || TakesSizedArrays<F>::value || TakesPointers<F>::value>::type>
  HostCallbackHandle(F &&f)
      : callback_(isEmpty(f) ? nullptr : new Adapter<typename std::decay<F>::type>(std::forward<F>(f))) {}
  HostCallbackHandle(const HostCallbackHandle &) = delete;
  HostCallbackHandle &operator=(const HostCallbackHandle &) = delete;
  HostCallbackHandle(HostCallbackHandle &&) = default;
  HostCallbackHandle &operator=(HostCallbackHandle &&) = default;

  HostCallback &operator*() const { return *callback_; }
  HostCallback *operator->() const { return callback_.get(); }

private:
  // An empty function gives an empty handle, which connectHostFunction refuses.
  template <class F> static bool isEmpty(const F &) { return false; }
  template <class R, class... A> static bool isEmpty(const std::function<R(A...)> &f) { return !f; }
  template <class R, class... A> static bool isEmpty(R (*f)(A...)) { return f == nullptr; }
  template <class F> struct Adapter : HostCallback {
    template <int number> using Form = std::integral_constant<int, number>;
    static constexpr int kForm = TakesArrays<F>::value ? 0 : (TakesSizedArrays<F>::value ? 1 : 2);
    explicit Adapter(const F &f) : function(f) {}
    explicit Adapter(F &&f) : function(std::move(f)) {}
    using HostCallback::operator();
    void operator()(ArrayRef<const void *> inputs, ArrayRef<void *> outputs) final {
      call(inputs, outputs, Form<kForm>());
    }
    void call(ArrayRef<const void *> inputs, ArrayRef<void *> outputs, Form<0>) { function(inputs, outputs); }
    void call(ArrayRef<const void *> inputs, ArrayRef<void *> outputs, Form<1>) {
      function(inputs, inputs.size(), outputs, outputs.size());
    }
    void call(ArrayRef<const void *> inputs, ArrayRef<void *> outputs, Form<2>) {
      function(inputs.data(), inputs.size(), outputs.data(), outputs.size());
    }
    F function;
  };
  std::unique_ptr<HostCallback> callback_;
};

} // namespace poplar
