// SPDX-License-Identifier: MIT

package import RoundelExpressions
internal import RoundelJSON
package import Kiosk
package import LinuxIO
package import Logging
package import RoundelMotion
internal import Synchronization
package import SystemPackage

/// The persistent values of a kiosk.
///
/// Writes at most once per second, so a power cut loses at most one second of changes.
package final class PersistentValues {
  private let file: StateFile
  private let writer: Writer
  private let worker: Worker
  private let loop: EventLoop
  private let log: Logger
  /// The values in the file, or being written.
  private var written: [String: Value]
  private var revision: UInt64?
  private var isWriting = false
  private var lastWrite: Timestamp?
  private var writes: UInt64 = 0
  /// The last error. Repeated errors are logged once.
  private var problem: Errno?

  private static let format = 1
  private static let interval = 1.0
  private static let maximumBytes = 16 << 20
  /// The maximum of file systems, less the length of `.json.bad`.
  private static let maximumNameBytes = 246

  /// Returns nil without a folder for persistent values.
  package init?(
    of kiosk: Description, in folders: StateFolders, on loop: EventLoop, _ log: Logger
  ) throws(Errno) {
    guard let folder = folders.persistent else { return nil }
    // The kiosk's name may contain characters that are invalid in file names.
    let name = String(
      decoding: kiosk.name.utf8.map {
        $0 == UInt8(ascii: "/") || $0 < 0x20 ? UInt8(ascii: "_") : $0
      },
      as: UTF8.self)
    let stem = String(name.prefix(80)).prefix(utf8: Self.maximumNameBytes)
    file = StateFile("\(folder)/\(stem).json", maximumBytes: Self.maximumBytes)
    writer = Writer(file)
    worker = try Worker(on: loop)
    self.loop = loop
    self.log = log
    written = [:]
    if kiosk.values.contains(where: \.isPersistent) { written = read() }
  }

  package var values: [String: Value] { written }

  private func read() -> [String: Value] {
    do throws(Errno) {
      let bytes: [UInt8]?
      do throws(Errno) {
        bytes = try file.read()
      } catch .fileTooLarge, .invalidArgument {
        // The file is too large or isn't a regular file.
        bytes = []
      }
      guard let bytes else { return [:] }
      if let json = try? JSONValue(parsing: bytes), json["format"]?.integer == Self.format,
        case .object(let members)? = json["values"]
      {
        return members.reduce(into: [:]) { $0[$1.name] = Value($1.value) }
      }
      let other = try file.setAside()
      log.error(
        "cannot parse the persistent values in \(file.path); using the initial values, and renamed the file to \(other)"
      )
    } catch {
      log.error("cannot read the persistent values in \(file.path): \(error)")
    }
    return [:]
  }

  /// Returns the next attempt's time, or nil.
  package func update(from engine: Engine) -> Timestamp? {
    guard engine.revision != revision else { return nil }
    let values = engine.persistentValues
    guard values != written, !isWriting else {
      if !isWriting { revision = engine.revision }
      return nil
    }
    let now = loop.now
    if let lastWrite, now < lastWrite + Self.interval { return lastWrite + Self.interval }
    revision = engine.revision
    lastWrite = now
    isWriting = true
    written = values
    writes += 1
    worker.run { [writer, writes] in
      writer.write(Self.bytes(values), writes)
    } whenDone: { [unowned self] error in
      isWriting = false
      record(error)
    }
    return nil
  }

  package func finish(from engine: Engine) {
    let values = engine.persistentValues
    guard values != written || isWriting else { return }
    record(writer.write(Self.bytes(values), writes + 1))
  }

  private func record(_ error: Errno?) {
    defer { problem = error }
    guard let error else { return }
    // The next change retries the write.
    written = [:]
    if error != problem { log.error("cannot save the persistent values in \(file.path): \(error)") }
  }

  private static func bytes(_ values: [String: Value]) -> [UInt8] {
    let members = values.sorted { $0.key < $1.key }.map {
      JSONValue.Member($0.key, JSONValue($0.value))
    }
    let json = JSONValue.object([
      .init("format", .number(Double(format))), .init("values", .object(members)),
    ])
    return Array((json.text + "\n").utf8)
  }
}

/// Writes on the worker, and on the loop's thread at the end. Writes never overlap, and older ones
/// are skipped.
private final class Writer: Sendable {
  private let file: StateFile
  private let last = Mutex<UInt64>(0)

  init(_ file: StateFile) { self.file = file }

  func write(_ bytes: [UInt8], _ number: UInt64) -> Errno? {
    last.withLock { last in
      guard number > last else { return nil }
      last = number
      // If this fails, writing the file reports why.
      try? Files.makeFolder(FilePath(file.path).removingLastComponent().string)
      do throws(Errno) {
        try file.write(bytes)
        return nil
      } catch {
        return error
      }
    }
  }
}
