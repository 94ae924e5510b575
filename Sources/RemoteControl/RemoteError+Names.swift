// SPDX-License-Identifier: MIT

internal import Controls
internal import Expressions
internal import Geometry
internal import Kiosk
internal import Remote

extension RemoteError {
  init(_ error: TargetError) {
    switch error {
    case .unknown(let what): self = .invalid(what)
    case .unreachable(let what): self = .failed(what)
    }
  }

  static func unknownControl(_ id: String, _ engine: Engine) -> RemoteError {
    RemoteError(.unknown(control: id, in: engine))
  }

  /// What is wrong with a name that refers to nothing.
  static func unknown(_ name: Reference, _ engine: Engine) -> RemoteError {
    guard case .property(let path) = name else {
      let known = engine.description.values.map(\.name).joined(separator: ", ")
      return .invalid(
        "there is no value \"\("\(name)".prefix(100))\" "
          + (known.isEmpty
            ? "(expected CONTROL.PROPERTY)" : "(expected CONTROL.PROPERTY, or one of \(known))"))
    }
    guard let entry = engine.placedControl(path.control) else {
      return .unknownControl(path.control, engine)
    }
    let known = (entry.control.properties + ["enabled", "visible"]).joined(separator: ", ")
    return .invalid(
      "\(path.control) has no property \"\(path.property.prefix(100))\" (expected one of \(known))")
  }

  static func unknownPage(_ page: String, _ engine: Engine) -> RemoteError {
    let known = engine.pages.map(\.name).joined(separator: ", ")
    return .invalid("there is no page \"\(page.prefix(100))\" (the pages are: \(known))")
  }
}

extension Engine {
  /// Where a target is now, in design pixels.
  func place(of target: Target) throws(RemoteError) -> Point {
    do throws(TargetError) {
      return try target.place(in: self)
    } catch {
      throw RemoteError(error)
    }
  }
}
