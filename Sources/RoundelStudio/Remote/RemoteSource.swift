// SPDX-License-Identifier: MIT

internal import RoundelJSON
internal import KioskProtocol
internal import LinuxIO
internal import SystemPackage

/// The file of a kiosk on another machine, and a local copy of all its files.
///
/// Copies have the same paths below a folder, so references work. The folder is removed at this
/// program's exit.
final class RemoteSource {
  var onChange: (_ old: [UInt8]) -> Void = { _ in }
  /// Called after changed attached files have been copied.
  var onFilesChange: () -> Void = {}

  let host: String
  /// The remote path.
  let path: String
  private let shell: RemoteShell
  private let folder: ScratchFolder
  private(set) var bytes: [UInt8] = []
  /// Whether saving may replace the content without asking.
  private var allowsOverwriting = true
  /// The hashes of other remote files by path.
  private var digests: [String: String] = [:]
  /// Other remote files that have changed since they were read.
  private var changedFiles: Set<String> = []
  private var refreshState = RefreshState.none

  private enum RefreshState {
    case none
    case running
    /// The files changed during the current refresh.
    case outdated
  }

  private typealias Known = (bytes: [UInt8], digests: [String: String])

  enum Outcome {
    case saved
    /// The remote file has changed since it was read.
    case conflict
    case refused(String)
  }

  private static let maximumFiles = 256

  /// Blocks until a kiosk file and its attached files have been copied.
  init(_ path: String, on host: String, _ loop: EventLoop) throws(Failure) {
    self.host = host
    self.path = path
    // With ".." in the path, the copy would be outside of its folder.
    guard Self.isPlace(path), Files.absolutePath(path) == path else {
      throw Failure(.unavailable, "\(host) reported an invalid path of its kiosk file: \(path)")
    }
    shell = RemoteShell(on: host, loop)
    folder = try ScratchFolder()
    var outcome: Result<Known, KioskError>?
    read { outcome = $0 }
    do {
      while outcome == nil { try loop.turn() }
      _ = try outcome?.get()
    } catch let error as KioskError {
      throw Failure(error)
    } catch {
      throw Failure(.unavailable, "cannot wait for \(host): \(error)")
    }
    copy(bytes, to: path)
    changedFiles = []
  }

  var copy: String { folder.path + path }

  /// Returns nil for files that aren't copies.
  func original(of file: String) -> String? {
    file.hasPrefix(folder.path + "/") ? String(file.dropFirst(folder.path.count)) : nil
  }

  /// Requires a question before the next save.
  func requireConfirmation() { allowsOverwriting = false }

  func allowOverwriting() { allowsOverwriting = true }

  func allowOverwritingFiles() { changedFiles = [] }

  private static func isPlace(_ path: String) -> Bool {
    path.hasPrefix("/") && !path.hasSuffix("/")
      && !path.unicodeScalars.contains(where: \.isControl)
  }

  // MARK: Reading

  func refresh() {
    guard refreshState == .none else {
      refreshState = .outdated
      return
    }
    refreshState = .running
    read { [unowned self] outcome in
      let isOutdated = refreshState == .outdated
      refreshState = .none
      if case .success(let old) = outcome {
        if bytes != old.bytes {
          allowsOverwriting = false
          onChange(old.bytes)
        }
        if digests != old.digests { onFilesChange() }
      }
      if isOutdated { refresh() }
    }
  }

  /// Copies changed files. Calls `whenDone` with the previous contents.
  private func read(whenDone: @escaping (Result<Known, KioskError>) -> Void) {
    shell.run(PackageResources.list_sh, Array("\(path)\n".utf8)) { [unowned self] outcome in
      do throws(KioskError) {
        let text = String(decoding: try outcome.get().output, as: UTF8.self)
        let others = Set(text.split(separator: "\n").map(String.init))
          .filter { $0 != path && Self.isPlace($0) }
        read([path] + others.sorted().prefix(Self.maximumFiles), whenDone)
      } catch {
        whenDone(.failure(error))
      }
    }
  }

