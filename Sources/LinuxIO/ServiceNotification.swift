// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
package import SystemPackage

/// Reports to the service manager by datagrams of `NAME=value` lines. Source: sd_notify(3).
package struct ServiceNotification: ~Copyable {
  package enum Message: Hashable, Sendable {
    /// READY=1.
    case ready
    /// STOPPING=1.
    case stopping
    /// WATCHDOG=1.
    case watchdog
    /// Holds the passed descriptor for the next process. Names have at most 255 printable ASCII
    /// characters without colons. FDSTORE=1.
    case keep(String)
    /// Closes the descriptors held under a name. FDSTOREREMOVE=1.
    case forget(String)
    /// A line displayed by `systemctl status`. STATUS=…
    case status(String)

    var text: String {
      switch self {
      case .ready: "READY=1"
      case .stopping: "STOPPING=1"
      case .watchdog: "WATCHDOG=1"
      case .keep(let name): "FDSTORE=1\nFDNAME=\(name)"
      case .forget(let name): "FDSTOREREMOVE=1\nFDNAME=\(name)"
      // A line feed would start another assignment.
      case .status(let line):
        "STATUS=" + String(line.map { $0.isNewline || $0 == "\0" ? " " : $0 })
      }
    }
  }

  private let socket: OwnedDescriptor

  /// Connects to NOTIFY_SOCKET: a path, or an abstract name after `@`.
  package init(socket name: String) throws(Errno) {
    var bytes = Array(name.utf8)
    let isAbstract = bytes.first == UInt8(ascii: "@")
    guard isAbstract || bytes.first == UInt8(ascii: "/"), !bytes.contains(0) else {
      throw .invalidArgument
    }
    if isAbstract { bytes[0] = 0 } else { bytes.append(0) }
    let socket = OwnedDescriptor(
      adopting: try retryingOnInterrupt {
        let flags = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        return Glibc.socket(AF_UNIX, CInt(flags), 0)
      })
    let rawValue = socket.rawValue
    try unsafe LocalSocket.withAddress(bytes) { unsafe connect(rawValue, $0, $1) }
    self.socket = socket
  }

  /// Sends all messages in one datagram. Never blocks, so that the service manager can't delay a
  /// frame.
  package borrowing func send(_ messages: Message...) throws(Errno) {
    let bytes = Array(messages.map(\.text).joined(separator: "\n").utf8)
    let rawValue = socket.rawValue
    // The array lives until the call returns.
    try retryingOnInterrupt {
      unsafe bytes.withUnsafeBytes {
        unsafe Glibc.send(rawValue, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
    }
  }

  /// Sends a message with a descriptor. Never blocks.
  package borrowing func send(
    _ message: Message, passing descriptor: borrowing OwnedDescriptor
  ) throws(Errno) {
    let bytes = Array(message.text.utf8)
    let (rawValue, passed) = (socket.rawValue, descriptor.rawValue)
    // The array lives until the call returns.
    try retryingOnInterrupt {
      unsafe bytes.withUnsafeBytes {
        unsafe roundel_send_descriptor(rawValue, $0.baseAddress, $0.count, passed)
      }
    }
  }

  /// The maximum seconds between `watchdog` messages, from WATCHDOG_USEC and WATCHDOG_PID, or nil
  /// if this process isn't watched. Send them at twice this rate.
  package static func watchdogInterval(microseconds: String?, process: String?) -> Double? {
    guard let microseconds = microseconds.flatMap(UInt64.init), microseconds > 0 else { return nil }
    if let process, process != String(getpid()) { return nil }
    return Double(microseconds) * 1e-6
  }
}
