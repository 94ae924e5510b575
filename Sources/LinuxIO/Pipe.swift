// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
package import SystemPackage

package struct Pipe: ~Copyable {
  package let output: OwnedDescriptor
  package let input: OwnedDescriptor

  /// Creates a pipe whose ends are close-on-exec. C: `pipe2`.
  package init(isBlocking: Bool = true) throws(Errno) {
    var ends: [CInt] = [-1, -1]
    // Writes two descriptors.
    try retryingOnInterrupt { unsafe pipe2(&ends, O_CLOEXEC | (isBlocking ? 0 : O_NONBLOCK)) }
    output = OwnedDescriptor(adopting: ends[0])
    input = OwnedDescriptor(adopting: ends[1])
  }

  /// Closes the other end.
  package consuming func takeOutput() -> OwnedDescriptor { output }

  /// Closes the other end.
  package consuming func takeInput() -> OwnedDescriptor { input }
}
