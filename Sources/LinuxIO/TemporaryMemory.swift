// SPDX-License-Identifier: MIT

/// Uses the stack for few elements. The standard library has typed throws here only since Swift
/// 6.3.
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
