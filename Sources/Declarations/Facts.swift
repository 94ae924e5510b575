// SPDX-License-Identifier: MIT

internal import Expressions

/// What the meaning of a value depends on besides itself.
package struct Facts {
  private let file: FileFacts
  /// The reader of a file that has the value; nil for a value that is set.
  private let place: (reader: Reader, mark: Mark)?
  /// The ids of items that have been decoded.
  private var ids: Set<String> = []

  package init(_ file: FileFacts) { (self.file, place) = (file, nil) }

  init(reading reader: Reader, at mark: Mark) { (file, place) = (FileFacts(), (reader, mark)) }

  var styles: Styles { place?.reader.naming.styles ?? file.styles }

  /// The path of an image that can be shown. The images of a file are looked for when all of it has been read.
  package func image(_ name: String) throws(Unsuitable) -> String {
    if let place { return place.reader.naming.image(name, at: place.mark) }
    guard let path = file.paths.lazy.map(name.resolved).first(where: file.images.contains) else {
      throw Unsuitable(nil, "a PNG or JPEG file") { _, _ in
        "image \(name.quoted): the kiosk's file does not name it"
      }
    }
    return path
  }

  /// Throws if there is no style of a name.
  package func check(style name: String) throws(Unsuitable) {
    let names = styles.names
    guard !names.contains(name) else { return }
    throw Unsuitable(
      nil, names.isEmpty ? "\"styles\" with it" : names.alternatives, meaning: name, among: names
    ) { _, _ in "there is no style \(name.quoted)" }
  }

  mutating func add(id: String) throws(Unsuitable) {
    guard ids.insert(id).inserted else {
      throw Unsuitable(nil, nil) { _, _ in "duplicate id \(id.quoted)" }
    }
  }
}

/// The images and styles of a kiosk's files.
package struct FileFacts: Sendable {
  /// The paths of the files: the one that a value belongs to, then all. Images are named relative to them.
  var paths: [String]
  /// The paths of the images that the files name: no other can be shown.
  let images: Set<String>
  let styles: Styles

  package init(paths: [String] = [], images: Set<String> = [], styles: Styles = Styles()) {
    (self.paths, self.images, self.styles) = (paths, images, styles)
  }
}

/// A reader of a file that names images and styles.
package protocol NamingReader: Reader {
  var styles: Styles { get }

  /// Notes an image, and returns its path.
  func image(_ name: String, at mark: Mark) -> String
}

extension Reader {
  fileprivate var naming: any NamingReader {
    guard let reader = self as? any NamingReader else {
      preconditionFailure("this table is a kiosk's")
    }
    return reader
  }
}

/// The values that items take from the styles of a file.
package struct Styles: Hashable, Sendable {
  /// The values of each style, as keys of each kind take them.
  private var values: [String: [String: [Value.Kind: Value]]] = [:]
  package private(set) var names: [String] = []

  package init() {}

  /// The styles as they are in the file.
  package init(_ pairs: [String: [Node.Pair]]) {
    names = pairs.keys.sorted()
    values = pairs.mapValues { pairs in
      pairs.reduce(into: [:]) { values, pair in
        let node = pair.value
        values[pair.key] = [.any: node.plainValue(nil)]
        guard node.kind == .scalar else { return }
        for kind in [Value.Kind.number, .flag, .text] {
          values[pair.key]?[kind] = node.value(as: kind)
        }
      }
    }
  }

  /// The value that a key takes from a style.
  func value(of key: Keys.Declaration, in style: String) -> Value? {
    values[style]?[key.name].flatMap { $0[key.valueKind] ?? $0[.any] }
  }
}

extension String {
  /// The path of a file that is named relative to another one.
  func resolved(from file: String) -> String {
    guard !hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return self }
    return file[...slash] + self
  }
}
