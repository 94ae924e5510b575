// SPDX-License-Identifier: MIT

import Foundation

/// The directory that contains Package.swift.
let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

/// The YAML files in a folder of the repository, by their relative paths.
func examples(in folder: String) throws -> [String] {
  try FileManager.default.subpathsOfDirectory(atPath: repository.appending(path: folder).path)
    .filter { $0.hasSuffix(".yaml") }.sorted().map { "\(folder)/\($0)" }
}

/// Returns the contents of a file in the repository.
func bytes(_ path: String) throws -> [UInt8] {
  Array(try Data(contentsOf: repository.appending(path: path)))
}
