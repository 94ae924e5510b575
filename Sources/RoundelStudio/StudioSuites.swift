// SPDX-License-Identifier: MIT

internal import RoundelAuthoring
internal import RoundelDeclarations
internal import RoundelGeometry
internal import RoundelJSON
internal import Kiosk
internal import KioskFile
internal import LanguageServer
internal import LinuxIO
internal import LiveSuites
internal import RoundelRuntime
internal import RoundelSuites

struct StudioSuites {
  /// A sentence without a full stop.
  struct Refusal: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  let kiosk: String
  let checker: FileChecker
  let service: LanguageService

  private static let maximumBytes = 4 << 20
  /// The maximum per run, before base64.
  private static let maximumPictureBytes = 16 << 20

  var paths: [String] { checker.workspace.suites(of: kiosk) }
  var ownPaths: [String] { paths.filter(isOwn) }

  func text(of suite: String) -> String? {
    checker.workspace.bytes(suite).map { String(decoding: $0, as: UTF8.self) }
  }

  // MARK: Running

  /// The results contain unexpected pictures. The test `accepted` makes its pictures the expected
  /// ones.
  func run(
    _ path: String, on makeKiosk: @escaping (PixelSize?) -> Content?,
    accepting accepted: String? = nil
  ) throws(Refusal) -> ResultsAnswer {
    checker.workspace.refresh()
    guard paths.contains(path), let text = checker.workspace.bytes(path) else {
      throw Refusal("no such suite")
    }
    var content: Content?
    let reading = SuiteReading(text, path: path) { _, size in
      content = makeKiosk(size)
      return content?.description
    }
    let mayAccept = reading.suite.map { isOwn($0.goldens) } ?? false
    var results: [ResultsAnswer.Outcome] = []
    if let suite = reading.suite, let content {
      let bench = HeadlessBench(content, size: suite.size)
      func runner(updates: Bool) -> TestRunner {
        TestRunner(
          at: bench, goldens: GoldenFiles(), updates: updates, clock: { MonotonicClock.now })
      }
      if let test = suite.tests.first(where: { $0.name == accepted }) {
        guard mayAccept else {
          throw Refusal("\(suite.goldens) is outside the kiosk's folder and its suites' folder")
        }
        _ = try? runner(updates: true).run(test, of: suite)
      }
      let plain = runner(updates: false)
      var space = Self.maximumPictureBytes
      results = suite.tests.compactMap { test in
        (try? plain.run(test, of: suite)).map { Self.outcome($0, space: &space) }
      }
    }
    return ResultsAnswer(
      results: results, diagnostics: reading.diagnostics.map(\.description), mayAccept: mayAccept)
  }

  private static func outcome(
    _ result: TestResult, space: inout Int
  ) -> ResultsAnswer.Outcome {
    // Different pictures are called NAME.shot, NAME.golden and NAME.difference.
    var pictures: [ResultsAnswer.Picture] = []
    for artifact in result.artifacts {
      let parts = artifact.name.split(separator: ".")
      guard result.failure != nil, parts.last == "png", parts.count > 2,
        artifact.bytes.count <= space
      else { continue }
      space -= artifact.bytes.count
      let name = parts.dropLast(2).joined(separator: ".")
      let index = pictures.firstIndex { $0.name == name } ?? pictures.count
      if index == pictures.count { pictures.append(.init(name: name)) }
      let picture = PictureAddress.of(png: artifact.bytes)
      switch parts[parts.count - 2] {
      case "shot": pictures[index].shot = picture
      case "golden": pictures[index].golden = picture
      default: pictures[index].difference = picture
      }
    }
    let isNew = pictures.contains { $0.golden == nil && $0.shot != nil }
    return .init(
      name: result.test.name, hasPassed: result.failure == nil,
      text: result.failure.map {
        isNew ? "there is no expected image; look at the actual one and accept it" : "\($0.message)"
      }, pictures: pictures)
  }

  // MARK: Writing

