// SPDX-License-Identifier: MIT

package import RoundelAuthoring
package import RoundelDeclarations
package import RoundelGeometry
internal import Kiosk
package import KioskFile
package import KioskHost
internal import LinuxIO
internal import RoundelSession
internal import RoundelSuites

/// Finds errors like `roundel check` and `roundel test`, including unsaved changes.
package final class FileChecker {
  package let workspace: Workspace
  /// The loaded assets, so that keystrokes don't reload them.
  private var assets: [String: Assets] = [:]

  package init() {
    workspace = Workspace { path in
      try? Files.read(path, .part)
    } list: { folder in
      Folder.names(in: folder.isEmpty ? "." : folder)
    }
  }

  /// Returns the diagnostics and paths of a file and its included files.
  package func check(
    _ path: String, _ kind: FileKind, _ isThorough: Bool
  ) -> (diagnostics: [Diagnostic], files: [String]) {
    guard let bytes = workspace.bytes(path) else { return ([], [path]) }
    switch kind {
    case .kiosk, .part:
      let first = read(path, bytes, isThorough: isThorough).kiosk
      let others =
        isThorough
        ? first.others { read(path, bytes, isThorough: true, canvas: $0).kiosk } : []
      let all = [first] + others
      return (all.flatMap(\.diagnostics), [path] + all.flatMap(\.includedFiles))
    case .suite:
      let reading = SuiteReading(bytes, path: path) { [self] kiosk, canvas in
        guard let bytes = workspace.bytes(Workspace.normal(kiosk)) else { return nil }
        return self.read(kiosk, bytes, isThorough: false, canvas: canvas).kiosk.description
      }
      return (reading.diagnostics, [path])
    case .recording:
      do throws(Recording.ParseError) {
        _ = try Recording(bytes, path: path)
        return ([], [path])
      } catch {
        return ([Diagnostic(file: path, line: error.line, column: 1, message: error.what)], [path])
      }
    }
  }

  /// The canvas is unrotated, or nil for the first size. `leavingAssets` keeps assets, because no
  /// attached file has changed.
  package func read(
    _ path: String, _ bytes: [UInt8], isThorough: Bool, leavingAssets: Bool = false,
    canvas: PixelSize? = nil
  ) -> (kiosk: ParsedKiosk, assets: Assets) {
    // A thorough check reads the files on disk.
    let known = isThorough ? nil : assets[path]
    let own = known ?? Assets()
    own.unsaved = { [workspace] path in workspace.isOpen(path) ? workspace.bytes(path) : nil }
    if !leavingAssets || assets[path] == nil { assets[path] = own }
    let kiosk =
      isThorough
      ? ParsedKiosk(reviewing: bytes, path: path, assets: own, canvas: canvas)
      : ParsedKiosk(bytes, path: path, assets: own, limit: .ofKioskFile, canvas: canvas)
    return (kiosk, own)
  }
}
