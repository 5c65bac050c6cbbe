// Worlds of the design `core`, by the setups of the naive reference.
//
// One translation unit makes them, so that the tests need not compile the world of core again and again.
#pragma once

#include <memory>

#include <fencecheck/model/world.h>

#include "../reference/reference.h"

namespace fencecheck::tests {

std::unique_ptr<World> core_world(const reference::Setup& setup);

}  // namespace fencecheck::tests
