// SPDX-License-Identifier: MIT

/// The bytes of a font file, at a fixed address while a face reads them.
// Safe: the bytes are never written, and only freed in `deinit`.
@safe package final class FontData {
  let bytes: UnsafeBufferPointer<UInt8>
  private let giveBack: (UnsafeBufferPointer<UInt8>) -> Void

  /// Copies bytes, because an array's elements have no stable address.
  package init(copying source: [UInt8]) {
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: source.count)
    _ = unsafe copy.initialize(fromContentsOf: source)
    unsafe bytes = UnsafeBufferPointer(copy)
    unsafe giveBack = { unsafe $0.deallocate() }
  }

  /// Uses other memory that must not change, such as a mapped file.
  /// - Parameter giveBack: Called when nothing reads the bytes any more.
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
