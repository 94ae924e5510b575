// SPDX-License-Identifier: MIT

internal import Glibc
package import SystemPackage

/// Calls `body`, repeatedly while a signal interrupts it. Throws errno if the result is -1.
@discardableResult
package func retryingOnInterrupt<Result: FixedWidthInteger & SignedInteger>(
  _ body: () -> Result
) throws(Errno) -> Result {
  while true {
    let result = body()
    if result != -1 { return result }
    let error = Errno.current
    if error != .interrupted { throw error }
  }
}

extension Errno {
  package static var current: Errno { Errno(rawValue: Glibc.errno) }
}
