// SPDX-License-Identifier: MIT

import RoundelExpressions
import RoundelGeometry
import Glibc
import HostSupport
import RoundelJSON
import Kiosk
import KioskFile
import KioskHost
import KioskProtocol
import LinuxIO
import RoundelRuntime
import Testing
import RoundelDeclarations

@Suite struct KioskReadingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func diagnostics(_ text: String) throws -> [String] {
    KioskReading(try folder.write(text, to: "wall.yaml")).diagnostics.map(\.message)
  }

  @Test func `a kiosk with several sizes is read for the panel's orientation`() throws {
    let file = try folder.write(
      wall("Hello", more: "screen: {size: [[1280, 800], [800, 1280]], rotate: 90}"), to: "wall.yaml"
    )
    func size(_ panel: PixelSize?, _ rotation: Rotation? = nil) throws -> Size {
      try KioskReading(file, panel: panel, rotation: rotation).content.get().description.screen.size
    }
    #expect(try size(nil) == Size(1280, 800))
    #expect(try size(PixelSize(1280, 800)) == Size(800, 1280))
    #expect(try size(PixelSize(1280, 800), Rotation.none) == Size(1280, 800))
    #expect(try size(PixelSize(800, 1280)) == Size(1280, 800))
  }

  @Test func `a review adds the warnings that reading omits, in the file's order`() throws {
    let file = try folder.write(
      """
      kiosk: wall
      pages:
        - page: only
          controls:
            - {label: gone, at: [4000, 40], text: Gone}
            - {dial: d, at: [640, 400], radius: 200, labels: 12, color: nothing}

      """, to: "wall.yaml")
    var reading = KioskReading(file)
    #expect(reading.diagnostics.map(\.line) == [6])
    reading.review()
    #expect(reading.diagnostics == (try ParsedKiosk(kioskFile: file, assets: Assets()).diagnostics))
    try folder.write(
      "kiosk: wall\npages: [{page: only, controls: [{label: gone, at: [4000, 40], text: x}]}]\n",
      to: "wall.yaml")
    reading = KioskReading(file)
    #expect(reading.diagnostics.isEmpty)
    let whole = try ParsedKiosk(kioskFile: file, assets: Assets()).diagnostics
    #expect(!whole.isEmpty && reading.reviewed().diagnostics == whole)
  }

  @Test func `errors at another size are found, and name the size`() throws {
    let file = try folder.write(
      wall("Hello", more: "screen: {size: [[1280, 800], [480, 800]]}"), to: "wall.yaml")
    let all = try ParsedKiosk.all(kioskFile: file)
    #expect(all.count == 2)
    #expect(all[0].diagnostics.isEmpty)
    let diagnostic = try #require(all[1].diagnostics.first)
    #expect(diagnostic.message.contains("\"Hello\" does not fit"))
    #expect(diagnostic.message.hasSuffix(", on a panel of 480 by 800"))
  }

  @Test func `an error at several sizes is reported once, with all of them`() throws {
    let file = try folder.write(
      """
      kiosk: wall
      screen: {size: [[1280, 800], [800, 1280], [720, 720], [640, 480]]}
      pages:
        - page: only
          controls:
            - {label: tiny, at: [300, 200], text: Tiny, font_size: 9}
            - {label: low, at: [300, 760], text: Low}
            - {label: right, at: [680, 300], text: Right}
      """, to: "sizes.yaml")
    let all = try ParsedKiosk.all(kioskFile: file)
    let reported = all.flatMap(\.diagnostics).map(\.message)
    #expect(reported.count == 3)
    #expect(reported.first?.hasPrefix("\"Tiny\" is 9 pixels high") == true)
    #expect(reported.first?.contains("panel") == false)
    #expect(
      reported.contains {
        $0.hasPrefix("\"Low\" does not fit")
          && $0.hasSuffix(", on panels of 720 by 720 and 640 by 480")
      })
    #expect(
      reported.contains {
        $0.hasPrefix("\"Right\" does not fit") && $0.hasSuffix(", on a panel of 640 by 480")
      })
  }

  @Test func `a kiosk is read with its included files`() throws {
    try folder.write("{label: more, at: [640, 600], text: More}\n", to: "more.yaml")
    let file = try folder.write(
      wall("Welcome", more: "      - {include: more.yaml}"), to: "wall.yaml")
    let reading = KioskReading(file)
    #expect(
      try reading.content.get().description.pages[0].controls.map(\.id) == ["welcome", "more"])
    #expect(reading.files == [file, folder.path + "/more.yaml"])
  }

  @Test func `the reasons of a kiosk with many errors are limited`() throws {
    let labels = (1...25).map { "      - {label: l\($0), at: here, text: x}" }
    let file = try folder.write(
      wall("Welcome", more: labels.joined(separator: "\n")), to: "wall.yaml")
    let reading = KioskReading(file)
    #expect(throws: Failure.self) { try reading.content.get() }
    #expect(reading.reasons.count == 21 && reading.reasons.last == "and 5 more")
  }

  @Test func `a missing kiosk file is watched`() {
    let file = folder.path + "/none.yaml"
    let reading = KioskReading(file)
    guard case .failure(let failure) = reading.content else {
      Issue.record("it was read")
      return
    }
    #expect(failure.code == .badFile && failure.message.contains(file))
    #expect(reading.files == [file] && reading.reasons.isEmpty)
  }

  @Test(arguments: [
    "      - {image: logo, at: [100, 100], size: [10, 10], file: none.png}",
    "      - {label: big, at: [640, 400], text: x, font: none.ttf}",
    "      - {button: b, at: [640, 400], size: [99, 99], text: b, on: {pressed: [{play: none.wav}]}}",
    "      - {button: b, at: [640, 400], size: [99, 99], text: b, on: {pressed: [{run: [none-such]}]}}",
  ])
  func `a missing asset is an error at its location`(_ line: String) throws {
    let file = try folder.write(wall("Welcome", more: line), to: "wall.yaml")
    let reading = KioskReading(file)
    #expect(reading.diagnostics.count { $0.severity == .error && $0.line == 7 } == 1)
  }

  @Test func `an included file outside the kiosk's directory is rejected`() throws {
    let other = try TemporaryFolder()
    let secret = try other.write("{label: more, at: [640, 600], text: More}\n", to: "secret.yaml")
    #expect(unsafe symlink(secret, folder.path + "/more.yaml") == 0)
    let found = try diagnostics(wall("Welcome", more: "      - {include: more.yaml}"))
    #expect(found.contains { $0.contains("a link out of the kiosk's folder") }, "\(found)")
  }
}

