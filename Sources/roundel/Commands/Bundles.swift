// SPDX-License-Identifier: MIT

import ArgumentParser
import RoundelBundles
import RoundelDeclarations
import Glibc
import RoundelJSON
import JSONRPC
import KioskClients
import KioskFile
import KioskHost
import KioskProtocol
import LinuxIO

struct MakeBundle: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bundle",
    abstract: "Sign a kiosk and its files, for installation on many panels.",
    discussion: """
      The bundle contains the kiosk file, its includes, images, fonts, sounds and programs. All of them must be in \
      the kiosk's folder or below. With an ssh-ed25519 key, the same files, version and key result in the same \
      bytes.

      Example:
        ssh-keygen -t ed25519 -f fleet
        roundel bundle lunch.yaml -o lunch.bundle --key fleet
      """)

  @Argument(help: "The kiosk file.", completion: .file())
  var kiosk: String

  @Option(name: [.short, .long], help: "The bundle to write.", completion: .file())
  var output: String

  @Option(help: "The OpenSSH private key, or the public key of a key in ssh-agent.")
  var key: String

  @Option(
    name: .customLong("version"),
    help: "The bundle's version, an increasing number (default: seconds since 1970).")
  var number: Int?

  @Option(help: "An additional file in the kiosk's folder; may be repeated.")
  var with: [String] = []

  @Flag(help: "Report the bundle as JSON.")
  var json = false

  func validate() throws {
    if let number, !(0...Bundle.maximumVersion).contains(number) {
      throw ValidationError(
        "--version must be a whole number between 0 and \(Bundle.maximumVersion).")
    }
  }

  func run() throws {
    let slash = kiosk.lastIndex(of: "/")
    let file = String(slash.map { kiosk[kiosk.index(after: $0)...] } ?? kiosk[...])
    let fileName = KioskFileName(file)
    let folder = slash.map { String(kiosk[...$0]) } ?? ""
    guard Bundle.isKioskName(file) else {
      throw Failure(
        .usage, "cannot bundle \(file): its name may contain only letters, digits, _ . -")
    }
    let readings = try ParsedKiosk.all(kioskFile: kiosk)
    for diagnostic in readings.flatMap(\.diagnostics) { StandardError.write("\(diagnostic)\n") }
    guard readings.allSatisfy({ $0.description != nil }) else { throw Failure(.badFile) }
    var files: [String: Archive.File] = [:]
    for path in ParsedKiosk.parts(of: readings, at: kiosk) + with.map({ folder + $0 }) {
      let place = try Self.place(of: path, in: folder)
      // Units find the kiosk by its plain name.
      let name = place == file ? fileName.plain : place
      guard place == file || place != fileName.plain else {
        throw Failure(
          .didNotHold,
          "cannot bundle \(fileName.plain): a bundle stores \(file) under this name; rename the file"
        )
      }
      guard !Bundle.isReserved(name) else {
        if name == "\(fileName.stem).overlay.yaml" { continue }
        throw Failure(.didNotHold, "cannot bundle \(path): the name is reserved; rename the file")
      }
      let isExecutable = Files.isExecutable(path)
      files[name] = Archive.File(name, try Files.read(path, Self.part), isProgram: isExecutable)
    }
    let bundle = Bundle(
      kiosk: fileName.plain, version: number ?? Int(WallClock.secondsSince1970),
      files: Array(files.values))
    let archive = try bundle.archive()
    let bytes = Bundle.bytes(
      of: archive, signature: try SSHSignature.make(of: archive, key: key))
    guard bytes.count <= Bundle.kind.maximumBytes else {
      throw Failure(
        .didNotHold,
        "the bundle is too large: \(bytes.count >> 20) MiB (at most \(Bundle.kind.maximumBytes >> 20))"
      )
    }
    try Files.write(bytes, to: output)
    if json { StandardOutput.write(json: bundle.json) }
  }

  private static let part = Files.Kind("the file", maximumBytes: Bundle.kind.maximumBytes)

  private static func place(of path: String, in folder: String) throws -> String {
    var parts: [Substring] = []
    var isInside = path.hasPrefix(folder)
    for part in path.dropFirst(folder.count).split(separator: "/", omittingEmptySubsequences: false)
    {
      switch part {
      case ".": break
      case "": isInside = false
      case "..": if parts.popLast() == nil { isInside = false }
      default: parts.append(part)
      }
    }
    let place = parts.joined(separator: "/")
    guard isInside else {
      throw Failure(
        .didNotHold,
        "cannot bundle \(path): it is outside the kiosk's folder; move it there")
    }
    guard Archive.isPath(place) else {
      throw Failure(.didNotHold, "cannot bundle \(path): the path is invalid; rename the file")
    }
    return place
  }
}

