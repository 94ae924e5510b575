// SPDX-License-Identifier: MIT

internal import RoundelMotion
package import SystemPackage

/// A waiting connection keeps the socket readable, so the acceptor pauses without descriptors or
/// memory for another one.
package final class Acceptor {
  private static let maximumPerTurn = 16
  /// Seconds to wait after a failure.
  private static let pause = 1.0

  private let listener: CInt
  private let loop: EventLoop
  private let measure: (() -> Void) -> Void
  private let accept: (consuming OwnedDescriptor) throws(Errno) -> Void
  private var token: EventLoop.Token?

  /// Accepts connections until its release, before `listener` is closed.
  ///
  /// - Parameters:
  ///   - measure: Performs the work of an iteration.
  ///   - accept: Throws if there are no descriptors or memory for it.
  package init(
    _ listener: CInt, on loop: EventLoop,
    measuring measure: @escaping (() -> Void) -> Void = { $0() },
    accept: @escaping (consuming OwnedDescriptor) throws(Errno) -> Void
  ) throws(Errno) {
    self.listener = listener
    self.loop = loop
    self.measure = measure
    self.accept = accept
    try watch()
  }

  private func watch() throws(Errno) {
    token = try loop.watch(listener) { [unowned self] _ in measure { acceptAll() } }
  }

  private func acceptAll() {
    do throws(Errno) {
      for _ in 0..<Self.maximumPerTurn {
        guard let connection = try LocalSocket.accept(from: listener) else { return }
        try accept(connection)
      }
    } catch {
      pauseForAWhile()
    }
  }

  private func pauseForAWhile() {
    token = loop.schedule(at: loop.now + Self.pause) { [unowned self] in
      do throws(Errno) { try watch() } catch { pauseForAWhile() }
    }
  }
}
