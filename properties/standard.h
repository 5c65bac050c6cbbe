// Which properties a design is judged by.
#pragma once

#include <fencecheck/properties/data.h>
#include <fencecheck/properties/fencing.h>
#include <fencecheck/properties/lock.h>
#include <fencecheck/properties/requests.h>

namespace fencecheck {

/// What every design is judged by as far as it applies: the five properties of fencing, and those that a design asks
/// for by what it has (an Effect, a reader, a basis, a belief, …).
using StandardPropertyList = joined_properties<
    FencingProperties,
    properties<OneRequestOneEffect, ChangedPayloadIsRefused, RequestsInOrder, NoLostUpdate, SnapshotStillCurrent,
               ReaderNeverSeesAMix, ReaderNeverSeesAMixAtRest, NoDanglingPointer, AcknowledgedWriteSurvives,
               BeliefContainment, OwnTokenOnly, OnlyExclusiveWrites, SettlesInTheEnd>>::type;

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
  using type = StandardPropertyList;
};
template <class D>
  requires requires { typename D::Properties; }
struct StandardProperties<D> {
  using type = typename D::Properties;
};
}  // namespace detail

/// The properties of D: those of the library (or just the ones that D names as `Properties`), and after them D's own
/// and those of the library that one asks for (`using OwnProperties = properties<HonestAnswers, …>`): they would make
/// the state of every design larger, or take a second search.
template <class D>
using PropertiesOf = typename joined_properties<typename detail::StandardProperties<D>::type,
                                                typename detail::OwnProperties<D>::type>::type;

}  // namespace fencecheck