  /// Writes a test to a suite, new if `path` is nil, and returns its path. `steps` is a YAML list
  /// recorded on the canvas `size`, or any canvas if nil.
  func keep(
    _ name: String, steps: String, in path: String?, at size: PixelSize?,
    of makeKiosk: @escaping (PixelSize?) -> Content?
  ) throws(Refusal) -> String {
    guard !name.isEmpty else { throw Refusal("the test needs a name") }
    guard steps.contains(where: { !$0.isWhitespace }) else {
      throw Refusal("the test has no steps yet")
    }
    checker.workspace.refresh()
    let lines = steps.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
    let test = "- test: \(JSONValue.string(name).flow)\n  steps:\n\(lines)"
    let target = path ?? newPath
    let bytes =
      try path.map { path throws(Refusal) in try added(test, to: path) } ?? newSuite(test, at: size)
    guard bytes.count <= Self.maximumBytes else {
      throw Refusal("the suite would be larger than 4 MiB")
    }
    let reading = SuiteReading(bytes, path: target) { _, size in makeKiosk(size)?.description }
    if let diagnostic = reading.diagnostics.first { throw Refusal("\(diagnostic)") }
    do throws(Failure) {
      try Files.write(bytes, to: target, access: .like(path ?? kiosk))
    } catch {
      throw Refusal(error.message)
    }
    checker.workspace.refresh()
    return target
  }

  private func added(_ test: String, to path: String) throws(Refusal) -> [UInt8] {
    guard ownPaths.contains(path), let document = checker.workspace.document(path) else {
      throw Refusal("no such suite in the kiosk's folder or in ../suites")
    }
    guard document.tree.root["setup"] == nil else {
      throw Refusal(
        "cannot add the test to \(path): the suite has a setup, and the test was recorded without it"
      )
    }
    do throws(EditRefusal) {
      return document.source.applying(try service.edits(addingTest: test, to: path)).bytes
    } catch {
      throw Refusal(error.description)
    }
  }

  private func newSuite(_ test: String, at size: PixelSize?) -> [UInt8] {
    let file = kiosk.split(separator: "/").last.map(String.init) ?? kiosk
    let head = """
      suite: \(JSONValue.string(stem).flow)
      kiosk: \(JSONValue.string(file).flow)
      \(size.map { "size: [\($0.width), \($0.height)]\n" } ?? "")tests:

      """
    let lines = test.split(separator: "\n").map { "  \($0)\n" }.joined()
    return Array((head + lines).utf8)
  }

  private var stem: String { KioskFileName(kiosk).stem }

  private var folder: String {
    kiosk.lastIndex(of: "/").map { String(kiosk[...$0]) } ?? "./"
  }

  private var newPath: String {
    let names = Set(Folder.names(in: folder))
    let numbers = [""] + (2...(names.count + 2)).map { "-\($0)" }
    let free = numbers.map { "\(stem)-suite\($0).yaml" }.first { !names.contains($0) }
    return Workspace.normal(folder + (free ?? "\(stem)-suite.yaml"))
  }

  /// The kiosk's folder and the suites folder next to it, with links resolved, unless that is a
  /// link, because its files belong elsewhere.
  private var ownFolders: [String] {
    guard let own = try? Files.realPath(folder) else { return [] }
    let beside = Files.absolutePath("\(own)/../suites")
    return [own] + ((try? Files.realPath(beside)) == beside ? [beside] : [])
  }

  /// Resolves links. The file needn't exist.
  private func isOwn(_ path: String) -> Bool {
    let folders = ownFolders
    var parts = (path.hasPrefix("/") ? path : "./" + path).split(
      separator: "/", omittingEmptySubsequences: false)
    while !parts.isEmpty {
      let above = parts.joined(separator: "/")
      // Missing files use the nearest existing folder.
      if let real = try? Files.realPath(above.isEmpty ? "/" : above) {
        return folders.contains { own in
          real == own || real.hasPrefix(own == "/" ? own : own + "/")
        }
      }
      if parts.removeLast() == ".." { return false }
    }
    return false
  }
}

enum PictureAddress {
  static func of(png: [UInt8]) -> String {
    "data:image/png;base64," + String(decoding: Base64.encode(png), as: UTF8.self)
  }
}
