// SPDX-License-Identifier: MIT

internal import Glibc
package import SystemPackage

/// Memory of a file or device, mapped for writing and shared. Safe: the pages stay mapped for the
/// value's lifetime, and are only accessible inside `withBytes`.
@safe package struct MappedMemory: ~Copyable {
  private let bytes: UnsafeMutableRawBufferPointer

  /// `length` is at least 1, and `offset` a multiple of the page size. C: `mmap`.
  package init(
    _ descriptor: borrowing OwnedDescriptor, offset: Int64, length: Int
  ) throws(Errno) {
    // Offsets beyond 4 GiB occur even if `off_t` has 32 bits.
    guard let offset = off_t(exactly: offset) else { throw .overflow }
    let start = unsafe mmap(
      nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.rawValue, offset)
    guard let start = unsafe start, unsafe start != MAP_FAILED else { throw Errno.current }
    unsafe bytes = UnsafeMutableRawBufferPointer(start: start, count: length)
  }

  deinit {
    unsafe munmap(bytes.baseAddress, bytes.count)
  }

  /// Passes memory that is valid only during the call.
  package borrowing func withBytes<Result, Failure: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(bytes)
  }
}
