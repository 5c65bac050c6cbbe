#include <fmt/core.h>

#include <fencecheck/engines/engine.h>
#include <fencecheck/model/world.h>

namespace fencecheck::engines {

std::unique_ptr<Engine> open_engine(const EngineOptions& options) {
  if (options.kind == "sqlite") return open_sqlite(options);
  if (options.kind == "postgresql") return open_postgresql(options);
  if (options.kind == "redis") return open_redis(options);
  if (options.kind == "etcd") return open_etcd(options);
  if (options.kind == "zookeeper") return open_zookeeper(options);
  throw UsageError(fmt::format("engine '{}': there are sqlite, postgresql, redis, etcd, zookeeper", options.kind));
}

}  // namespace fencecheck::engines
