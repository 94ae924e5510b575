// SPDX-License-Identifier: MIT

internal import Glibc
public import SystemPackage

/// Calls `body`, again as long as a signal interrupts it, and turns a result of -1 into the error
/// that errno holds.
@discardableResult
public func retryingOnInterrupt<Result: FixedWidthInteger & SignedInteger>(
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
  /// The calling thread's errno.
  public static var current: Errno { Errno(rawValue: Glibc.errno) }
}
