// SPDX-License-Identifier: MIT

internal import Glibc
internal import SystemPackage

/// A value computed on its own thread. Only one thread may use the object.
package final class Future<Value> {
  private let make: @Sendable () -> sending Value
  private let mailbox = Mailbox<Value>()
  private var thread: pthread_t?
  private var made: Value?

  /// Starts the thread. If that fails, `make` is called when the value is read.
  package init(_ make: @escaping @Sendable () -> sending Value) {
    self.make = make
    thread = try? startThread { [mailbox] in mailbox.post(make()) }
  }

  deinit {
    if let thread { pthread_detach(thread) }
  }

  /// The first access blocks until the value is available.
  package var value: Value {
    if let thread = thread.take() { pthread_join(thread, nil) }
    let value = made ?? mailbox.open() ?? make()
    made = value
    return value
  }
}
