// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelJSON
import Kiosk
import RoundelMotion
import TestSupport
import Testing

@testable import KioskFile

/// The meaning of a set value, for each variable key of each control and item.
@Suite struct DomainTests {
  /// Values of all shapes, most of which do not suit a key.
  private static let strange: [JSONValue] = [
    true, 0, -1, 0.5, 7, 1e300, "", "abc", "12", "goldd", "6px", [], [1], ["a", true], [[]], [:],
    ["id": "x"], ["id": "x", "for": 1], ["lable": 2], ["image": "other.png"], ["count": "2"],
    [["id": "a"], ["id": "a"]], [["id": "a", "label": 3], ["id": "a/b"]], [["label": []], "b"],
  ]

  @Test(arguments: ControlType.all.map(\.name))
  func `a value that is set means what it means in a file, or is refused in the same words`(
    _ name: String
  ) throws {
    let type = try #require(ControlType.named(name))
    var refusals = 0
    let keys = Self.variableKeys(of: type)
    for key in keys {
      let decode = try #require(key.decode, "\(key.name) has no domain")
      var maker = RandomControl(type, seed: 1)
      for json in (0..<Cases.of(20).count).map({ _ in maker.value(of: key) }) + Self.strange {
        guard let value = Value(json) else { continue }
        let pass = KioskPass(file: "k.yaml", end: .start)
        let reader = DeclarationReader(Outline(), after: pass)
        let node = Node(json, at: .start)
        let read = reader.inside(key: key.name) { key.read(node, node, reader) }
        _ = AssetChecks(pass, OneImage())
        var context = DecodingContext(FileContext(paths: ["k.yaml"], images: ["../wall.png"]))
        let what = "\(key.name) = \(json.text)"
        do throws(InvalidValueError) {
          let decoded = try decode(value, &context)
          #expect(!reader.hasError, "\(what): \(reader.diagnostics)")
          let (a, b) = (decoded as? any Hashable, read as? any Hashable)
          #expect(a.map { AnyHashable($0) } == b.map { AnyHashable($0) }, "\(what)")
        } catch {
          refusals += 1
          let first = reader.diagnostics.first { $0.severity == .error }?.message ?? "nothing"
          // A file also says where the other one is.
          let message = first.hasPrefix("duplicate id") ? "\(first.prefix { $0 != "," })" : first
          #expect(error.expected == "another value: \(message)", "\(what)")
        }
      }
    }
    // A wheel of colours has only state, which is set like that.
    #expect((refusals == 0) == keys.isEmpty)
  }

  @Test(arguments: ControlType.all.map(\.name))
  func `a control that is moved is the same as one that is made at its place`(
    _ name: String
  ) throws {
    let type = try #require(ControlType.named(name))
    for seed in Cases.of(12) {
      let maker = {
        var maker = RandomControl(type, seed: UInt64(2 * seed))
        return (maker.members(), maker)
      }()
      let (members, place) = (maker.0, JSONValue.array([123.5, 217]))
      var moved = members.filter { $0.name != "at" }
      moved.insert(.init("at", place), at: 1)
      guard let first = maker.1.read(members).description?.pages[0].controls[0].control,
        let there = maker.1.read(moved).description?.pages[0].controls[0].control
      else { continue }
      let keyed = try #require(first as? any KeyedControl)
      let made = keyed.moved(to: Point(123.5, 217)) as any Control
      guard let a = made as? any Hashable, let b = there as? any Hashable else {
        Issue.record("\(name) cannot be compared")
        return
      }
      #expect(AnyHashable(a) == AnyHashable(b), "\(members)")
    }
  }

  /// The keys of a control and its items that may change.
  private static func variableKeys(of type: ControlType) -> [Keys.Declaration] {
    var seen: Set<String> = []
    var found: [Keys.Declaration] = []
    func search(_ keys: Keys) {
      guard seen.insert(keys.table).inserted else { return }
      for key in keys.all {
        if key.role == .variable { found.append(key) }
        key.objects.map { search($0()) }
      }
    }
    search(type.table.keys)
    return found
  }
}

/// Knows one image.
private struct OneImage: AssetLoader {
  func loadImage(at path: String) throws(AssetError) {
    guard path == "../wall.png" else { throw AssetError("not used in the kiosk file") }
  }
  func loadFont(_ face: FaceName) {}
  func loadText(at path: String, inside folder: String) throws(AssetError) -> [UInt8] {
    throw AssetError("no such file")
  }
  func findProgram(_ name: String, for kiosk: String) {}
}
