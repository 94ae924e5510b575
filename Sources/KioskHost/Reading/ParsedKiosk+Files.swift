// SPDX-License-Identifier: MIT

internal import RoundelDrawing
package import RoundelGeometry
internal import Kiosk
package import KioskFile
package import KioskProtocol
package import LinuxIO
internal import RoundelDeclarations

extension ParsedKiosk {
  /// Finds the file's errors and warnings with these settings on a panel.
  ///
  /// - Parameter rotation: The rotation of the picture on the panel, or nil to use the file's.
  package init(
    kioskFile path: String, assets: Assets, settings: [Assignment] = [], panel: PixelSize? = nil,
    rotation: Rotation? = nil
  ) throws(Failure) {
    try self.init(
      Files.read(path, .checkedKiosk), path: path, assets: assets, panel: panel, rotation: rotation)
    guard let description else { return }
    var start = Engine(description, seed: 0)
    try start.prepare(page: nil, settings: settings)
    review(assets, panel, from: start)
  }

  /// Reads a kiosk file without looking for warnings.
  init(
    _ text: [UInt8], path: String, assets: Assets, panel: PixelSize?, rotation: Rotation?,
    source: KioskSource = .file
  ) {
    self.init(text, path: path, assets: assets, limit: .ofKioskFile, source: source)
    assets.addFallback()
    if let screen = description?.screen, let panel {
      // The file specifies the rotation, and another of its sizes may fit better.
      let canvas = (rotation ?? screen.rotation ?? .none).applied(to: panel)
      if screen.size(on: canvas) != screen.size {
        self.init(
          text, path: path, assets: assets, limit: .ofKioskFile, canvas: canvas, source: source)
      }
    }
  }

  /// Finds errors and warnings on an unrotated canvas.
  package init(
    reviewing text: [UInt8], path: String, assets: Assets, canvas: PixelSize? = nil
  ) {
    self.init(text, path: path, assets: assets, limit: .ofKioskFile, canvas: canvas)
    assets.addFallback()
    review(assets)
  }

  private mutating func review(
    _ assets: Assets, _ panel: PixelSize? = nil, from start: Engine? = nil
  ) {
    if let search = WarningSearch(of: self, assets, panel, from: start) {
      diagnostics = search.end(merging: diagnostics)
    }
  }

  /// Reads the file once for each of its sizes, in order.
  package static func all(
    kioskFile path: String, settings: [Assignment] = []
  ) throws(Failure) -> [ParsedKiosk] {
    let first = try ParsedKiosk(kioskFile: path, assets: Assets(), settings: settings)
    return try [first]
      + first.others { panel throws(Failure) in
        try ParsedKiosk(
          kioskFile: path, assets: Assets(), settings: settings, panel: panel,
          rotation: Rotation.none)
      }
  }

  /// Excludes known diagnostics. A diagnostic of several other sizes belongs to the first and names
  /// them all.
  package func others<Failure: Error>(
    _ read: (_ panel: PixelSize) throws(Failure) -> ParsedKiosk
  ) throws(Failure) -> [ParsedKiosk] {
    guard let screen = description?.screen else { return [] }
    let known = Set(Fault.all(of: diagnostics))
    var panels: [Fault: [PixelSize]] = [:]
    var others: [ParsedKiosk] = []
    var faults: [[Fault]] = []
    for size in screen.sizes where size != screen.size {
      let panel = PixelSize(nearest: size)
      var other = try read(panel)
      let found = zip(other.diagnostics, Fault.all(of: other.diagnostics)).filter {
        !known.contains($0.1)
      }
      for (_, fault) in found { panels[fault, default: []].append(panel) }
      let new = found.filter { panels[$0.1]?.count == 1 }
      other.diagnostics = new.map(\.0)
      others.append(other)
      faults.append(new.map(\.1))
    }
    for (number, faults) in faults.enumerated() {
      for (index, fault) in faults.enumerated() {
        let names = (panels[fault] ?? []).map { "\($0.width) by \($0.height)" }
        others[number].diagnostics[index].message +=
          names.count == 1
          ? ", on a panel of \(names[0])"
          : ", on panels of \(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")"
      }
    }
    return others
  }

  /// A diagnostic without its numbers and quotations, which may differ between sizes.
  private struct Fault: Hashable {
    var diagnostic: Diagnostic
    /// The number of earlier equal diagnostics.
    var number: Int

    static func all(of diagnostics: [Diagnostic]) -> [Fault] {
      var counts: [Diagnostic: Int] = [:]
      return diagnostics.map { diagnostic in
        var plain = diagnostic
        plain.message = diagnostic.message.split(separator: "\"", omittingEmptySubsequences: false)
          .enumerated().filter { $0.offset % 2 == 0 }
          .map { $0.element.filter { !$0.isNumber } }.joined()
        defer { counts[plain, default: 0] += 1 }
        return Fault(diagnostic: plain, number: counts[plain] ?? 0)
      }
    }
  }

  package func files(of path: String) -> [String] {
    [path] + includedFiles + images + sounds + fonts.filter(\.isFile).map(\.family)
  }

  /// The files and programs at several sizes, without duplicates.
  package static func parts(of readings: [ParsedKiosk], at path: String) -> [String] {
    var known: Set<String> = []
    return (readings.flatMap { $0.files(of: path) } + readings.flatMap { $0.ownPrograms(of: path) })
      .filter { known.insert($0).inserted }
  }

  package func ownPrograms(of path: String) -> [String] {
    let folder = Programs.folder(of: path)
    return programs.compactMap { name in
      guard !name.hasPrefix("/") else { return nil }
      let place = folder + name
      return (try? Programs.path(of: name, for: path)) == place ? place : nil
    }
  }
}
