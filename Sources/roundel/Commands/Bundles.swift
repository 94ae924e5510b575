// SPDX-License-Identifier: MIT

import ArgumentParser
import Bundles
import Declarations
import Glibc
import JSON
import JSONRPC
import KioskClients
import KioskFile
import KioskHost
import KioskProtocol
import LinuxIO

struct MakeBundle: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bundle",
    abstract: "Sign a kiosk and all that it names, for many panels.",
    discussion: """
      The bundle holds the kiosk's file and what it includes, its images, fonts, sounds and programs, which must \
      be in the kiosk's folder or below. The same files, version and key make the same bytes, where the key is \
      of a kind that signs so (ssh-ed25519).

      Example:
        ssh-keygen -t ed25519 -f fleet
        roundel bundle lunch.yaml -o lunch.bundle --key fleet
      """)

  @Argument(help: "The kiosk file.", completion: .file())
  var kiosk: String

  @Option(name: [.short, .long], help: "The bundle.", completion: .file())
  var output: String

  @Option(help: "The OpenSSH private key, or the public key of one that ssh-agent holds.")
  var key: String

  @Option(
    name: .customLong("version"),
    help: "The bundle's version, a number that grows (default: seconds since 1970).")
  var number: Int?

  @Option(help: "Another file in the kiosk's folder that it needs; may be repeated.")
  var with: [String] = []

  @Flag(help: "Report the bundle as JSON.")
  var json = false

  func validate() throws {
    if let number, !(0...Bundle.maximumVersion).contains(number) {
      throw ValidationError("--version takes a whole number from 0 to \(Bundle.maximumVersion).")
    }
  }

  func run() throws {
    let slash = kiosk.lastIndex(of: "/")
    let file = String(slash.map { kiosk[kiosk.index(after: $0)...] } ?? kiosk[...])
    let folder = slash.map { String(kiosk[...$0]) } ?? ""
    guard Bundle.isKioskName(file) else {
      throw Failure(
        .usage, "a bundle's kiosk file is called by letters, digits, _ . -, not \(file)")
    }
    let readings = try ParsedKiosk.all(kioskFile: kiosk)
    for mistake in readings.flatMap(\.mistakes) { StandardError.write("\(mistake)\n") }
    guard readings.allSatisfy({ $0.description != nil }) else { throw Failure(.badFile) }
    var files: [String: Archive.File] = [:]
    for path in ParsedKiosk.parts(of: readings, at: kiosk) + with.map({ folder + $0 }) {
      let name = try Self.place(of: path, in: folder)
      guard !Bundle.isReserved(name) else {
        if name == "\(Bundle.name(of: file)).overlay.yaml" { continue }
        throw Failure(.didNotHold, "\(path) cannot be in a bundle; give it another name")
      }
      let isExecutable = Files.isExecutable(path)
      files[name] = Archive.File(name, try Files.read(path, Self.part), isProgram: isExecutable)
    }
    let bundle = Bundle(
      kiosk: file, version: number ?? Int(WallClock.secondsSince1970), files: Array(files.values))
    let archive = try bundle.archive()
    let bytes = Bundle.bytes(
      of: archive, signature: try SSHSignature.make(of: archive, key: key))
    guard bytes.count <= Bundle.kind.maximumBytes else {
      throw Failure(
        .didNotHold,
        "the bundle would have \(bytes.count >> 20) MiB (at most \(Bundle.kind.maximumBytes >> 20))"
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
        "\(path) is outside of the kiosk's folder, where no other machine has it; move it there")
    }
    guard Archive.isPath(place) else {
      throw Failure(.didNotHold, "\(path) cannot be in a bundle; give it another name")
    }
    return place
  }
}

