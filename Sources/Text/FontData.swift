// SPDX-License-Identifier: MIT

/// The bytes of a font file, which stay where they are as long as a face reads them.
// Safe: the bytes are given back in `deinit` only, and never written.
@safe package final class FontData {
  let bytes: UnsafeBufferPointer<UInt8>
  private let giveBack: (UnsafeBufferPointer<UInt8>) -> Void

  /// A copy of bytes; an array does not promise to stay where it is.
  package init(copying source: [UInt8]) {
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: source.count)
    _ = unsafe copy.initialize(fromContentsOf: source)
    unsafe bytes = UnsafeBufferPointer(copy)
    unsafe giveBack = { unsafe $0.deallocate() }
  }

  /// Bytes in other memory that must not change, such as a mapped file.
  /// - Parameter giveBack: called when nothing reads them any more.
  package init(
    _ bytes: UnsafeBufferPointer<UInt8>,
    giveBack: @escaping (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    unsafe self.bytes = bytes
    unsafe self.giveBack = giveBack
  }

  deinit {
    unsafe giveBack(bytes)
  }
}
