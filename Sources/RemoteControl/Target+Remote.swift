// SPDX-License-Identifier: MIT

internal import Geometry
internal import JSON
internal import Kiosk
internal import Remote
internal import Runtime

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
}

extension KioskServer {
  /// Where a target is now, in design pixels.
  func place(of target: Target) throws(RemoteError) -> Point {
    do throws(TargetError) {
      return try target.place(in: cycle.engine)
    } catch {
      throw RemoteError(error)
    }
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

extension ParameterType where Value == Reference {
  static let property = ParameterType("a text, CONTROL.PROPERTY or the name of a value") {
    $0.string.flatMap { Reference($0) }
  }
}
