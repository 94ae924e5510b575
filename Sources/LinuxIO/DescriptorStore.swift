// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc
internal import SystemPackage

/// Descriptors that the service manager holds, too: they stay open when this process ends, however it
/// does, and the next process of the service gets them. Source: sd_pid_notify_with_fds(3) and
/// sd_listen_fds(3).
package final class DescriptorStore {
  private let notification: ServiceNotification
  /// Descriptors that an earlier process has left, by name, and nobody has taken yet.
  private var inherited: [String: CInt]
  /// The names of all that the service manager holds.
  private var held: Set<String>
  /// The name of the descriptor that this process keeps; nil for none.
  private var kept: String?

  /// A store with what the environment says that this process has inherited. The variables must not
  /// reach programs that are started.
  ///
  /// - Parameters:
  ///   - notification: to the service manager.
  ///   - process: LISTEN_PID: the process that the descriptors are meant for.
  ///   - count: LISTEN_FDS: how many there are.
  ///   - names: LISTEN_FDNAMES: their names, with colons in between.
  ///   - first: the number of the first one. C: SD_LISTEN_FDS_START.
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

  /// As many as a service manager has ever been asked for, and more.
  private static let maximumCount = 16

  /// The descriptor that an earlier process has left under a name; nil where there is none.
  package func take(_ name: String) -> OwnedDescriptor? {
    inherited.removeValue(forKey: name).map { OwnedDescriptor(adopting: $0) }
  }

  /// Has a descriptor held for the next process, in place of all that was held before. Whether the
  /// service manager does so is its own affair: the unit says how many it holds.
  package func keep(_ descriptor: borrowing OwnedDescriptor, as name: String) {
    kept = name
    held.insert(name)
    forgetUnused()
    // Where it does not, the panel is dark until the next process shows something, no more.
    try? notification.send(.keep(name), passing: descriptor)
  }

  /// Has all that is held closed.
  package func forgetAll() {
    kept = nil
    forgetUnused()
  }

  /// Has what earlier processes have left closed, but for what this one keeps.
  package func forgetUnused() {
    for name in held where name != kept {
      if let descriptor = inherited.removeValue(forKey: name) { close(descriptor) }
      try? notification.send(.forget(name))
    }
    held = held.filter { $0 == kept }
  }
}
