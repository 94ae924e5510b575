// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc
internal import SystemPackage

/// Descriptors also held by the service manager. They stay open when this process ends for any reason, and the next
/// process of the service receives them. Source: sd_pid_notify_with_fds(3) and sd_listen_fds(3).
package final class DescriptorStore {
  private let notification: ServiceNotification
  /// The descriptors of an earlier process that haven't been taken yet, by name.
  private var inherited: [String: CInt]
  /// The names of all descriptors held by the service manager.
  private var held: Set<String>
  /// The name of the descriptor that this process keeps, or nil.
  private var kept: String?

  /// A store with the descriptors inherited according to the environment. Child processes must not inherit the
  /// variables.
  ///
  /// - Parameters:
  ///   - notification: The connection to the service manager.
  ///   - process: LISTEN_PID, the process that the descriptors are meant for.
  ///   - count: LISTEN_FDS, the number of descriptors.
  ///   - names: LISTEN_FDNAMES, their names, separated by colons.
  ///   - first: The number of the first one. C: SD_LISTEN_FDS_START.
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

  /// More than a service manager is ever asked to hold.
  private static let maximumCount = 16

  /// Returns the descriptor that an earlier process left under a name, or nil if there isn't one.
  package func take(_ name: String) -> OwnedDescriptor? {
    inherited.removeValue(forKey: name).map { OwnedDescriptor(adopting: $0) }
  }

  /// Has a descriptor held for the next process, replacing all others. The number of descriptors that the service
  /// manager actually holds is set in the unit.
  package func keep(_ descriptor: borrowing OwnedDescriptor, as name: String) {
    kept = name
    held.insert(name)
    forgetUnused()
    // If this fails, the panel is merely dark until the next process shows something.
    try? notification.send(.keep(name), passing: descriptor)
  }

  /// Has all held descriptors closed.
  package func forgetAll() {
    kept = nil
    forgetUnused()
  }

  /// Has descriptors from earlier processes closed, except the one that this process keeps.
  package func forgetUnused() {
    for name in held where name != kept {
      if let descriptor = inherited.removeValue(forKey: name) { close(descriptor) }
      try? notification.send(.forget(name))
    }
    held = held.filter { $0 == kept }
  }
}
