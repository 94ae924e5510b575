// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc
package import SystemPackage

/// A pipe: what is written to its input is read from its output. Both ends are close-on-exec.
package struct Pipe: ~Copyable {
  package let output: OwnedDescriptor
  package let input: OwnedDescriptor

  /// C: `pipe2`.
  package init(isBlocking: Bool = true) throws(Errno) {
    var ends: [CInt] = [-1, -1]
    // Writes two descriptors.
    try retryingOnInterrupt { unsafe pipe2(&ends, O_CLOEXEC | (isBlocking ? 0 : O_NONBLOCK)) }
    output = OwnedDescriptor(adopting: ends[0])
    input = OwnedDescriptor(adopting: ends[1])
  }

  /// Gives the end that is read from away, and closes the other one.
  package consuming func takeOutput() -> OwnedDescriptor { output }

  /// Gives the end that is written to away, and closes the other one.
  package consuming func takeInput() -> OwnedDescriptor { input }
}
