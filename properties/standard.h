// Which properties a design is judged by.
#pragma once

#include <fencecheck/properties/fencing.h>

namespace fencecheck {

namespace detail {
template <class D>
struct OwnProperties {
  using type = properties<>;
};
template <class D>
  requires requires { typename D::OwnProperties; }
struct OwnProperties<D> {
  using type = typename D::OwnProperties;
};

template <class D>
struct StandardProperties {
  using type = FencingProperties;
};
template <class D>
  requires requires { typename D::Properties; }
struct StandardProperties<D> {
  using type = typename D::Properties;
};
}  // namespace detail

/// The properties of D: those of the library (or just the ones that D names as `Properties`), and after them D's own
/// (`using OwnProperties = properties<…>`).
template <class D>
using PropertiesOf = typename joined_properties<typename detail::StandardProperties<D>::type,
                                                typename detail::OwnProperties<D>::type>::type;

}  // namespace fencecheck
