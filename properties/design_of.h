// A design D as reports and the command line see it: its words, and worlds of it.
#pragma once

#include <memory>
#include <string>

#include <fencecheck/model/world_of.h>
#include <fencecheck/properties/standard.h>

namespace fencecheck {

/// `D` with its type forgotten.
template <class D>
class DesignOf final : public Design {
 public:
  using WorldType = WorldOf<D, PropertiesOf<D>>;

  DesignOf() {
    text_.name = std::string(D::name);
    if constexpr (requires { D::summary; }) text_.summary = std::string(D::summary);
    text_.switches = detail::describe_switches<D>();
    text_.properties = WorldType::property_texts();
    for (std::size_t f = 0; f < fault_count; ++f) {
      if (can_happen<D>(static_cast<Fault>(f))) text_.faults.push_back(static_cast<Fault>(f));
    }
  }

  const DesignText& text() const override { return text_; }

  Bounds standard_bounds() const override {
    if constexpr (requires { D::bounds; }) {
      return D::bounds;
    } else {
      return {};
    }
  }

  std::unique_ptr<World> world(const Bounds& bounds, const SwitchValues& switches) const override {
    require_within_range(bounds, text_);
    return std::make_unique<WorldType>(bounds, detail::parse_switches<D>(text_.name, switches));
  }

 private:
  DesignText text_;
};

template <class D>
std::unique_ptr<Design> make_design() {
  return std::make_unique<DesignOf<D>>();
}

}  // namespace fencecheck
