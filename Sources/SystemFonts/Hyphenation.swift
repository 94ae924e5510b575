// SPDX-License-Identifier: MIT

internal import Glibc
internal import LinuxIO
internal import RoundelText

/// The breaks within words, by the patterns of Debian's packages `hyphen-de`, `hyphen-en-us` and
/// others.
final class Hyphenation {
  private static let folder = "/usr/share/hyphen"
  private static let file = Files.Kind("the hyphenation patterns", maximumBytes: 8 << 20)
  /// Longer words are names of chemicals, or no words.
  private static let maximumLength = 100

  private var patterns: [String: HyphenPatterns?] = [:]

  /// As `FontLibrary.Hyphenation`. Without patterns for the language, there are none.
  func breaks(in word: [Unicode.Scalar], _ language: String) -> [Int] {
    guard (5...Self.maximumLength).contains(word.count) else { return [] }
    return patterns(for: language)?.breaks(in: word) ?? []
  }

  private func patterns(for language: String) -> HyphenPatterns? {
    if let known = patterns[language] { return known }
    let found = Self.path(for: language).flatMap(Self.text).map(HyphenPatterns.init)
    patterns[language] = .some(found)
    return found
  }

  /// Returns the patterns of a language such as `de` or `pt-BR`, or of its first variant.
  private static func path(for language: String) -> String? {
    let parts = language.split(separator: "-")
    guard let base = parts.first, language.utf8.allSatisfy({ $0 != UInt8(ascii: "/") }),
      base.allSatisfy({ $0.isASCII && $0.isLetter })
    else { return nil }
    let names = [parts.joined(separator: "_"), String(base)].map { "\(folder)/hyph_\($0).dic" }
    if let known = names.first(where: Files.isReadable) { return known }
    var found = unsafe glob_t()
    defer { unsafe globfree(&found) }
    // Safe: the paths stay valid until `globfree`, and the first is copied.
    guard unsafe glob("\(folder)/hyph_\(base)_*.dic", 0, nil, &found) == 0,
      unsafe found.gl_pathc > 0,
      let first = unsafe found.gl_pathv[0]
    else { return nil }
    return unsafe String(cString: first)
  }

  /// Returns a file in UTF-8, or nil if it can't be read. Its first line is the name of its encoding.
  private static func text(_ path: String) -> [UInt8]? {
    guard let bytes = try? Files.read(path, file) else { return nil }
    let encoding = String(decoding: bytes.prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self)
    return encoding == "UTF-8" ? bytes : decoded(bytes, encoding)
  }

  private static func decoded(_ bytes: [UInt8], _ encoding: String) -> [UInt8]? {
    // The C library represents an unknown encoding by -1.
    guard let converter = unsafe iconv_open("UTF-8", encoding),
      Int(bitPattern: converter) != -1
    else { return nil }
    defer { _ = unsafe iconv_close(converter) }
    var input = bytes.map { CChar(bitPattern: $0) }
    var isConverted = false
    // Safe: `iconv` reads and writes at most the given numbers of bytes, and keeps no pointer.
    let text = unsafe [UInt8](unsafeUninitializedCapacity: 4 * bytes.count) { output, count in
      unsafe input.withUnsafeMutableBufferPointer { input in
        unsafe output.withMemoryRebound(to: CChar.self) { output in
          var (source, sourceBytes) = (input.baseAddress, input.count)
          var (target, targetBytes) = (output.baseAddress, output.count)
          isConverted =
            unsafe iconv(converter, &source, &sourceBytes, &target, &targetBytes) != .max
          count = output.count - targetBytes
        }
      }
    }
    return isConverted ? text : nil
  }
}
