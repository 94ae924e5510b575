// SPDX-License-Identifier: MIT

internal import Glibc
internal import KioskHost
package import LinuxIO
internal import SystemPackage

/// A kiosk's installed versions, in the layout of `BundleFolder`, and the links to the current one.
///
/// Renaming a link changes all files atomically, so a power cut leaves one complete version. The
/// previous version is kept for a rollback. An empty file `VERSION.bad` prevents installing a
/// rolled-back version again.
package struct BundleStore {
  /// A folder such as /etc/roundel.
  private let folder: String
  package let name: String

  package init(of name: String, in folder: String) {
    self.folder = folder
    self.name = name
  }

  private static let current = "current"
  private static let draft = ".new"
  private static let replaced = "replaced"
  private static let badSuffix = ".bad"

  private var versions: String { "\(folder)/\(BundleFolder.name)/\(name)" }

  /// Returns the kiosks that were installed from bundles.
  package static func names(in folder: String) -> [String] {
    Folder.names(in: "\(folder)/\(BundleFolder.name)").filter {
      BundleStore(of: $0, in: folder).currentVersion != nil
    }.sorted()
  }

  // MARK: Versions

  package var currentVersion: Int? {
    Files.target(ofLink: "\(versions)/\(Self.current)").flatMap { Int($0) }
  }

  private var badVersions: [Int] {
    Folder.names(in: versions).compactMap { name in
      name.hasSuffix(Self.badSuffix) ? Int(name.dropLast(Self.badSuffix.count)) : nil
    }
  }

  package var previousVersion: Int? {
    guard let currentVersion else { return nil }
    return installedVersions.filter { $0 < currentVersion }.max()
  }

  private var installedVersions: [Int] { Folder.names(in: versions).compactMap { Int($0) } }

  /// Returns an objection, or nil for a newer version. Throws for an older version.
  private func objection(to bundle: Bundle) throws(Failure) -> String? {
    let version = bundle.version
    let last = (badVersions + [currentVersion].compactMap(\.self)).max()
    guard let last, version <= last else { return nil }
    guard version == last else {
      throw Failure(
        .didNotHold,
        "it is version \(version) of \(name), and version \(last) was installed here; create a bundle with a "
          + "higher --version")
    }
    guard !badVersions.contains(version) else {
      return "had version \(version), which was rolled back and is not installed again"
    }
    // A power cut may have prevented the last link, which is the kiosk file's.
    return Folder.hasEntry("\(folder)/\(bundle.kiosk)") ? "already has version \(version)" : nil
  }

  // MARK: Installing

  /// `check` gets the kiosk file next to the machine's overlay. If it throws, nothing changes.
  /// Returns the objection, or nil after the installation.
  package func install(
    _ bundle: Bundle, check: (_ file: String) throws(Failure) -> Void
  ) throws(Failure) -> String? {
    let draft = "\(versions)/\(Self.draft)"
    let place = "\(versions)/\(bundle.version)"
    try refuseLinks(
      above: bundle.files.map(\.path) + ["\(BundleFolder.name)/\(name)/\(Self.current)"])
    try makeFolder(versions)
    // Another installation waits, then compares its version. The end of the process releases the
    // lock.
    let lock = try Lock(on: "\(folder)/\(BundleFolder.name)")
    defer { withExtendedLifetime(lock) {} }
    if let objection = try objection(to: bundle) { return objection }
    Folder.remove(draft)
    do throws(Failure) {
      try write(bundle.files, in: draft)
      let overlay = "\(name).overlay.yaml"
      try Link.make("\(draft)/\(overlay)", to: "../../../\(overlay)")
      try check("\(draft)/\(bundle.kiosk)")
      Files.remove("\(draft)/\(overlay)")
      Folder.remove(place)
      try rename(draft, to: place)
    } catch {
      Folder.remove(draft)
      throw error
    }
    let old = currentVersion
    // The links of a first version need a target.
    if old == nil { try show(bundle.version) }
    do throws(Failure) {
      try link(bundle.files.map(\.path), kiosk: bundle.kiosk)
    } catch {
      // Undone, so that the installation can be tried again.
      if old == nil { Files.remove("\(versions)/\(Self.current)") }
      throw error
    }
    try show(bundle.version)
    forget(allBut: [bundle.version, old].compactMap(\.self))
    return nil
  }

  /// Throws if a folder is a link, because relative links inside it would be wrong.
  private func refuseLinks(above paths: [String]) throws(Failure) {
    for path in paths {
      var rest = path[...]
      while let slash = rest.lastIndex(of: "/") {
        rest = rest[..<slash]
        guard Files.target(ofLink: "\(folder)/\(rest)") == nil else {
          throw Failure(
            .didNotHold,
            "\(folder)/\(rest) is a link, but the bundle needs a folder there; remove the link")
        }
      }
    }
  }

  /// Creates a folder for all users, because root doesn't run the kiosk.
  private func makeFolder(_ path: String) throws(Failure) {
    try Files.makeFolder(path, access: .mode(0o755))
  }

  private func write(_ files: [Archive.File], in folder: String) throws(Failure) {
    try makeFolder(folder)
    for file in files {
      if let slash = file.path.lastIndex(of: "/") {
        try makeFolder("\(folder)/\(file.path[..<slash])")
      }
      try Files.write(
        file.bytes, to: "\(folder)/\(file.path)",
        access: .mode(file.isProgram ? 0o755 : 0o644))
    }
    Folder.synchronize(folder)
  }

  /// Sets existing files aside, and replaces them with links to the current version, the kiosk file
  /// last.
  private func link(_ paths: [String], kiosk: String) throws(Failure) {
    var made: [String] = []
    do throws(Failure) {
      for path in paths.filter({ $0 != kiosk }) + [kiosk] where try link(path) { made.append(path) }
    } catch {
      for path in made { putBack(path) }
      throw error
    }
  }

  /// Returns whether the link was missing.
  private func link(_ path: String) throws(Failure) -> Bool {
    let place = "\(folder)/\(path)"
    let up = String(repeating: "../", count: path.utf8.count { $0 == UInt8(ascii: "/") })
    let target = "\(up)\(BundleFolder.name)/\(name)/\(Self.current)/\(path)"
    guard Files.target(ofLink: place) != target else { return false }
    if let other = Files.target(ofLink: place), other.contains("\(BundleFolder.name)/") {
      throw Failure(
        .didNotHold, "\(place) belongs to another bundle; rename one of the two")
    }
    if let slash = path.lastIndex(of: "/") {
      try makeFolder("\(folder)/\(path[..<slash])")
    }
    try setAside(path)
    try Link.make(place, to: target)
    return true
  }

  private func setAside(_ path: String) throws(Failure) {
    let (place, aside) = ("\(folder)/\(path)", "\(versions)/\(Self.replaced)/\(path)")
    guard Folder.hasEntry(place) else { return }
    if let slash = aside.lastIndex(of: "/") { try makeFolder(String(aside[..<slash])) }
    Folder.remove(aside)
    // The file itself stays until the link replaces it.
    if unsafe Glibc.link(place, aside) != 0 { try rename(place, to: aside) }
  }

  /// Restores the file that a link replaced.
  private func putBack(_ path: String) {
    let (place, aside) = ("\(folder)/\(path)", "\(versions)/\(Self.replaced)/\(path)")
    Files.remove(place)
    _ = unsafe Glibc.rename(aside, place)
  }

  private func show(_ version: Int) throws(Failure) {
    try Link.make("\(versions)/\(Self.current)", to: "\(version)")
    Folder.synchronize(versions)
  }

  private func rename(_ one: String, to other: String) throws(Failure) {
    guard unsafe Glibc.rename(one, other) == 0 else {
      throw Failure(Errno(rawValue: errno), "cannot rename \(one)")
    }
  }

  /// Removes other versions, and links without a target.
  private func forget(allBut kept: [Int]) {
    let keptFiles = Set(kept.flatMap { Folder.files(in: "\(versions)/\($0)") })
    for version in installedVersions where !kept.contains(version) {
      let place = "\(versions)/\(version)"
      for path in Folder.files(in: place) where !keptFiles.contains(path) {
        let link = "\(folder)/\(path)"
        if Files.target(ofLink: link)?.hasSuffix("\(name)/\(Self.current)/\(path)") == true {
          Folder.remove(link)
          Folder.removeEmpty(above: path, in: folder)
        }
      }
      Folder.remove(place)
    }
    for version in badVersions where version < kept.min() ?? 0 {
      Files.remove("\(versions)/\(version)\(Self.badSuffix)")
    }
  }

  // MARK: Rollback

  /// Marks the current version as bad, and returns the restored one.
  package func rollBack() throws(Failure) -> Int {
    let lock = try Lock(on: "\(folder)/\(BundleFolder.name)")
    defer { withExtendedLifetime(lock) {} }
    guard let currentVersion, let previousVersion else {
      throw Failure(.didNotHold, "there is no earlier version of \(name) in \(folder)")
    }
    try Files.write([], to: "\(versions)/\(currentVersion)\(Self.badSuffix)")
    try show(previousVersion)
    return previousVersion
  }
}
