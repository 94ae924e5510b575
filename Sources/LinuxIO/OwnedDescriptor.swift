// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
package import SystemPackage

/// A descriptor closed with its owner, and close-on-exec. Use it if closing can't lose data: for
/// devices, timers and sockets.
package struct OwnedDescriptor: ~Copyable, Sendable {
  package let rawValue: CInt

  /// Takes ownership of `rawValue`.
  package init(adopting rawValue: CInt) {
    self.rawValue = rawValue
  }

  /// C: `open`.
  package init(opening path: String, _ access: CInt) throws(Errno) {
    rawValue = try retryingOnInterrupt { unsafe Glibc.open(path, access | O_CLOEXEC) }
  }

  /// Creates zeroed, shareable memory of `length` bytes that can't shrink. C: `memfd_create`.
  package init(memoryOf length: Int, named name: String) throws(Errno) {
    let memory = OwnedDescriptor(
      adopting: try retryingOnInterrupt {
        unsafe memfd_create(name, UInt32(MFD_CLOEXEC) | UInt32(MFD_ALLOW_SEALING))
      })
    try retryingOnInterrupt { ftruncate(memory.rawValue, off_t(length)) }
    try retryingOnInterrupt { fcntl(memory.rawValue, roundel_F_ADD_SEALS, roundel_F_SEAL_SHRINK) }
    self = memory
  }

  deinit {
    // Not repeated after EINTR: Linux has already freed the number, which may be reused.
    Glibc.close(rawValue)
  }

  package consuming func release() -> CInt {
    let rawValue = rawValue
    discard self
    return rawValue
  }

  /// Reads the available bytes. Returns 0 at the end. C: `read`.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    // The pointer and the length belong together.
    try retryingOnInterrupt { unsafe Glibc.read(rawValue, buffer.baseAddress, buffer.count) }
  }

  /// Reads the available bytes, up to `count`. Returns an empty array at the end. C: `read`.
  package func receive(upTo count: Int) throws(Errno) -> [UInt8] {
    try FileDescriptor(rawValue: rawValue).receive(upTo: count)
  }
}

extension FileDescriptor {
  package func receive(upTo count: Int) throws(Errno) -> [UInt8] {
    var failure: Errno?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(Errno) {
        // The pointer and the length belong together.
        filled = try retryingOnInterrupt { unsafe Glibc.read(rawValue, buffer.baseAddress, count) }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }
}
