// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
package import SystemPackage

/// A descriptor for waking up another thread. C: eventfd.
package final class EventCounter: Sendable {
  private let descriptor: OwnedDescriptor

  /// - Parameter isBlocking: Whether `acknowledge` waits for a signal.
  package init(isBlocking: Bool = false) throws(Errno) {
    let flags = EFD_CLOEXEC | (isBlocking ? 0 : EFD_NONBLOCK)
    descriptor = OwnedDescriptor(adopting: try retryingOnInterrupt { eventfd(0, CInt(flags)) })
  }

  /// Readable after a signal.
  package var rawValue: CInt { descriptor.rawValue }

  /// An eventfd reads and writes eight bytes.
  package func signal() {
    var one: UInt64 = 1
    _ = unsafe Glibc.write(rawValue, &one, 8)
  }

  package func acknowledge() {
    var count: UInt64 = 0
    _ = unsafe Glibc.read(rawValue, &count, 8)
  }
}
