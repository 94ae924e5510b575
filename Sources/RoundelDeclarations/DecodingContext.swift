// SPDX-License-Identifier: MIT

internal import RoundelExpressions

/// The external facts that a value's meaning depends on.
package struct DecodingContext {
  private let file: FileContext
  /// The reader and location of a value in a file, or nil at run time.
  private let place: (reader: Reader, mark: Mark)?
  private var ids: Set<String> = []

  package init(_ file: FileContext) { (self.file, place) = (file, nil) }

  init(reading reader: Reader, at mark: Mark) { (file, place) = (FileContext(), (reader, mark)) }

  var styles: Styles { place?.reader.naming.styles ?? file.styles }

  /// A file's images are checked after the whole file was read.
  package func image(_ name: String) throws(InvalidValueError) -> String {
    if let place { return place.reader.naming.image(name, at: place.mark) }
    guard let path = file.paths.lazy.map(name.resolved).first(where: file.images.contains) else {
      throw InvalidValueError(nil, "a PNG or JPEG file") { _, _ in
        "image \(name.quoted): not used in the kiosk file"
      }
    }
    return path
  }

  /// A file's icons are checked after the whole file was read.
  package func use(icon name: String) {
    if let place { place.reader.naming.use(icon: name, at: place.mark) }
  }

  package func check(style name: String) throws(InvalidValueError) {
    let names = styles.names
    guard !names.contains(name) else { return }
    throw InvalidValueError(
      nil, names.isEmpty ? "it in \"styles\"" : names.alternatives, meaning: name, among: names
    ) { _, _ in "there is no style \(name.quoted)" }
  }

  mutating func add(id: String) throws(InvalidValueError) {
    guard ids.insert(id).inserted else {
      throw InvalidValueError(nil, nil) { _, _ in "duplicate id \(id.quoted)" }
    }
  }
}

package struct FileContext: Sendable {
  /// The value's own file, then all files. Image names are relative to them.
  var paths: [String]
  /// The images named in the files. No others can be shown.
  let images: Set<String>
  let styles: Styles

  package init(paths: [String] = [], images: Set<String> = [], styles: Styles = Styles()) {
    (self.paths, self.images, self.styles) = (paths, images, styles)
  }
}

package protocol NamingReader: Reader {
  var styles: Styles { get }

  /// Records an image, and returns its path.
  func image(_ name: String, at mark: Mark) -> String

  /// Records the name of an icon.
  func use(icon name: String, at mark: Mark)
}

extension Reader {
  fileprivate var naming: any NamingReader {
    guard let reader = self as? any NamingReader else {
      preconditionFailure("this table is a kiosk's")
    }
    return reader
  }
}

package struct Styles: Hashable, Sendable {
  private var values: [String: [String: [Value.Kind: Value]]] = [:]
  package private(set) var names: [String] = []

  package init() {}

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

  func value(of key: Keys.Declaration, in style: String) -> Value? {
    values[style]?[key.name].flatMap { $0[key.valueKind] ?? $0[.any] }
  }
}

extension String {
  func resolved(from file: String) -> String {
    guard !hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return self }
    return file[...slash] + self
  }
}
