// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations

/// The relation between a plan and its successor.
///
/// A page succeeds the page with its name, and a control the control with its id and type. A
/// control with the same declaration on the same page continues uninterrupted.
struct PlanMapping: Sendable {
  let former: Plan
  let next: Plan
  private let pages: [Int?]
  private let locations: [Engine.ControlLocation: Engine.ControlLocation]
  /// The former positions of controls that continue uninterrupted.
  private let same: Set<Engine.ControlLocation>
  /// Whether the plans differ only in the writing direction.
  let isReflection: Bool

  /// Compares all declarations. O(n) in their size.
  init(from former: Plan, to next: Plan, isReflection: Bool = false) {
    self.former = former
    self.next = next
    self.isReflection = isReflection
    // On another screen, or mirrored, everything moves.
    let isSamePlane =
      former.description.screen.size == next.description.screen.size
      && former.description.screen.isRound == next.description.screen.isRound
      && former.isReflected == next.isReflected
    var indices: [String: Int] = [:]
    for (index, page) in next.pages.enumerated() { indices[page.name] = index }
    pages = former.pages.map { indices[$0.name] }
    var (locations, same) = (
      [Engine.ControlLocation: Engine.ControlLocation](), Set<Engine.ControlLocation>()
    )
    for location in former.allLocations {
      guard let successor = next.locations[former[location].id],
        type(of: next[successor].control) == type(of: former[location].control)
      else { continue }
      locations[location] = successor
      if isSamePlane || isReflection && former[location].source == nil,
        pages[location.page] == successor.page,
        next[successor].declares(theSameAs: former[location])
      {
        same.insert(location)
      }
    }
    (self.locations, self.same) = (locations, same)
  }

  /// Returns nil if the page was removed.
  func page(_ former: Int) -> Int? { pages[former] }

  subscript(former: Engine.ControlLocation) -> Engine.ControlLocation? { locations[former] }

  /// The former and next positions, in the former order.
  var successors: [(former: Engine.ControlLocation, next: Engine.ControlLocation)] {
    former.allLocations.compactMap { location in locations[location].map { (location, $0) } }
  }

  func isSame(_ former: Engine.ControlLocation) -> Bool { same.contains(former) }

  /// The redeclared controls, in the former order.
  var changed: [(former: Engine.ControlLocation, next: Engine.ControlLocation)] {
    successors.filter { !same.contains($0.former) }
  }

  var hasSameWaking: Bool {
    former.description.actions["woken"] == next.description.actions["woken"]
  }

  func hasSameActions(page: Int) -> Bool {
    pages[page].map { next.pages[$0].actions == former.pages[page].actions } ?? false
  }
}

extension PlacedControl {
  fileprivate func declares(theSameAs other: PlacedControl) -> Bool {
    kind == other.kind && font == other.font && isEnabled == other.isEnabled
      && isVisible == other.isVisible && isAlwaysAvailable == other.isAlwaysAvailable
      && bindings == other.bindings && actions == other.actions
      && itemActions == other.itemActions && spoken == other.spoken
      && itemSpoken == other.itemSpoken && itemLanguages == other.itemLanguages
      && isPrivate == other.isPrivate && isEqual(control, other.control)
      && source.map { own in other.source.map { own.isSame(as: $0) } ?? false }
        ?? (other.source == nil)
  }
}

/// Returns false for controls that aren't `Equatable`.
private func isEqual(_ one: any Control, _ other: any Control) -> Bool {
  func isEqual<Own: Equatable>(_ own: Own) -> Bool { own == other as? Own }
  return (one as? any Equatable).map { isEqual($0) } ?? false
}
