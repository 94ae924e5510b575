// SPDX-License-Identifier: MIT

/// Lends memory for `capacity` elements, on the stack where they are few, until `body` returns. The
/// library's function tells the kind of error only from Swift 6.3 on.
package func withTemporaryMemory<Element, Result, Failure: Error>(
  of type: Element.Type, capacity: Int,
  _ body: (UnsafeMutableBufferPointer<Element>) throws(Failure) -> Result
) throws(Failure) -> Result {
  let result: Swift.Result<Result, Failure> = unsafe withUnsafeTemporaryAllocation(
    of: type, capacity: capacity
  ) { memory in
    do throws(Failure) { return .success(try unsafe body(memory)) } catch { return .failure(error) }
  }
  return try result.get()
}
