// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc
package import SystemPackage

/// A pipe. Data written to its input is read from its output. Both ends are close-on-exec.
package struct Pipe: ~Copyable {
  package let output: OwnedDescriptor
  package let input: OwnedDescriptor

  /// Creates a pipe. C: `pipe2`.
  package init(isBlocking: Bool = true) throws(Errno) {
    var ends: [CInt] = [-1, -1]
    // Writes two descriptors.
    try retryingOnInterrupt { unsafe pipe2(&ends, O_CLOEXEC | (isBlocking ? 0 : O_NONBLOCK)) }
    output = OwnedDescriptor(adopting: ends[0])
    input = OwnedDescriptor(adopting: ends[1])
  }

  /// Returns the reading end, and closes the other one.
  package consuming func takeOutput() -> OwnedDescriptor { output }

  /// Returns the writing end, and closes the other one.
  package consuming func takeInput() -> OwnedDescriptor { input }
}
