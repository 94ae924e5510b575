// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
internal import SystemPackage

/// Descriptors also held by the service manager. The next process of the service receives them.
/// Source: sd_pid_notify_with_fds(3) and sd_listen_fds(3).
package final class DescriptorStore {
  private let notification: ServiceNotification
  private var inherited: [String: CInt]
  private var held: Set<String>
  private var kept: String?

  /// A store with the descriptors inherited according to LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES,
  /// which child processes must not inherit.
  ///
  /// - Parameter first: The number of the first one. C: SD_LISTEN_FDS_START.
  package init(
    _ notification: consuming ServiceNotification, process: String?, count: String?,
    names: String?, first: CInt = 3
  ) {
    self.notification = notification
    inherited = [:]
    held = []
    guard process == String(getpid()), let count = count.flatMap(Int.init),
      (1...Self.maximumCount).contains(count)
    else { return }
    let names = (names ?? "").split(separator: ":", omittingEmptySubsequences: false)
    for index in 0..<count {
      let descriptor = first + CInt(index)
      guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { continue }
      if index < names.count, inherited[String(names[index])] == nil {
        inherited[String(names[index])] = descriptor
        held.insert(String(names[index]))
      } else {
        close(descriptor)
      }
    }
  }

  deinit {
    for descriptor in inherited.values { close(descriptor) }
  }

  private static let maximumCount = 16

  /// Returns the descriptor that an earlier process left under a name, or nil.
  package func take(_ name: String) -> OwnedDescriptor? {
    inherited.removeValue(forKey: name).map { OwnedDescriptor(adopting: $0) }
  }

  /// Holds a descriptor for the next process instead of all others, because the unit limits their
  /// number.
  package func keep(_ descriptor: borrowing OwnedDescriptor, as name: String) {
    kept = name
    held.insert(name)
    forgetUnused()
    // If this fails, the panel is merely dark until the next process shows something.
    try? notification.send(.keep(name), passing: descriptor)
  }

  package func forgetAll() {
    kept = nil
    forgetUnused()
  }

  /// Closes earlier processes' descriptors except the kept one.
  package func forgetUnused() {
    for name in held where name != kept {
      if let descriptor = inherited.removeValue(forKey: name) { close(descriptor) }
      try? notification.send(.forget(name))
    }
    held = held.filter { $0 == kept }
  }
}
