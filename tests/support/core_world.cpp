#include "core_world.h"

#include <string>

#include "../reference/golden_file.h"

namespace fencecheck::designs {
std::unique_ptr<Design> core();  // designs/core/design.cpp
}

namespace fencecheck::tests {

std::unique_ptr<World> core_world(const reference::Setup& setup) {
  const Bounds bounds{.workers = setup.workers,
                      .leases = setup.leases,
                      .issuer_restores = setup.issuer_restores,
                      .store_restores = setup.store_restores,
                      .expiry = setup.expiry,
                      .crashes = setup.crashes,
                      .lost_replies = setup.lost_replies,
                      .late_requests = setup.late_requests,
                      .duplicates = setup.duplicates,
                      .lock_losses = setup.lock_losses};
  const SwitchValues switches{{"stores", std::to_string(setup.stores)},
                              {"check", to_string(setup.check)},
                              {"equal", to_string(setup.equal)},
                              {"release", to_string(setup.release)},
                              {"register", to_string(setup.reg)}};
  return designs::core()->world(bounds, switches);
}

}  // namespace fencecheck::tests
