// SPDX-License-Identifier: MIT

internal import Glibc

package enum ResidentMemory {
  /// The resident set size in bytes, including shared pages, or 0 if the kernel doesn't report it.
  package static var bytes: Int {
    guard let text = try? OwnedDescriptor(opening: "/proc/self/statm", O_RDONLY).receive(upTo: 256)
    else { return 0 }
    let pages = text.split(separator: UInt8(ascii: " ")).dropFirst().first
    return pages.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
      .map { $0 * Int(sysconf(CInt(_SC_PAGESIZE))) } ?? 0
  }
}
