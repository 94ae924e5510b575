// SPDX-License-Identifier: MIT

internal import Glibc

/// The memory that this process takes.
package enum ResidentMemory {
  /// Bytes that are in memory, shared ones included; 0 where the kernel does not report it.
  package static var bytes: Int {
    guard let text = try? OwnedDescriptor(opening: "/proc/self/statm", O_RDONLY).receive(upTo: 256)
    else { return 0 }
    let pages = text.split(separator: UInt8(ascii: " ")).dropFirst().first
    return pages.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
      .map { $0 * Int(sysconf(CInt(_SC_PAGESIZE))) } ?? 0
  }
}
