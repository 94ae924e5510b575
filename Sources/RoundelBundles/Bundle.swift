// SPDX-License-Identifier: MIT

internal import KioskFile
internal import RoundelJSON
package import LinuxIO

/// A signed version of a kiosk with its attached files:
///
///     "roundel-bundle 1\n"   17 bytes
///     length                 4 bytes, big-endian
///     signature              that many bytes: OpenSSH's SSHSIG of the archive
///     archive                an `Archive`, whose `bundle.json` describes it
///
/// The archive isn't parsed before its verification.
package struct Bundle: Sendable {
  /// The kiosk file's name without a folder.
  package let kiosk: String
  package let version: Int
  package let files: [Archive.File]

  private static let magic = Array("roundel-bundle 1\n".utf8)
  private static let manifestName = "bundle.json"
  private static let format = 1
  private static let maximumSignatureBytes = 1 << 14
  package static let maximumVersion = 1 << 53
  package static let kind = Files.Kind(
    "the bundle", maximumBytes: 64 << 20, excess: .refused(.didNotHold))

  package init(kiosk: String, version: Int, files: [Archive.File]) {
    self.kiosk = kiosk
    self.version = version
    self.files = files
  }

  /// The file's name without extensions, also the systemd unit's.
  package var name: String { KioskFileName(kiosk).stem }

  /// Whether a name has at most 128 letters, digits and `_ . -`, as in unit names.
  package static func isKioskName(_ file: String) -> Bool {
    func isPlain(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }
    return !file.hasPrefix(".") && !KioskFileName(file).stem.isEmpty && file.utf8.count <= 128
      && file.utf8.allSatisfy(isPlain)
  }

  // MARK: Bytes

  package func archive() throws(Failure) -> [UInt8] {
    let manifest = JSONValue.object([
      .init("format", .number(Double(Self.format))), .init("kiosk", .string(kiosk)),
      .init("version", .number(Double(version))),
    ])
    return try Archive.bytes(
      of: files + [Archive.File(Self.manifestName, Array((manifest.text + "\n").utf8))])
  }

  package static func bytes(of archive: [UInt8], signature: [UInt8]) -> [UInt8] {
    let count = UInt32(signature.count)
    let length = (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
    return magic + length + signature + archive
  }

  package static func parts(
    of bytes: [UInt8]
  ) throws(Failure) -> (signature: ArraySlice<UInt8>, archive: ArraySlice<UInt8>) {
    guard bytes.starts(with: magic) else {
      throw Failure(.didNotHold, "it is not a Roundel bundle")
    }
    let rest = bytes[magic.count...]
    let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard rest.count >= 4 + length, (1...maximumSignatureBytes).contains(length) else {
      throw Failure(.didNotHold, "its signature is incomplete")
    }
    return (rest.dropFirst(4).prefix(length), rest.dropFirst(4 + length))
  }

  /// Reads an archive after its signature has been verified.
  package init(_ archive: ArraySlice<UInt8>) throws(Failure) {
    func refusal(_ reason: String) -> Failure { Failure(.didNotHold, reason) }
    var files = try Archive.files(in: archive)
    guard let index = files.firstIndex(where: { $0.path == Self.manifestName }) else {
      throw refusal("it has no \(Self.manifestName)")
    }
    let manifest = files.remove(at: index)
    guard let json = try? JSONValue(parsing: manifest.bytes), json["format"]?.integer == Self.format
    else { throw refusal("its \(Self.manifestName) has another format; install a newer Roundel") }
    guard let kiosk = json["kiosk"]?.string, Self.isKioskName(kiosk),
      files.contains(where: { $0.path == kiosk }), let version = json["version"]?.integer,
      (0...Self.maximumVersion).contains(version)
    else { throw refusal("its \(Self.manifestName) does not name a kiosk file and its version") }
    if let path = files.first(where: { Self.isReserved($0.path) })?.path {
      throw refusal("a bundle cannot install \(path)")
    }
    self.init(kiosk: kiosk, version: version, files: files)
  }

  /// Whether a path belongs to the machine: hidden files, overlays, trusted keys and settings.
  package static func isReserved(_ path: String) -> Bool {
    let isOwn = ["trust", "authorized_keys", "calibration", manifestName].contains(path)
    return isOwn || path.hasPrefix(".") || path.hasPrefix("trust/")
      || path.hasSuffix(".overlay.yaml") || (path.hasSuffix(".conf") && !path.contains("/"))
  }
}
