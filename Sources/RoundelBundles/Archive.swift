// SPDX-License-Identifier: MIT

internal import RoundelJSON
package import LinuxIO

/// A canonical tar archive: only regular files in the order of their paths, without owners and
/// times. `tar` can read it. Other tar files are refused.
///
/// Written here because equal files must give equal bytes.
///
/// Source: POSIX, pax, "ustar Interchange Format".
package enum Archive {
  /// A file with a relative path that has no `.`, `..` or empty components.
  package struct File: Hashable, Sendable {
    package let path: String
    package let bytes: [UInt8]
    package let isProgram: Bool

    package init(_ path: String, _ bytes: [UInt8], isProgram: Bool = false) {
      self.path = path
      self.bytes = bytes
      self.isProgram = isProgram
    }
  }

  package static let maximumFiles = 4096
  private static let blockBytes = 512
  private static let maximumNameBytes = 100
  private static let maximumPrefixBytes = 155
  /// The maximum that fits into twelve bytes.
  private static let maximumFileBytes = 0o77_777_777_777

  /// Returns the archive of files with distinct paths.
  package static func bytes(of files: [File]) throws(Failure) -> [UInt8] {
    let files = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    try check(files.map(\.path))
    var archive: [UInt8] = []
    for file in files {
      archive += try header(file.path, bytes: file.bytes.count, isProgram: file.isProgram)
      archive += file.bytes
      archive += [UInt8](repeating: 0, count: padding(file.bytes.count))
    }
    return archive + [UInt8](repeating: 0, count: 2 * blockBytes)
  }

  /// Throws unless the archive is exactly as `bytes` writes it.
  package static func files(in archive: ArraySlice<UInt8>) throws(Failure) -> [File] {
    var files: [File] = []
    var rest = archive
    while let block = take(blockBytes, of: &rest) {
      guard block.contains(where: { $0 != 0 }) else {
        guard rest.count == blockBytes, rest.allSatisfy({ $0 == 0 }) else {
          throw refusal("there is extra data after its end")
        }
        try check(files.map(\.path))
        return files
      }
      guard files.count < maximumFiles else {
        throw refusal("it contains more than \(maximumFiles) files")
      }
      files.append(try file(block, &rest))
    }
    throw refusal("it is truncated")
  }

  private static func file(
    _ block: ArraySlice<UInt8>, _ rest: inout ArraySlice<UInt8>
  ) throws(Failure) -> File {
    let fields = Fields(block)
    guard let path = fields.path else { throw refusal("a path in it is not UTF-8") }
    guard isPath(path) else {
      throw refusal("\(path.quotedPath) is not a path below the kiosk's folder")
    }
    switch fields.type {
    case UInt8(ascii: "0"): break
    case UInt8(ascii: "1"), UInt8(ascii: "2"): throw refusal("\(path.quotedPath) is a link")
    case UInt8(ascii: "5"): throw refusal("\(path.quotedPath) is a folder")
    default: throw refusal("\(path.quotedPath) is not a regular file")
    }
    guard let size = fields.size else {
      throw refusal("the size of \(path.quotedPath) is not a number")
    }
    guard block.elementsEqual(try header(path, bytes: size, isProgram: fields.isProgram)) else {
      throw refusal("the entry of \(path.quotedPath) is not in the format of `roundel bundle`")
    }
    guard size <= rest.count, let bytes = take(size, of: &rest) else {
      throw refusal("\(path.quotedPath) should have \(size) bytes, but only \(rest.count) are left")
    }
    guard let padding = take(padding(size), of: &rest) else { throw refusal("it is truncated") }
    guard padding.allSatisfy({ $0 == 0 }) else {
      throw refusal("there is extra data after \(path.quotedPath)")
    }
    return File(path, Array(bytes), isProgram: fields.isProgram)
  }

  private static func take(_ count: Int, of rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  private static func padding(_ bytes: Int) -> Int {
    (blockBytes - bytes % blockBytes) % blockBytes
  }

  private static func refusal(_ reason: String) -> Failure { Failure(.didNotHold, reason) }

  // MARK: Paths

  /// Whether a path stays below its folder, and has no control characters.
  package static func isPath(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return !path.unicodeScalars.contains(where: \.isControl)
      && parts.allSatisfy { !["", ".", ".."].contains($0) && $0.utf8.count <= 255 }
  }

  /// Throws if paths are unsorted or duplicate, or if one is a folder of another.
  private static func check(_ paths: [String]) throws(Failure) {
    guard paths.count <= maximumFiles else {
      throw refusal("it contains more than \(maximumFiles) files")
    }
    var all: Set<String> = []
    for (index, path) in paths.enumerated() {
      guard isPath(path) else {
        throw refusal("\(path.quotedPath) is not a path below the kiosk's folder")
      }
      guard all.insert(path).inserted else { throw refusal("\(path.quotedPath) is in it twice") }
      if index > 0, !paths[index - 1].utf8.lexicographicallyPrecedes(path.utf8) {
        throw refusal("\(path.quotedPath) is not in sorted order")
      }
    }
    for path in paths {
      var folder = path[...]
      while let slash = folder.lastIndex(of: "/") {
        folder = folder[..<slash]
        guard !all.contains(String(folder)) else {
          throw refusal("\(String(folder).quotedPath) is a file and a folder")
        }
      }
    }
  }

  // MARK: Headers

  private struct Fields {
    let path: String?
    let type: UInt8
    /// The size, or nil if the field isn't an octal number.
    let size: Int?
    let isProgram: Bool

    init(_ block: ArraySlice<UInt8>) {
      func field(_ offset: Int, _ count: Int) -> ArraySlice<UInt8> {
        block.dropFirst(offset).prefix(count).prefix { $0 != 0 }
      }
      let prefix = field(345, Archive.maximumPrefixBytes)
      let whole =
        prefix + (prefix.isEmpty ? [] : [UInt8(ascii: "/")]) + field(0, Archive.maximumNameBytes)
      path = String(validating: whole, as: UTF8.self)
      type = block[block.startIndex + 156]
      let digits = field(124, 12)
      size =
        digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "7") ~= $0 }
        ? Int(String(decoding: digits, as: UTF8.self), radix: 8) : nil
      isProgram = field(100, 8).elementsEqual("0000755".utf8)
    }
  }

  private static func header(
    _ path: String, bytes: Int, isProgram: Bool
  ) throws(Failure) -> [UInt8] {
    guard bytes <= maximumFileBytes else { throw refusal("\(path.quotedPath) is too large") }
    let (prefix, name) = try split(path)
    var header: [UInt8] = []
    func text(_ text: some Sequence<UInt8>, _ count: Int) {
      let field = Array(text)
      header += field + [UInt8](repeating: 0, count: count - field.count)
    }
    func number(_ number: Int, _ count: Int) {
      let digits = String(number, radix: 8)
      text((String(repeating: "0", count: count - 1 - digits.count) + digits).utf8, count)
    }
    text(name, maximumNameBytes)
    number(isProgram ? 0o755 : 0o644, 8)
    number(0, 8)
    number(0, 8)
    number(bytes, 12)
    number(0, 12)
    let sumOffset = header.count
    header += [UInt8](repeating: UInt8(ascii: " "), count: 8)
    text("0".utf8, 1)
    text([], 100)
    text("ustar".utf8, 6)
    header += Array("00".utf8)
    text([], 32)
    text([], 32)
    number(0, 8)
    number(0, 8)
    text(prefix, maximumPrefixBytes)
    text([], blockBytes - header.count)
    let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
    let digits = Array((String(repeating: "0", count: 6 - sum.count) + sum).utf8) + [0]
    header.replaceSubrange(sumOffset..<sumOffset + 7, with: digits)
    return header
  }

  /// Splits a path for a header. The second part is as long as possible.
  private static func split(_ path: String) throws(Failure) -> ([UInt8], [UInt8]) {
    let bytes = Array(path.utf8)
    guard bytes.count > maximumNameBytes else { return ([], bytes) }
    let first = bytes.count - maximumNameBytes - 1
    guard let slash = bytes[first...].firstIndex(of: UInt8(ascii: "/")), slash <= maximumPrefixBytes
    else { throw refusal("\(path.quotedPath) is too long (a path has at most 255 bytes)") }
    return (Array(bytes[..<slash]), Array(bytes[(slash + 1)...]))
  }
}

extension String {
  /// The path in quotes, escaped and cut to 120 characters.
  fileprivate var quotedPath: String {
    "\"\(String(prefix(120)).printable)\(count > 120 ? "…" : "")\""
  }
}
