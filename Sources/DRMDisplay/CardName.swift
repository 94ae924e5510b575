// SPDX-License-Identifier: MIT

internal import LinuxIO
internal import RoundelPresentation
internal import SystemPackage

/// The argument of `--card`: a device file, whose number may change at boot, a stable path in
/// `/dev/dri/by-path`, or a driver.
enum CardName: Hashable {
  case path(String)
  case driver(String)

  init(_ name: String, in directory: String) {
    guard !name.contains("/") else {
      self = .path(name)
      return
    }
    let places = Set(Folder.names(in: "\(directory)/by-path"))
    if let place = [name, "\(name)-card"].first(where: places.contains) {
      self = .path("\(directory)/by-path/\(place)")
    } else if Folder.names(in: directory).contains(name) {
      self = .path("\(directory)/\(name)")
    } else {
      self = .driver(name)
    }
  }

  /// Resolves a link, because other descriptors are identified by the real path.
  func paths(in directory: String) -> [String] {
    switch self {
    case .path(let path): [(try? Files.realPath(path)) ?? path]
    case .driver: Card.paths(in: directory)
    }
  }

  /// Devices that couldn't be opened may match.
  func cards(among reports: [CardReport]) throws(DisplayError) -> [CardReport] {
    guard case .driver(let name) = self else { return reports }
    let meant = reports.filter { report in
      switch report.resources {
      case .success(let resources): resources.driver == name
      case .failure: true
      }
    }
    guard meant.isEmpty else { return meant }
    let found = reports.map { report in
      let driver = (try? report.resources.get().driver) ?? "unknown"
      return "\(report.path) (\(driver))"
    }
    throw DisplayError(
      .unavailable,
      "no DRM device \(name): --card must be a device file, a name in /dev/dri/by-path or a driver;"
        + " found \(found.isEmpty ? "none" : found.joined(separator: ", "))")
  }
}
