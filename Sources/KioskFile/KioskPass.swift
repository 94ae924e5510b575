// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelGeometry

/// A reader of a kiosk file that records work for later passes.
class KioskPass: Reader {
  let deferred: DeferredWork

  final class DeferredWork {
    var links: [Link] = []
    var assets: [NamedAsset] = []
    /// The fonts of text.
    var usedFonts: [(font: Font, mark: Mark)] = []
    /// The fonts named in the file.
    var namedFonts: [(font: Font, mark: Mark)] = []
    /// The touch targets with their sizes in design pixels.
    var targets: [(size: Size, what: String, mark: Mark)] = []
    var pages = DeclaredPages()
  }

  init(file: String, end: Mark, limit: TimeLimit = .none) {
    deferred = DeferredWork()
    super.init(file: file, end: end, limit: limit)
  }

  init(after other: KioskPass, constants: Constants? = nil) {
    deferred = other.deferred
    super.init(after: other, constants: constants ?? other.constants)
  }

  @discardableResult
  func use(_ kind: NamedAsset.Kind, _ name: String, at mark: Mark) -> NamedAsset {
    let path = kind.isFile ? resolve(name, from: mark) : name
    let asset = NamedAsset(kind: kind, name: path, written: name, mark: mark)
    deferred.assets.append(asset)
    return asset
  }

  func use(_ font: Font, at mark: Mark) { deferred.usedFonts.append((font, mark)) }

  func add(font families: [String], at mark: Mark) {
    deferred.namedFonts.append((Font(families), mark))
  }
}

extension Reader {
  /// This reader as a kiosk file's. Other files have no tables of kiosks.
  var pass: KioskPass {
    guard let reader = self as? KioskPass else {
      preconditionFailure("this table is a kiosk file's")
    }
    return reader
  }
}

extension Budget {
  static let values = count(250_000, "the file expands to more than", "values")
  /// The number of bindings and computed values.
  static let expressions = count(20_000, "the file has more than", "expressions")
  /// The work for trying settings, less than a second. No file needs more.
  static let trials = Budget(
    20_000_000, "the actions set properties of large controls too often",
    expected: "fewer actions, or smaller controls")

  private static func count(_ maximum: Int, _ has: String, _ what: String) -> Budget {
    Budget(maximum, "\(has) \(maximum) \(what)")
  }
}
