// SPDX-License-Identifier: MIT

package import Expressions
internal import JSON
package import Kiosk
package import LinuxIO
package import Logging
package import Motion
internal import Synchronization
package import SystemPackage

/// The values of a kiosk that outlive its process, and the file that they are kept in.
///
/// They are written when they have changed, and at most once in a second: a power cut loses no more
/// than that.
package final class KeptValues {
  private let file: StateFile
  private let writer: Writer
  private let worker: Worker
  private let loop: EventLoop
  private let log: Logger
  /// The values in the file, or those that it will hold once the write that is under way has ended.
  private var written: [String: Value]
  private var revision: UInt64?
  private var isWriting = false
  private var lastWrite: Timestamp?
  private var writes: UInt64 = 0
  /// Why the last write failed, which is logged once.
  private var problem: Errno?

  private static let format = 1
  private static let interval = 1.0
  private static let maximumBytes = 16 << 20
  /// With `.json.bad` they are the longest name that file systems take.
  private static let maximumNameBytes = 246

  /// Reads what was kept for a kiosk of this name. Nil where there is no folder for it.
  package init?(
    of kiosk: Description, in folders: StateFolders, on loop: EventLoop, _ log: Logger
  ) throws(Errno) {
    guard let folder = folders.lasting else { return nil }
    // The name may hold what no file's name may.
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
    if kiosk.values.contains(where: \.isKept) { written = read() }
  }

  /// The values that were kept.
  package var values: [String: Value] { written }

  private func read() -> [String: Value] {
    do throws(Errno) {
      let bytes: [UInt8]?
      do throws(Errno) {
        bytes = try file.read()
      } catch .fileTooLarge, .invalidArgument {
        // Too large, or no regular file.
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
        "the kept values in \(file.path) cannot be read, so the initial values are used; the file is now \(other)"
      )
    } catch {
      log.error("cannot read the kept values in \(file.path): \(error)")
    }
    return [:]
  }

  /// Writes what has changed, if it is time; returns when it wants to be called again.
  package func update(from engine: Engine) -> Timestamp? {
    guard engine.revision != revision else { return nil }
    let values = engine.keptValues
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
      note(error)
    }
    return nil
  }

  /// Writes what has changed before the process ends.
  package func finish(from engine: Engine) {
    let values = engine.keptValues
    guard values != written || isWriting else { return }
    note(writer.write(Self.bytes(values), writes + 1))
  }

  private func note(_ error: Errno?) {
    defer { problem = error }
    guard let error else { return }
    // They are tried again with the next change.
    written = [:]
    if error != problem { log.error("cannot keep values in \(file.path): \(error)") }
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

/// Writes on the worker, and on the loop's thread when the process ends: one after the other, and never
/// something older after something newer.
private final class Writer: Sendable {
  private let file: StateFile
  /// The number of the last write.
  private let last = Mutex<UInt64>(0)

  init(_ file: StateFile) { self.file = file }

  /// Returns why it failed, if it did.
  func write(_ bytes: [UInt8], _ number: UInt64) -> Errno? {
    last.withLock { last in
      guard number > last else { return nil }
      last = number
      // Where it cannot be made, the file cannot be written, which says why.
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
