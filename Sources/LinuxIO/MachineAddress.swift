// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc

package enum MachineAddress {
  package static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    // The last byte is the zero after a truncated name.
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return "" }
    return text(name)
  }

  /// Excludes loopback and link-local addresses.
  package static var addresses: [String] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&list) == 0 else { return [] }
    defer { unsafe freeifaddrs(list) }
    var found: [String] = []
    // The entries live until the list is freed.
    var next = unsafe list
    while let entry = unsafe next {
      unsafe next = entry.pointee.ifa_next
      guard let address = unsafe entry.pointee.ifa_addr, let text = unsafe text(of: address) else {
        continue
      }
      let isOwn = text.hasPrefix("127.") || text == "::1"
      if !isOwn, !text.hasPrefix("fe80:"), !found.contains(text) { found.append(text) }
    }
    return found
  }

  private static func text(of address: UnsafeMutablePointer<sockaddr>) -> String? {
    let byteCount: Int
    switch unsafe CInt(address.pointee.sa_family) {
    case AF_INET: byteCount = MemoryLayout<sockaddr_in>.size
    case AF_INET6: byteCount = MemoryLayout<sockaddr_in6>.size
    default: return nil
    }
    var name = [CChar](repeating: 0, count: 128)
    // The text ends within the buffer.
    let result = unsafe getnameinfo(
      address, socklen_t(byteCount), &name, socklen_t(name.count - 1), nil, 0, NI_NUMERICHOST)
    return result == 0 ? text(name) : nil
  }

  private static func text(_ bytes: [CChar]) -> String {
    String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
