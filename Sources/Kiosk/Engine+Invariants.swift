// SPDX-License-Identifier: MIT

extension Engine {
  /// Asserts in debug builds that redundant structures agree after a turn. O(n) in all controls,
  /// fingers and bindings.
  func assertInvariants(_ turn: Turn) {
    assert(turn.isDone, "the update left work behind")
    assert(
      locations.allSatisfy { controls[$1].id == $0 }, "a location belongs to another control")
    assert(
      touches.fingers.values.allSatisfy { finger in
        guard case .control(let location) = finger.holder else { return true }
        return !isBlank && isReachable(location) && controls[location].isEnabled
          && controls[location].isVisible
      }, "a finger holds an unusable control")
    assert(
      touches.fingers.values.allSatisfy {
        $0.holder != .nothing || $0.reportedPress == nil && $0.holdTime == nil
      },
      "a finger presses without a control")
    assert(
      touches.focus.map { !isBlank && isReachable($0) } ?? true,
      "the focused control takes no keys")
    assert(
      dataflow.following.allSatisfy { plan.bindings.all[$0].writesBack }
        && dataflow.undefined.isSubset(of: dataflow.bound.indices),
      "a state without a binding")
    assert(
      controls.writes.keys.allSatisfy { locations[$0.control] != nil }, "a write without a control")
    assert(features.list.allSatisfy { $0.isStill || !isBlank }, "motion on a blank panel")
    assert(overlays.open == nil || navigation.pageChange == nil, "a page change behind a page")
    assert(navigation.pageChange == nil || !isBlank, "a page change on a blank panel")
  }
}