  private func read(_ paths: [String], _ whenDone: @escaping (Result<Known, KioskError>) -> Void) {
    let known = paths.map { digests[$0] ?? "" }
    let input = "\(paths.count)\n" + zip(known, paths).map { "\($0)\n\($1)\n" }.joined()
    shell.run(PackageResources.read_sh, Array(input.utf8)) { [unowned self] outcome in
      do throws(KioskError) {
        let lines = try outcome.get().output.split(
          separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard let own = lines.first.flatMap(Self.content) else {
          throw KioskError(.unavailable, "cannot read \(path) on \(host)")
        }
        let old = (bytes: bytes, digests: digests)
        bytes = own
        digests = [:]
        for (path, line) in zip(paths, lines).dropFirst() {
          if line.elementsEqual("=".utf8) {
            digests[path] = old.digests[path]
          } else if let content = Self.content(line) {
            digests[path] = SHA256.text(of: content)
            changedFiles.insert(path)
            copy(content, to: path)
          }
        }
        whenDone(.success(old))
      } catch {
        whenDone(.failure(error))
      }
    }
  }

  private static func content(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    guard line.first == UInt8(ascii: "+") else { return nil }
    return Base64.decode(String(decoding: line.dropFirst(), as: UTF8.self))
  }

  private func copy(_ content: [UInt8], to path: String) {
    let place = folder.path + Files.absolutePath(path)
    // If a file can't be copied, the kiosk reports it as missing.
    try? Files.makeFolder(String(place[..<(place.lastIndex(of: "/") ?? place.endIndex)]))
    try? Files.write(content, to: place, isDurable: false)
  }

  // MARK: Saving

  func others(of files: [AttachedFile]) -> [AttachedFile] {
    files.filter { digests[place(of: $0)] != $0.digest }
  }

  private func place(of file: AttachedFile) -> String {
    path[..<(path.lastIndex(of: "/") ?? path.startIndex)] + "/" + file.name
  }

  /// Writes remote files, unless the kiosk would have errors there.
  func save(
    _ new: [UInt8], with files: [AttachedFile], isForced: Bool,
    whenDone: @escaping (Outcome) -> Void
  ) {
    let areKnown = !files.contains { changedFiles.contains(place(of: $0)) }
    guard isForced || allowsOverwriting && areKnown else { return whenDone(.conflict) }
    guard files.count <= Self.maximumFiles else {
      return whenDone(.refused("the kiosk has more than \(Self.maximumFiles) new files"))
    }
    if let file = files.first(where: { !AttachedFile.isPossible($0.name) }) {
      return whenDone(.refused("\(file.name) is not a valid name for a kiosk's file"))
    }
    let word = String(UInt64.random(in: 0 ... .max), radix: 16)
    let own = AttachedFile(name: String(path.split(separator: "/").last ?? ""), bytes: new)
    var input = Array("\(path)\n\(word)\n\(files.count + 1)\n".utf8)
    for file in files + [own] {
      let old =
        place(of: file) == path ? SHA256.text(of: bytes) : digests[place(of: file)] ?? "none"
      input += "\(file.name)\n\(isForced ? "any" : old)\n\(file.bytes.count)\n".utf8
      input += file.bytes
    }
    shell.run(PackageResources.save_sh, input) { [unowned self] outcome in
      switch outcome {
      case .success((0, _)):
        bytes = new
        allowsOverwriting = true
        for file in files {
          digests[place(of: file)] = file.digest
          changedFiles.remove(place(of: file))
        }
        whenDone(.saved)
      case .success((3, _)): whenDone(.conflict)
      case .success((_, let output)):
        let text = String(decoding: output, as: UTF8.self)
        whenDone(.refused(reason(text.replacing(".roundel-\(word)-\(own.name)", with: own.name))))
      case .failure(let error): whenDone(.refused("\(error)"))
      }
    }
  }

  private func reason(_ output: String) -> String {
    let isDenied = output.contains("Permission denied")
    return output.split(separator: "\n").filter { !$0.contains(": warning: ") }
      .joined(separator: "\n")
      + (isDenied ? " (use another user, such as --host root@\(host))" : "")
  }
}