struct BundleOptions: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Trusted OpenSSH public keys (default: *.pub in FOLDER/trust).", valueName: "key.pub"),
    completion: .file())
  var trust: [String] = []

  @Option(help: "The folder of the kiosks.", completion: .directory)
  var to = "/etc/roundel"

  @Flag(help: "Report the outcome as JSON.")
  var json = false

  var keys: [String] {
    get throws {
      guard trust.isEmpty else { return trust }
      let keys = Folder.names(in: "\(to)/trust").filter { $0.hasSuffix(".pub") }.sorted()
      guard !keys.isEmpty else {
        throw Failure(
          .usage, "no key is trusted; specify one with --trust, or copy it to \(to)/trust")
      }
      return keys.map { "\(to)/trust/\($0)" }
    }
  }

  /// Removes and returns the bundle in `--trust a.pub b.pub lunch.bundle`.
  mutating func takeLast() -> String? { trust.count > 1 ? trust.removeLast() : nil }

  func install(_ bytes: [UInt8], called name: String) throws {
    do throws(Failure) {
      let (signature, archive) = try Bundle.parts(of: bytes)
      let keys: [String]
      do { keys = try self.keys } catch { throw error as? Failure ?? Failure(.usage) }
      try SSHSignature.check(signature, of: archive, keys: keys)
      let bundle = try Bundle(archive)
      let objection = try BundleStore(of: bundle.name, in: to).install(bundle) {
        file throws(Failure) in try check(file, bundle)
      }
      report(bundle, isNew: objection == nil, objection ?? "has version \(bundle.version)")
    } catch {
      guard error.code == .didNotHold, !error.message.isEmpty else { throw error }
      throw Failure(.didNotHold, "cannot install \(name): \(error.message)")
    }
  }

  private func report(_ bundle: Bundle, isNew: Bool, _ words: String) {
    if json {
      StandardOutput.write(
        json: .object(bundle.members + [.init("installed", .bool(isNew))]))
    } else {
      StandardOutput.write("\(to)/\(bundle.kiosk) \(words)\n")
    }
  }

  /// Reports diagnostics with the paths of the installed files.
  private func check(_ file: String, _ bundle: Bundle) throws(Failure) {
    let reading = KioskReading(file).reviewed()
    let folder = file.dropLast(bundle.kiosk.count)
    for var diagnostic in reading.diagnostics {
      if diagnostic.file.hasPrefix(folder) {
        diagnostic.file = "\(to)/\(diagnostic.file.dropFirst(folder.count))"
      }
      StandardError.write("\(diagnostic)\n")
    }
    if case .failure(let failure) = reading.content {
      throw Failure(
        .didNotHold, failure.message.isEmpty ? "the kiosk has errors" : failure.message)
    }
  }
}

extension Bundle {
  var members: [JSONValue.Member] {
    [.init("kiosk", .string(name)), .init("version", .number(Double(version)))]
  }

  var json: JSONValue { .object(members) }
}

