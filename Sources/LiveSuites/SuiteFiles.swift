// SPDX-License-Identifier: MIT

internal import Glibc
package import LinuxIO
package import RoundelSuites

package struct GoldenFiles: GoldenStore {
  private static let kind = Files.Kind("the golden", maximumBytes: 128 << 20)

  package init() {}

  package func read(_ path: String) throws -> [UInt8]? {
    guard Folder.isAnythingAt(path) else { return nil }
    return try Files.read(path, Self.kind)
  }

  package func names(in folder: String) -> [String] { Folder.names(in: folder) }

  package func write(_ bytes: [UInt8], to path: String) throws {
    if let slash = path.lastIndex(of: "/") { try Files.makeFolder(String(path[..<slash])) }
    try Files.write(bytes, to: path)
  }
}

/// The folders `DIR/SUITE/TEST` for artifacts.
package struct ArtifactFolders {
  private let root: String?
  private var taken: Set<String> = []

  package init(_ root: String?) {
    self.root = root
  }

  /// Returns the folder, or nil if there are no artifacts.
  package mutating func keep(_ result: TestResult) throws(Failure) -> String? {
    guard let root, !result.artifacts.isEmpty else { return nil }
    let name = "\(root)/\(Self.fileName(result.suite))/\(Self.fileName(result.test.name))"
    var folder = name
    var number = 2
    while !taken.insert(folder).inserted {
      folder = "\(name)-\(number)"
      number += 1
    }
    try Files.makeFolder(folder)
    for artifact in result.artifacts {
      try Files.write(artifact.bytes, to: "\(folder)/\(artifact.name)", isDurable: false)
    }
    return folder
  }

  /// Joins words with hyphens, which need no quotes in a shell.
  private static func fileName(_ text: String) -> String {
    let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let name = words.joined(separator: "-").prefix(100)
    return name.isEmpty ? "test" : String(name)
  }
}