@Suite struct PreparationTests {
  private func prepare(page: String? = nil, _ settings: String...) -> (Engine, Failure?) {
    var engine = Engine(
      Description(
        name: "k", pages: [Page(name: "one", controls: []), Page(name: "two", controls: [])],
        values: [ValueDeclaration(name: "cups", initial: .number(1), minimum: 0, maximum: 8)]),
      seed: 0)
    do throws(Failure) {
      try engine.prepare(page: page, settings: settings.compactMap { Assignment(argument: $0) })
      return (engine, nil)
    } catch {
      return (engine, error)
    }
  }

  @Test func `the start page and values are set before the kiosk is shown`() {
    let (engine, failure) = prepare(page: "two", "cups=3")
    #expect(failure == nil && engine.handoverState.page == "two")
    #expect(engine.handoverState.values["cups"] == .number(3))
  }

  @Test func `an unknown page or value is a usage error`() {
    #expect(
      prepare(page: "tow").1?.message == "there is no page \"tow\" (the pages are: one, two)")
    #expect(prepare("plates=3").1?.message.hasPrefix("--set plates: ") == true)
    #expect(prepare("cups=many").1?.code == .usage)
  }

  @Test func `an error is available as a JSON object`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(brokenWall, to: "wall.yaml")
    let diagnostic = try #require(KioskReading(file).diagnostics.first)
    #expect(diagnostic.json["file"]?.string == file && diagnostic.json["line"]?.integer == 2)
    #expect(diagnostic.json["severity"]?.string == "error")
  }
}

@Suite struct ProgramsTests {
  private let folder: TemporaryFolder
  private var kiosk: String { folder.path + "/wall.yaml" }

  init() throws { folder = try TemporaryFolder() }

  private func add(_ name: String, mode: mode_t = 0o755) throws -> String {
    let path = try folder.write("#!/bin/sh\n", to: name)
    _ = unsafe chmod(path, mode)
    return path
  }

  @Test func `a program next to the kiosk's file takes precedence over PATH`() throws {
    #expect(try Programs.path(of: "true", for: kiosk).hasSuffix("/bin/true"))
    let own = try add("true")
    #expect(try Programs.path(of: "true", for: kiosk) == own)
  }

  @Test func `a program name with a slash is relative to the file`() throws {
    let own = try add("tools/light")
    #expect(try Programs.path(of: "tools/light", for: kiosk) == own)
    #expect(throws: AssetError.self) { try Programs.path(of: "bin/true", for: kiosk) }
    #expect(try Programs.path(of: "/bin/true", for: kiosk) == "/bin/true")
  }

  @Test func `a file that isn't executable is reported`() throws {
    let own = try add("light", mode: 0o644)
    do throws(AssetError) {
      _ = try Programs.path(of: "light", for: kiosk)
      Issue.record("it was found")
    } catch {
      #expect("\(error)".contains("\(own) is not executable"))
    }
  }

  @Test func `a kiosk lists the programs next to its file`() throws {
    let own = try add("light")
    let file = try folder.write(
      """
      kiosk: wall
      logic: [light]
      pages:
        - page: only
          on: {shown: [{run: ["true"]}]}
          controls:
            - {label: welcome, at: [640, 400], text: Welcome}

      """, to: "wall.yaml")
    let kiosk = try ParsedKiosk(kioskFile: file, assets: Assets())
    #expect(kiosk.diagnostics.isEmpty)
    #expect(kiosk.ownPrograms(of: file) == [own])
  }
}
