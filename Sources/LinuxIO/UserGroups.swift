// SPDX-License-Identifier: MIT

internal import Glibc

package enum UserGroups {
  /// The user's name, or the number if unknown.
  package static var userName: String {
    // Copied immediately.
    guard let entry = unsafe getpwuid(geteuid()), let name = unsafe entry.pointee.pw_name else {
      return String(geteuid())
    }
    return unsafe String(cString: name)
  }

  package static var ofThisProcess: [String] {
    var numbers = [gid_t](repeating: 0, count: 256)
    // Writes at most `numbers.count` numbers.
    let count = unsafe getgroups(CInt(numbers.count), &numbers)
    let all = Set(numbers.prefix(Int(max(0, count))) + [getegid()])
    return all.sorted().map { name(of: $0) ?? String($0) }
  }

  /// Returns nil if unknown. C: `getgrgid_r`.
  static func name(of number: gid_t) -> String? {
    // The name points into `buffer`, and is copied before it is freed.
    var entry = unsafe group()
    var found: UnsafeMutablePointer<group>?
    var buffer = [CChar](repeating: 0, count: 1 << 16)
    guard unsafe getgrgid_r(number, &entry, &buffer, buffer.count, &found) == 0,
      unsafe found != nil, let name = unsafe entry.gr_name
    else { return nil }
    return unsafe String(cString: name)
  }

  /// Returns nil if unknown. C: `getgrnam_r`.
  package static func number(of name: String) -> UInt32? {
    var entry = unsafe group()
    var found: UnsafeMutablePointer<group>?
    var buffer = [CChar](repeating: 0, count: 1 << 16)
    guard unsafe getgrnam_r(name, &entry, &buffer, buffer.count, &found) == 0, unsafe found != nil
    else { return nil }
    return unsafe entry.gr_gid
  }
}
