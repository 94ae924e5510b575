// SPDX-License-Identifier: MIT

package import RoundelControls
package import RoundelGeometry

/// The target of a touch, written `control/item`.
package struct Target: Hashable, Sendable, CustomStringConvertible {
  package var control: String
  package var item: String?

  package init(control: String, item: String? = nil) {
    self.control = control
    self.item = item
  }

  /// Returns nil if the control is missing.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let control = parts.first, !control.isEmpty else { return nil }
    self.control = String(control)
    item = parts.count > 1 ? String(parts[1]) : nil
  }

  package var description: String { item.map { "\(control)/\($0)" } ?? control }

  /// Whether a touch has an effect. False for an unknown item.
  package func isEnabled(in engine: Engine) -> Bool {
    guard let entry = engine.placedControl(control) else { return false }
    guard let item else { return true }
    let items = entry.control.items(at: engine.now).filter { $0.isCalled(item) }
    // Numbers of a ring have positions but aren't items.
    return items.isEmpty
      ? entry.control.place(of: item, at: engine.now) != nil : items.contains(where: \.isEnabled)
  }

  /// Returns the current position in design pixels.
  package func point(in engine: Engine) throws(TargetError) -> Point {
    let entry: PlacedControl
    do throws(UnknownName) { entry = try engine.find(self) } catch { throw .unknown(error) }
    guard let page = engine.locations[control]?.page else {
      throw .unreachable("\(control) is not on a page")
    }
    guard page == engine.activePage || page == engine.shownPage && entry.isAlwaysAvailable else {
      let name = engine.pages[page].name
      guard page != engine.shownPage else {
        throw .unreachable(
          "\(control) is behind the page \(engine.overlayName) (use \"go: back\" first)")
      }
      let verb = engine.pages[page].isOver ? "show" : "go"
      throw .unreachable(
        "\(control) is on the page \(name), which is not shown (use \"\(verb)\" first)")
    }
    guard entry.isVisible else { throw .unreachable("\(control) is not visible") }
    guard let item else {
      if let point = entry.control.place(of: nil, at: engine.now) { return point }
      throw .unreachable("\(control) has no point that can be touched")
    }
    let found = entry.control.items(at: engine.now).first { $0.isCalled(item) }
    if let point = entry.control.place(of: found?.id ?? item, at: engine.now) { return point }
    throw .unreachable("\(self) is not visible now")
  }
}

package enum TargetError: Error, Hashable, Sendable, CustomStringConvertible {
  case unknown(UnknownName)
  case unreachable(String)

  package var description: String {
    switch self {
    case .unknown(let name): "\(name)"
    case .unreachable(let what): what
    }
  }
}

extension ControlItem {
  /// Whether the item has this id. A space matches a no-break space, which is hard to type.
  package func isCalled(_ name: String) -> Bool {
    id == name || String(id.map { $0 == "\u{a0}" ? " " : $0 }) == name
  }
}
