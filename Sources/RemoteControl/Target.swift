// SPDX-License-Identifier: MIT

internal import Controls
internal import Geometry
internal import JSON
internal import Kiosk
internal import Remote

/// What a finger is aimed at: a control, or an item of it, written `control/item`.
struct Target: Hashable, Sendable, CustomStringConvertible {
  var control: String
  var item: String?

  /// Nil where there is no control's name.
  init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let control = parts.first, !control.isEmpty else { return nil }
    self.control = String(control)
    item = parts.count > 1 ? String(parts[1]) : nil
  }

  var description: String { item.map { "\(control)/\($0)" } ?? control }

  /// Whether a finger on it does something; false where there is no such item.
  func isEnabled(in engine: Engine) -> Bool {
    guard let entry = engine.entry(control) else { return false }
    return item.map { item in
      entry.control.items(at: engine.now).contains { $0.id == item && $0.isEnabled }
    } ?? true
  }

  /// Where it is now, in design pixels.
  func place(in engine: Engine) throws(RemoteError) -> Point {
    guard let page = engine.pages.first(where: { $0.controls.contains { $0.id == control } }),
      let entry = engine.entry(control)
    else { throw .unknownControl(control, engine) }
    guard page.name == engine.pages[engine.shownPage].name else {
      throw .failed(
        "\(control) is on the page \(page.name), which is not shown (\"go\" there first)")
    }
    guard entry.isVisible else { throw .failed("\(control) is not visible") }
    if let place = entry.control.place(of: item, at: engine.now) { return place }
    guard let item else { throw .failed("\(control) has no place where it can be touched") }
    let items = entry.control.items(at: engine.now)
    guard items.contains(where: { $0.id == item }) else {
      let known = items.prefix(20).map { "\"\($0.id)\"" }.joined(separator: ", ")
      throw .invalid(
        "\(control) has no item \"\(item)\" (expected \(known.isEmpty ? "none" : known)"
          + (items.count > 20 ? ", …)" : ")"))
    }
    throw .failed("\(self) is not to be seen now")
  }
}

extension RemoteError {
  static func unknownControl(_ id: String, _ engine: Engine) -> RemoteError {
    let known = engine.controlIDs.prefix(20).joined(separator: ", ")
    return .invalid("there is no control \"\(id.prefix(100))\" (expected one of \(known))")
  }
}

extension ParameterType where Value == Target {
  static let target = ParameterType("a text, CONTROL or CONTROL/ITEM") {
    $0.string.flatMap { Target($0) }
  }
}

extension ParameterType where Value == Point {
  static let point = ParameterType("[x, y] in design pixels") { json in
    // A hundred screens away: what is farther is no place, and sums of it might overflow.
    guard case .array(let list) = json, list.count == 2, let x = list[0].number,
      let y = list[1].number, abs(x) <= 1e6, abs(y) <= 1e6
    else { return nil }
    return Point(x, y)
  }
}

extension ParameterType where Value == PropertyPath {
  static let property = ParameterType("a text, CONTROL.PROPERTY") {
    $0.string.flatMap { PropertyPath($0) }
  }
}
