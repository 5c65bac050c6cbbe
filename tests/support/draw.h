// Draws for RapidCheck properties.
#pragma once

#include <rapidcheck.h>

namespace fencecheck::tests {

/// A number from `least` to `most`, all of them equally likely from the first case on: rc::gen::inRange alone keeps to
/// the lower end while a property's cases are small.
template <class T>
rc::Gen<T> uniform(T least, T most) {
  return rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(least, static_cast<T>(most + 1)));
}

}  // namespace fencecheck::tests
