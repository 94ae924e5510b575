// SPDX-License-Identifier: MIT

public import Controls
public import Geometry

/// What a finger is aimed at: a control, or an item of it, written `control/item`.
public struct Target: Hashable, Sendable, CustomStringConvertible {
  public var control: String
  public var item: String?

  public init(control: String, item: String? = nil) {
    self.control = control
    self.item = item
  }

  /// Nil where there is no control's name.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let control = parts.first, !control.isEmpty else { return nil }
    self.control = String(control)
    item = parts.count > 1 ? String(parts[1]) : nil
  }

  public var description: String { item.map { "\(control)/\($0)" } ?? control }

  /// Whether a finger on it does something; false where there is no such item.
  public func isEnabled(in engine: Engine) -> Bool {
    guard let entry = engine.entry(control) else { return false }
    return item.map { item in
      entry.control.items(at: engine.now).contains { $0.isCalled(item) && $0.isEnabled }
    } ?? true
  }

  /// Where it is now, in design pixels.
  public func place(in engine: Engine) throws(TargetError) -> Point {
    guard let page = engine.pages.first(where: { $0.controls.contains { $0.id == control } }),
      let entry = engine.entry(control)
    else { throw .unknown(control: control, in: engine) }
    guard page.name == engine.pages[engine.shownPage].name else {
      throw .unreachable(
        "\(control) is on the page \(page.name), which is not shown (\"go\" there first)")
    }
    guard entry.isVisible else { throw .unreachable("\(control) is not visible") }
    guard let item else {
      if let place = entry.control.place(of: nil, at: engine.now) { return place }
      throw .unreachable("\(control) has no place where it can be touched")
    }
    let items = entry.control.items(at: engine.now)
    guard let found = items.first(where: { $0.isCalled(item) }) else {
      let known = items.prefix(20).map { "\"\($0.id)\"" }.joined(separator: ", ")
      throw .unknown(
        "\(control) has no item \"\(item)\" (expected \(known.isEmpty ? "none" : known)"
          + (items.count > 20 ? ", …)" : ")"))
    }
    if let place = entry.control.place(of: found.id, at: engine.now) { return place }
    throw .unreachable("\(self) is not to be seen now")
  }
}

/// Why there is no place for a finger.
public enum TargetError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No control or item is called so.
  case unknown(String)
  /// There is one, but not now, or not there.
  case unreachable(String)

  public static func unknown(control id: String, in engine: Engine) -> TargetError {
    let known = engine.controlIDs.prefix(20).joined(separator: ", ")
    return .unknown("there is no control \"\(id.prefix(100))\" (expected one of \(known))")
  }

  public var description: String {
    switch self {
    case .unknown(let what), .unreachable(let what): what
    }
  }
}

extension ControlItem {
  /// Whether people call it so: nobody types a space that does not break.
  public func isCalled(_ name: String) -> Bool {
    id == name || String(id.map { $0 == "\u{a0}" ? " " : $0 }) == name
  }
}
