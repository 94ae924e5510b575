// SPDX-License-Identifier: MIT

internal import JSONRPC
internal import KioskProtocol
internal import LinuxIO

/// The file of a kiosk that runs on another machine, and a copy here of all that it is made of.
///
/// The files of the copy lie below a folder as they do below the root there, so that they find each other. The
/// copy is removed when this program ends.
final class DistantSource {
  /// Called when the file there has changed.
  var onChange: (_ old: [UInt8]) -> Void = { _ in }
  /// Called when other files that the kiosk there is made of have changed, and the copy has them.
  var onFilesChange: () -> Void = {}

  private let line: DistantLine
  private let folder: ScratchFolder
  /// The path of the kiosk file there.
  let path: String
  /// The content of the file there.
  private(set) var bytes: [UInt8]
  /// Whether the next text may replace that content without asking.
  private var isAgreed = true
  /// The SHA-256 of the other files as they are there, by their paths.
  private var digests: [String: String] = [:]
  /// The other files that somebody else has changed there since.
  private var doubted: Set<String> = []

  enum Outcome {
    case saved
    /// Somebody else has changed the file there.
    case conflict
    case refused(String)
  }

  /// Copies the files of the kiosk that runs at `address`.
  init(at address: KioskAddress, on loop: EventLoop) throws(Failure) {
    folder = try ScratchFolder()
    do throws(KioskError) {
      line = try DistantLine(to: address, by: "source", on: loop)
      let answer = try line.call(SourceRequest())
      path = answer.path
      // With ".." in it the copy would be a file outside of its folder.
      guard let own = answer.files.first, own.path == path, Self.isPlace(path),
        Files.absolutePath(path) == path
      else {
        throw KioskError(.misread(method: SourceRequest.method.name))
      }
      bytes = own.bytes
      copy(answer.files)
      doubted = []
    } catch {
      throw Failure(error)
    }
    line.onNotification = { [unowned self] notification in
      if notification.method == SourceRequest.change.method { look() }
    }
    line.onReturn = { [unowned self] in look() }
  }

  var host: String { line.host }

  /// The kiosk file of the copy.
  var copy: String { folder.path + path }

  /// The path there of a file of the copy; nil for any other file.
  func original(of file: String) -> String? {
    file.hasPrefix(folder.path + "/") ? String(file.dropFirst(folder.path.count)) : nil
  }

  /// Leaves it open whether the file there is the one that is to be replaced: a person who saves is asked.
  func doubt() { isAgreed = false }

  private static func isPlace(_ path: String) -> Bool {
    path.hasPrefix("/") && !path.hasSuffix("/") && !path.utf8.contains(0)
  }

  /// Takes over files as they are there; returns whether any of them has changed.
  @discardableResult
  private func copy(_ files: [SourceAnswer.File]) -> Bool {
    let old = digests
    digests = [:]
    for file in files where Self.isPlace(file.path) {
      let digest = SHA256.text(of: file.bytes)
      if file.path != path { digests[file.path] = digest }
      guard old[file.path] != digest else { continue }
      doubted.insert(file.path)
      let place = folder.path + Files.absolutePath(file.path)
      // The kiosk misses a file that cannot be copied, as it would one that cannot be read there.
      try? Files.makeFolder(String(place[..<(place.lastIndex(of: "/") ?? place.endIndex)]))
      try? Files.write(file.bytes, to: place, isLasting: false)
    }
    return old != digests
  }

  /// Asks whether the file there has changed.
  private func look() {
    line.ask(SourceRequest()) { [unowned self] outcome in
      guard case .success(let answer) = outcome, answer.path == path,
        let own = answer.files.first, own.path == path
      else { return }
      // The kiosk file itself is that of the author.
      let isOther = copy(Array(answer.files.dropFirst()))
      if own.bytes != bytes {
        let old = bytes
        bytes = own.bytes
        isAgreed = false
        onChange(old)
      }
      if isOther { onFilesChange() }
    }
  }

  /// Notes that the content there is known.
  func agree() { isAgreed = true }

  /// Notes the same of the other files, which the copy has.
  func agreeOnFiles() { doubted = [] }

  /// The files that differ from those there. Their names are relative to the kiosk's folder.
  func others(of files: [(name: String, bytes: [UInt8])]) -> [(name: String, bytes: [UInt8])] {
    files.filter { digests[place(of: $0.name)] != SHA256.text(of: $0.bytes) }
  }

  private func place(of name: String) -> String {
    path[..<(path.lastIndex(of: "/") ?? path.startIndex)] + "/" + name
  }

  /// Writes the file there, and others beside it, if it has no mistakes with them there.
  func save(
    _ new: [UInt8], with files: [(name: String, bytes: [UInt8])], isForced: Bool,
    whenDone: @escaping (Outcome) -> Void
  ) {
    let areKnown = !files.contains { doubted.contains(place(of: $0.name)) }
    guard isForced || isAgreed && areKnown else { return whenDone(.conflict) }
    let request = SaveRequest {
      $0.bytes = new
      $0.old = isForced ? nil : SHA256.text(of: bytes)
      $0.files = files.map { file in
        SaveRequest.File {
          $0.name = file.name
          $0.bytes = file.bytes
          $0.old = isForced ? nil : digests[place(of: file.name)] ?? ""
        }
      }
    }
    line.ask(request, patience: 120) { [unowned self] outcome in
      switch outcome {
      case .success(let answer) where answer.isSaved:
        bytes = new
        isAgreed = true
        for file in files {
          digests[place(of: file.name)] = SHA256.text(of: file.bytes)
          doubted.remove(place(of: file.name))
        }
        whenDone(.saved)
      case .success: whenDone(.conflict)
      case .failure(let error): whenDone(.refused(line.text(of: error)))
      }
    }
  }
}