struct BundleOptions: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Files of public keys of OpenSSH's (default: *.pub in FOLDER/trust).", valueName: "key.pub"),
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
          .usage, "no key is trusted; name one with --trust, or put it into \(to)/trust")
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
      throw Failure(.didNotHold, "\(name) is not installed: \(error.message)")
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

  /// Reports mistakes with the paths of the installed files.
  private func check(_ file: String, _ bundle: Bundle) throws(Failure) {
    let reading = KioskReading(file).reviewed()
    let folder = file.dropLast(bundle.kiosk.count)
    for var mistake in reading.mistakes {
      if mistake.file.hasPrefix(folder) {
        mistake.file = "\(to)/\(mistake.file.dropFirst(folder.count))"
      }
      StandardError.write("\(mistake)\n")
    }
    if case .failure(let failure) = reading.content {
      throw Failure(
        .didNotHold, failure.message.isEmpty ? "the kiosk has mistakes" : failure.message)
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
    abstract: "Install a bundle, if it is signed, newer and without mistakes.",
    discussion: """
      The version that was installed last is not installed again, which is no mistake; an older one is \
      refused. What is in NAME.overlay.yaml beside the kiosk file is laid over it. A running kiosk shows the new \
      version at once; the one before is kept, for rollback.

      Example:
        roundel install lunch.bundle --trust fleet.pub
      """)

  @Argument(help: "The bundle; - for the standard input.", completion: .file())
  var bundle: String?

  @OptionGroup var options: BundleOptions

  mutating func run() throws {
    guard let bundle = bundle ?? options.takeLast() else {
      throw ValidationError("Name a bundle.")
    }
    try options.install(try Files.read(bundle, Bundle.kind), called: bundle)
  }
}

struct Pull: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pull",
    abstract: "Fetch a bundle from a server, and install it as install does.",
    discussion: """
      curl fetches it, by HTTPS and by the proxy of the environment; one that has been taken already is not \
      fetched again (ETag). Does nothing while the kiosk is in use, as status --in-use says.

      Example:
        roundel pull https://fleet.example/lunch.bundle
      """)

  @Argument(help: "https://…, or http://… on this machine.")
  var url: String?

  @OptionGroup var options: BundleOptions

  @Option(help: "A file of certificates to trust in addition to the system's.", completion: .file())
  var ca: String?

  @Option(help: "Seconds for the download.")
  var timeout: Seconds = 600.0

  @Option(help: "Seconds after a touch in which the kiosk is in use.")
  var idle: Seconds = 60.0

  @Option(
    help: "The kiosk's socket (default: $XDG_RUNTIME_DIR/roundel.sock, else the unit's).",
    completion: .file())
  var socket: String?

  func validate() throws {
    guard timeout.value > 0 else { throw ValidationError("--timeout takes more than 0 s.") }
  }

  mutating func run() throws {
    guard let url = url ?? options.takeLast() else {
      throw ValidationError("Name the address of a bundle.")
    }
    guard var download = Download(url) else {
      throw Failure(.usage, "pull takes https://…, or http://… of this machine, not \(url.quoted)")
    }
    let tag =
      "\(options.to)/\(BundleFolder.name)/\(SHA256.text(of: Array(url.utf8)).prefix(16)).etag"
    download.authorities = ca
    download.timeout = timeout.value
    download.tag = tag
    _ = try options.keys
    if let use {
      return StandardError.write("roundel: nothing is fetched while the kiosk is in use: \(use)\n")
    }
    guard let (bytes, newTag) = try download() else {
      if !options.json { StandardOutput.write("\(url) has nothing new\n") }
      return
    }
    // The kiosk may have been touched.
    if let use {
      return StandardError.write(
        "roundel: nothing is installed while the kiosk is in use: \(use)\n")
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
    abstract: "Show the version of a bundle that was installed before.",
    discussion: """
      The version that was rolled back is not installed again, not even by pull; a higher one is.

      Example:
        roundel rollback
      """)

  @Argument(help: "The kiosk's name, where several were installed from bundles.")
  var name: String?

  @Option(help: "The folder of the kiosks.", completion: .directory)
  var to = "/etc/roundel"

  func run() throws {
    let names = BundleStore.names(in: to)
    guard let name = name ?? names.first else {
      throw Failure(.didNotHold, "no kiosk in \(to) was installed from a bundle")
    }
    guard self.name != nil || names.count == 1 else {
      throw Failure(.usage, "name one of the kiosks: \(names.joined(separator: ", "))")
    }
    guard names.contains(name) else {
      throw Failure(.didNotHold, "\(name) was not installed from a bundle in \(to)")
    }
    let version = try BundleStore(of: name, in: to).rollBack()
    StandardOutput.write("\(name) has version \(version) again\n")
  }
}
