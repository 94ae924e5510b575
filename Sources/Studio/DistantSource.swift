// SPDX-License-Identifier: MIT

internal import JSONRPC
internal import KioskProtocol
internal import LinuxIO

/// The file of a kiosk that runs on another machine, and a copy here of all that it is made of.
///
/// The files of the copy lie below a folder as they do below the root there, so that they find each other. It goes with
/// this program.
final class DistantSource {
  /// Called when the file there is another.
  var onChange: (_ old: [UInt8]) -> Void = { _ in }

  private let line: DistantLine
  private let folder: ScratchFolder
  /// The kiosk file's, there.
  let path: String
  /// As it is there.
  private(set) var bytes: [UInt8]
  /// Whether what is written next takes the place of that.
  private var isAgreed = true

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

  /// What a file of the copy is called there; nil for another.
  func original(of file: String) -> String? {
    file.hasPrefix(folder.path + "/") ? String(file.dropFirst(folder.path.count)) : nil
  }

  /// Leaves it open whether the file there is the one that is to be replaced: whoever saves is asked.
  func doubt() { isAgreed = false }

  private static func isPlace(_ path: String) -> Bool {
    path.hasPrefix("/") && !path.hasSuffix("/") && !path.utf8.contains(0)
  }

  private func copy(_ files: [SourceAnswer.File]) {
    for file in files where Self.isPlace(file.path) {
      let place = folder.path + Files.absolutePath(file.path)
      // One that cannot be copied is missed by the kiosk, as one that cannot be read there.
      try? Files.makeFolder(String(place[..<(place.lastIndex(of: "/") ?? place.endIndex)]))
      try? Files.write(file.bytes, to: place)
    }
  }

  /// Asks whether the file there has changed.
  private func look() {
    line.ask(SourceRequest()) { [unowned self] outcome in
      guard case .success(let answer) = outcome, answer.path == path,
        let own = answer.files.first, own.path == path, own.bytes != bytes
      else { return }
      let old = bytes
      bytes = own.bytes
      isAgreed = false
      // The kiosk file itself is that of the author.
      copy(Array(answer.files.dropFirst()))
      onChange(old)
    }
  }

  /// Takes note that what is there now is known.
  func agree() { isAgreed = true }

  /// Writes the file there, if it has no mistakes there.
  func save(_ new: [UInt8], isForced: Bool, whenDone: @escaping (Outcome) -> Void) {
    guard isForced || isAgreed else { return whenDone(.conflict) }
    let request = SaveRequest {
      $0.bytes = new
      $0.old = isForced ? nil : SHA256.text(of: bytes)
    }
    line.ask(request) { [unowned self] outcome in
      switch outcome {
      case .success(let answer) where answer.isSaved:
        bytes = new
        isAgreed = true
        whenDone(.saved)
      case .success: whenDone(.conflict)
      case .failure(let error): whenDone(.refused(line.text(of: error)))
      }
    }
  }
}
