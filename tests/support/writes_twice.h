// A worker that writes its one value twice, as after a reply that it did not get.
#pragma once

#include <memory>

#include <fencecheck/model/world.h>

namespace fencecheck::tests {

std::unique_ptr<World> writes_twice_world();

}  // namespace fencecheck::tests
