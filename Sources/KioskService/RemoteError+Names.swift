// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelExpressions
internal import RoundelGeometry
internal import Kiosk
internal import JSONRPC

extension RemoteError {
  init(_ error: TargetError) {
    switch error {
    case .unknown(let name): self = .invalid("\(name)")
    case .unreachable(let what): self = .failed(what)
    }
  }
}

extension Engine {
  func found<Found>(
    _ find: (Engine) throws(UnknownName) -> Found
  ) throws(RemoteError) -> Found {
    do throws(UnknownName) { return try find(self) } catch { throw .invalid("\(error)") }
  }

  /// Returns a position in design pixels.
  func place(of target: Target) throws(RemoteError) -> Point {
    do throws(TargetError) {
      return try target.point(in: self)
    } catch {
      throw RemoteError(error)
    }
  }
}