struct Install: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Install a bundle if its signature is trusted, it is newer, and it has no errors.",
    discussion: """
      Does nothing if the version is installed already. Refuses an older version. NAME.overlay.yaml next to the \
      kiosk file overrides keys of the kiosk. A running kiosk shows the new version at once. The previous version \
      is kept for rollback.

      Example:
        roundel install lunch.bundle --trust fleet.pub
      """)

  @Argument(help: "The bundle; - is the standard input.", completion: .file())
  var bundle: String?

  @OptionGroup var options: BundleOptions

  mutating func run() throws {
    guard let bundle = bundle ?? options.takeLast() else {
      throw ValidationError("Specify a bundle.")
    }
    try options.install(try Files.read(bundle, Bundle.kind), called: bundle)
  }
}

struct Pull: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pull",
    abstract: "Download a bundle, and install it like install.",
    discussion: """
      Downloads with curl, which uses the environment's proxy. Doesn't download a bundle again if the server's ETag \
      is unchanged. Does nothing while the kiosk is in use (see status --in-use).

      Example:
        roundel pull https://fleet.example/lunch.bundle
      """)

  @Argument(help: "The bundle's URL: https://…, or http://… on this machine.")
  var url: String?

  @OptionGroup var options: BundleOptions

  @Option(help: "A file of certificates to trust in addition to the system's.", completion: .file())
  var ca: String?

  @Option(help: "The time limit of the download, in seconds.")
  var timeout: Seconds = 600.0

  @Option(help: "Seconds after a touch until the kiosk counts as unused.")
  var idle: Seconds = 60.0

  @Option(
    help: "The kiosk's socket (default: $XDG_RUNTIME_DIR/roundel.sock, or the unit's).",
    completion: .file())
  var socket: String?

  func validate() throws {
    guard timeout.value > 0 else { throw ValidationError("--timeout must be greater than 0.") }
  }

  mutating func run() throws {
    guard let url = url ?? options.takeLast() else {
      throw ValidationError("Specify a bundle's URL.")
    }
    guard var download = Download(url) else {
      throw Failure(
        .usage, "the URL must be https://…, or http://… on this machine, not \(url.quoted)")
    }
    let tag =
      "\(options.to)/\(BundleFolder.name)/\(SHA256.text(of: Array(url.utf8)).prefix(16)).etag"
    download.authorities = ca
    download.timeout = timeout.value
    download.tag = tag
    _ = try options.keys
    if let use {
      return StandardError.write("roundel: not downloaded: the kiosk is in use: \(use)\n")
    }
    guard let (bytes, newTag) = try download() else {
      if !options.json { StandardOutput.write("\(url) is unchanged\n") }
      return
    }
    // The kiosk may have been touched.
    if let use {
      return StandardError.write(
        "roundel: not installed: the kiosk is in use: \(use)\n")
    }
    try options.install(bytes, called: url)
    if !newTag.isEmpty { try Files.write(newTag, to: tag) }
  }

  /// The use of the kiosk, or nil if it is unused or not running.
  private var use: String? {
    let address = KioskAddress(socket: socket)
    let status = try? KioskConnection(to: address, version: Roundel.version).ask(StatusRequest()).0
    return status?.use(within: idle.value, at: WallClock.secondsSince1970)
  }
}

struct Rollback: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback",
    abstract: "Return to a kiosk's previously installed version.",
    discussion: """
      The replaced version cannot be installed again, not even by pull. A higher version can.

      Example:
        roundel rollback
      """)

  @Argument(help: "The kiosk's name, required if several kiosks were installed from bundles.")
  var name: String?

  @Option(help: "The folder of the kiosks.", completion: .directory)
  var to = "/etc/roundel"

  func run() throws {
    let names = BundleStore.names(in: to)
    guard let name = name ?? names.first else {
      throw Failure(.didNotHold, "no kiosk in \(to) was installed from a bundle")
    }
    guard self.name != nil || names.count == 1 else {
      throw Failure(
        .usage, "several kiosks are installed; specify one: \(names.joined(separator: ", "))")
    }
    guard names.contains(name) else {
      throw Failure(.didNotHold, "\(name) was not installed from a bundle in \(to)")
    }
    let version = try BundleStore(of: name, in: to).rollBack()
    StandardOutput.write("\(name) has version \(version) again\n")
  }
}
