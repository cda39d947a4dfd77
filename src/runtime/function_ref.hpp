#pragma once

#include <memory>
#include <type_traits>

namespace anympi::runtime {

template <class signature>
class function_ref;

// A callable lent for the length of a call: what std::function would be here, without the heap and without libstdc++.
template <class result, class... arguments>
class function_ref<result(arguments...)> {
public:
    template <class callable>
    requires(!std::is_same_v<std::remove_cvref_t<callable>, function_ref>) function_ref(callable&& target)
        : target_(const_cast<void*>(static_cast<const void*>(std::addressof(target)))),
          call_([](void* object, arguments... values) -> result {
              return (*static_cast<std::remove_reference_t<callable>*>(object))(values...);
          }) {}

    result operator()(arguments... values) const { return call_(target_, values...); }

private:
    void* target_;
    result (*call_)(void*, arguments...);
};

} // namespace anympi::runtime
