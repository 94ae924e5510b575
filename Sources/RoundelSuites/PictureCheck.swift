// SPDX-License-Identifier: MIT

internal import RoundelGeometry
internal import RoundelRaster

/// Compares pictures with their goldens.
///
/// A golden is for one canvas size: `NAME@1280x800.png`. A note reports a picture with goldens only
/// for other sizes.
struct PictureCheck {
  private let suite: TestSuite
  private let store: any GoldenStore
  private let updates: Bool
  private(set) var written: [String] = []
  private var artifacts: [Artifact] = []
  private var notes: [String] = []

  init(_ suite: TestSuite, _ store: any GoldenStore, updates: Bool) {
    self.suite = suite
    self.store = store
    self.updates = updates
  }

  mutating func takeArtifacts() -> [Artifact] {
    defer { artifacts = [] }
    return artifacts
  }

  mutating func takeNotes() -> [String] {
    defer { notes = [] }
    return notes
  }

  /// Returns the failure, or nil if the picture matches.
  mutating func check(
    _ expectation: PictureExpectation, _ picture: Bitmap, canvas: PixelSize
  ) -> String? {
    let path = "\(suite.goldens)/\(expectation.name)@\(canvas).png"
    let golden: Bitmap?
    do {
      golden = try store.read(path).map { try PNG.decode($0) }
    } catch {
      return updates
        ? write(picture, to: path) : "cannot read the golden \(path): \(error)"
    }
    guard let golden else {
      if updates { return write(picture, to: path) }
      let others = otherSizes(of: expectation.name)
      guard others.isEmpty else {
        notes.append(
          "the picture \(expectation.name) was not compared: it was saved for "
            + "\(others.joined(separator: ", ")), not for \(canvas)")
        return nil
      }
      keep(expectation.name, ["shot": picture])
      return "there is no golden \(path) (--update writes it)"
    }
    guard golden.size == picture.size else {
      keep(expectation.name, ["shot": picture, "golden": golden])
      let sizes = "the picture has \(picture.size) pixels, its golden \(path) \(golden.size)"
      return updates ? write(picture, to: path) : sizes
    }
    let comparison = PictureComparison(picture, with: golden, tolerance: expectation.tolerance)
    guard !comparison.isWithin else { return nil }
    keep(
      expectation.name,
      ["shot": picture, "golden": golden, "difference": comparison.image(of: picture)])
    return updates
      ? write(picture, to: path) : "different from \(path): \(comparison.summary)"
  }

  private mutating func keep(_ name: String, _ pictures: KeyValuePairs<String, Bitmap>) {
    artifacts += pictures.map { Artifact("\(name).\($0).png", PNG.encode(Canvas($1))) }
  }

  /// Returns the error, or nil on success.
  private mutating func write(_ picture: Bitmap, to path: String) -> String? {
    do {
      try store.write(PNG.encode(Canvas(picture)), to: path)
      written.append(path)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func otherSizes(of name: String) -> [String] {
    store.names(in: suite.goldens).compactMap { file in
      guard file.hasPrefix(name + "@"), file.hasSuffix(".png") else { return nil }
      return String(file.dropFirst(name.count + 1).dropLast(4))
    }.sorted()
  }
}
