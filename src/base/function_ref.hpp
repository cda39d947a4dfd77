#pragma once

#include <memory>

namespace anympi {

template <class signature>
class function_ref;

/// A reference to a callable for the duration of a call. It replaces std::function, which needs the heap and libstdc++.
template <class result, class... arguments>
class function_ref<result(arguments...)> {
public:
    template <class callable>
    function_ref(const callable& target)
        : target_(std::addressof(target)), call_([](const void* object, arguments... values) -> result {
              return (*static_cast<const callable*>(object))(values...);
          }) {}

    result operator()(arguments... values) const { return call_(target_, values...); }

private:
    const void* target_;
    result (*call_)(const void*, arguments...);
};

} // namespace anympi
