// A design file as a Design: what the command line and the reports see.
#pragma once

#include <memory>
#include <string>

#include <fencecheck/engines/design_file.h>
#include <fencecheck/model/world.h>

namespace fencecheck::engines {

class Exploration;

class FileDesign final : public Design {
 public:
  /// `url`: of a server that runs already; empty: what the file says.
  explicit FileDesign(DesignFile file);
  ~FileDesign() override;

  const DesignText& text() const override { return text_; }
  Bounds standard_bounds() const override { return file_.bounds; }

  /// Starts the engine when the first world is made. Throws EngineMissing, EngineFailure.
  std::unique_ptr<World> world(const Bounds& bounds, const SwitchValues& switches) const override;

  const DesignFile& file() const { return file_; }

 private:
  DesignFile file_;
  DesignText text_;
  mutable std::shared_ptr<Exploration> exploration_;
};

}  // namespace fencecheck::engines
