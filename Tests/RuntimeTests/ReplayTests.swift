// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelGeometry
import Kiosk
import RoundelMotion
import RoundelRuntime
import RoundelSession
import Testing
import RoundelText

@Suite struct ReplayTests {
  private let wheel = Pinwheel(
    center: Point(100, 100), radius: 80, wedges: [.init(id: "a", label: "A"), .init(id: "b")])

  private func replay(_ text: String, fps: Double) throws -> ([String], [String: Bool]) {
    let recording = try Recording(Array(text.utf8), path: "r")
    let kiosk = Description(
      name: "k", pages: [Page(name: "p", controls: [PlacedControl(id: "w", control: wheel)])])
    let stage = Stage(Content(kiosk, fonts: FontLibrary()), seed: 0)
    var lines: [String] = []
    var lit: [String: Bool] = [:]
    let rest = Engine(kiosk, seed: 0).displayList
    try Replay(recording, on: stage, framesPerSecond: fps).run { outcome in
      switch outcome {
      case .line(let line): lines.append(line.text)
      case .shot(let name): lit[name] = stage.engine.displayList != rest
      case .frame: break
      case .refusal(let reason, let time): lines.append("\(time.seconds): \(reason)")
      }
    }
    return (lines, lit)
  }

  @Test(arguments: [1.0, 60, 1000])
  func `keys replay exactly, and screenshots show the focus`(_ fps: Double) throws {
    let (lines, lit) = try replay(
      """
      {"t":1,"shot":"none.png"}
      {"t":1,"key":"right"}
      {"t":1,"shot":"marked.png"}
      {"t":1.5,"key":"enter"}
      {"t":1.5,"key":"right"}
      {"t":2.000001,"key":"enter"}
      {"t":2.1,"get":"w.item"}
      {"t":3,"down":{"finger":0,"x":5,"y":5}}
      {"t":3,"shot":"touched.png"}
      {"t":3,"end":true}
      """, fps: fps)
    #expect(lit == ["none.png": false, "marked.png": true, "touched.png": false])
    #expect(
      lines == [
        #"{"t":2.000001,"control":"w","event":"pressed","item":"b","index":1,"label":"","by":"finger"}"#,
        #"{"t":2.000001,"control":"w","event":"selected","item":"b","index":1,"label":"","by":"finger"}"#,
        #"{"t":2.100,"get":"w.item","value":"b"}"#,
        #"{"t":2.550001,"control":"w","event":"confirmed","item":"b","index":1,"label":"","by":"finger"}"#,
      ])
  }

  @Test func `a replay reports steps with unknown names and plays the rest`() throws {
    let (lines, _) = try replay(
      """
      {"t":0.5,"get":"w.itme"}
      {"t":0.5,"get":"cups"}
      {"t":1,"set":{"cups":3}}
      {"t":1.5,"get":"w.item"}
      """, fps: 60)
    #expect(lines.count == 7)
    #expect(lines.filter { $0.contains(#""event":"failed""#) }.count == 3)
    #expect(lines.contains { $0.hasPrefix(#"0.5: "w" has no property "itme""#) })
    #expect(lines.contains { $0.hasPrefix(#"0.5: there is no value "cups""#) })
    #expect(lines.contains { $0.hasPrefix(#"1.0: there is no value "cups""#) })
    #expect(lines.last == #"{"t":1.500,"get":"w.item","value":""}"#)
  }

  @Test(arguments: [1.0, 30, 60, 144, 1000])
  func `events, answers and screenshots have exact times at any frame rate`(_ fps: Double) throws {
    let (lines, lit) = try replay(
      """
      {"t":0,"down":{"finger":0,"x":100,"y":50}}
      {"t":0.0833335,"up":{"finger":0}}
      {"t":0.1,"get":"w.item"}
      {"t":0.283333,"shot":"before.png"}
      {"t":0.283334,"shot":"between.png"}
      {"t":0.433333,"shot":"end-of-dark.png"}
      {"t":0.433334,"shot":"second.png"}
      {"t":0.633334,"shot":"after.png"}
      {"t":0.78,"shot":"faded.png"}
      {"t":0.8,"end":true}
      {"t":9,"get":"w.item"}
      """, fps: fps)
    #expect(
      lines == [
        #"{"t":0.000,"control":"w","event":"pressed","item":"a","index":0,"label":"A","by":"finger"}"#,
        #"{"t":0.083334,"control":"w","event":"selected","item":"a","index":0,"label":"A","by":"finger"}"#,
        #"{"t":0.100,"get":"w.item","value":"a"}"#,
        #"{"t":0.633334,"control":"w","event":"confirmed","item":"a","index":0,"label":"A","by":"finger"}"#,
      ])
    #expect(
      lit == [
        // Only the last light fades.
        "before.png": true, "between.png": false, "end-of-dark.png": false, "second.png": true,
        "after.png": true, "faded.png": false,
      ])
  }
}
