// SPDX-License-Identifier: MIT

internal import Glibc
internal import SystemPackage

/// A value that a thread of its own makes, while the one that will ask for it goes on. Not for threads that
/// share it.
package final class Future<Value> {
  private let make: @Sendable () -> sending Value
  private let letterbox = Letterbox<Value>()
  /// Until it is waited for.
  private var thread: pthread_t?
  private var made: Value?

  /// Starts the thread. Where there can be none, `make` is called when the value is asked for.
  package init(_ make: @escaping @Sendable () -> sending Value) {
    self.make = make
    thread = try? startThread { [letterbox] in letterbox.post(make()) }
  }

  deinit {
    // The thread goes on, and its value is dropped with the letterbox.
    if let thread { pthread_detach(thread) }
  }

  /// The value, for which this waits the first time.
  package var value: Value {
    if let thread = thread.take() { pthread_join(thread, nil) }
    let value = made ?? letterbox.open() ?? make()
    made = value
    return value
  }
}
