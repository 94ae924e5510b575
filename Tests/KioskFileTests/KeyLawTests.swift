// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelJSON
import Kiosk
import KioskProtocol
import RoundelMotion
import SchemaValidator
import RoundelSession
import TestSupport
import Testing

@testable import KioskFile
@testable import JSONRPC

/// Laws of each variable key of each control and item, for any value: setting the key gives the
/// same control as a file with that value.
@Suite struct KeyLawTests {
  enum State: CaseIterable {
    case atRest, held, moving
  }

  @Test(arguments: ControlType.all.map(\.name))
  func `setting a key gives the same result as a file with that value`(_ name: String) throws {
    let type = try #require(ControlType.named(name))
    let variable = type.table.keys.all.filter { $0.role == .variable }.map(\.name)
    let states = try #require(type.placeholder(items: [])).properties + ["enabled", "visible"]
    // These keys rarely fit the others, or are images.
    let rare = ["labels", "label_every", "value", "bands", "file", "image"]
    let expectedKeys = Set(variable).subtracting(states + rare)
    var set: Set<String> = []
    // Some keys fit only a few others.
    for seed in 0..<60 where Cases.of(14).contains(seed) || !expectedKeys.isSubset(of: set) {
      var maker = RandomControl(type, seed: UInt64(seed))
      let members = maker.members()
      let first = try #require(maker.read(members).description)
      let keys = KeyLocation.all(in: .object(members), type.table.keys)
      for place in keys.shuffled(using: &maker.random).prefix(30) {
        for state in State.allCases {
          let value = maker.value(of: place.key)
          let changed = place.replacing(value, in: .object(members))
          guard !value.isMoreInFiles, let wanted = Value(value),
            first.bindings(of: place.name) == nil
          else { continue }
          var engine = Engine(first, seed: 1)
          Self.bring(&engine, to: state)
          let before = try #require(engine.placedControl("c"))
          // Other keys follow the values that a touch has set, while a file starts with its own.
          guard !before.control.properties.contains(place.name),
            place.name != "enabled", place.name != "visible",
            first.values.allSatisfy({ engine.value(of: .value($0.name)) == $0.initial })
          else { continue }
          let picture = engine.displayList
          let untouched = engine
          let other = maker.read(changed.members)
          let diagnostics = other.diagnostics.filter { $0.severity == .error }.map(\.message)
          let what = "\(state), \(place.name) = \(value.text) in \(JSONValue.object(members).text)"
          let refusal = Self.refusal(of: wanted, for: place.name, &engine)
          for method in SettingMethod.allCases {
            var sameElsewhere = untouched
            let command = try #require(method.command(setting: place.name, to: value), "\(what)")
            #expect(
              (Self.refusal(of: command, &sameElsewhere) == nil) == (refusal == nil),
              "\(what) by a \(method)")
            #expect(
              Self.isSame(
                try #require(sameElsewhere.placedControl("c")).control,
                try #require(engine.placedControl("c")).control)
                && sameElsewhere.displayList == engine.displayList, "\(what) by a \(method)")
          }
          if let sentence = refusal {
            // A key can show only images that the file names.
            let isKnown =
              sentence.contains("not used in the kiosk file")
              || diagnostics.contains {
                // A file with several errors reports the error of the initial value.
                sentence.hasSuffix($0) || $0.hasPrefix("\"value\" is out of range")
              }
            #expect(isKnown, "\(what): \(sentence), not \(diagnostics)")
            let after = try #require(engine.placedControl("c"))
            #expect(Self.isSame(after.control, before.control) && engine.displayList == picture)
            continue
          }
          set.insert(place.key.name)
          // A moving control keeps its value, while the initial value of the file is out of range.
          guard var description = other.description else {
            let isFirstValue = diagnostics.allSatisfy { $0.hasPrefix("\"value\" is out of range") }
            #expect(isFirstValue, "\(what) in spite of \(diagnostics)")
            continue
          }
          for page in description.pages.indices {
            description.pages[page].arrange(on: description.screen.size)
          }
          var expected = try #require(
            description.pages.flatMap(\.controls).first { $0.id == "c" }?.control)
          expected.resume(before.control, at: engine.now)
          // Forgets motions that have ended, and reports the end of a text, as the engine does.
          var events: [ControlEvent] = []
          expected.advance(to: engine.now, events: &events)
          let after = try #require(engine.placedControl("c"))
          let difference = Self.difference(after.control, expected)
          #expect(difference == nil, "\(what): \(difference ?? "")")
          #expect(
            Self.picture(of: after.control, at: engine.now)
              == Self.picture(of: expected, at: engine.now))
          if ![.list, .record].contains(wanted.kind) {
            #expect(engine.value(of: place.name, of: "c")?.display == wanted.display)
          }
        }
      }
    }
    #expect(expectedKeys.subtracting(set) == [], "never set")
  }

  @Test(arguments: ControlType.all.map(\.name))
  func `a key bound to a value changes like a key that is set`(_ name: String) throws {
    let type = try #require(ControlType.named(name))
    for seed in Cases.of(6) {
      var maker = RandomControl(type, seed: UInt64(seed) + 100)
      let members = maker.members()
      let control = JSONValue.object(members)
      let places = KeyLocation.all(in: control, type.table.keys)
      for place in places.shuffled(using: &maker.random).prefix(12) {
        let (first, second) = (maker.value(of: place.key), maker.value(of: place.key))
        guard !first.isMoreInFiles, !second.isMoreInFiles, let wanted = Value(second),
          wanted.kind == Value(first)?.kind, [.number, .flag, .text, .list].contains(wanted.kind),
          let plain = maker.read(place.replacing(first, in: control).members).description,
          let bound = maker.read(
            place.replacing("{v}", in: control).members, values: ["v": first]
          ).description
        else { continue }
        for state in State.allCases {
          var (set, following) = (Engine(plain, seed: 1), Engine(bound, seed: 1))
          Self.bring(&set, to: state)
          Self.bring(&following, to: state)
          // A touch writes back to the value, which then determines the key.
          guard following.value(of: .value("v")) == Value(first) else { continue }
          let refusal = Self.refusal(of: wanted, for: place.name, &set)
          try following.set(.value("v"), to: wanted)
          guard refusal == nil else { continue }
          let (a, b) = (
            try #require(set.placedControl("c")), try #require(following.placedControl("c"))
          )
          let difference = Self.difference(b.control, a.control)
          #expect(
            difference == nil && set.displayList == following.displayList,
            "\(state), \(place.name) from \(first.text) to \(second.text) in \(control.text): \(difference ?? "")"
          )
        }
      }
    }
  }

  @Test func `a list with a duplicate item is rejected exactly if a file rejects it`() throws {
    var refused: Set<String> = []
    for type in ControlType.all {
      for seed in Cases.of(12) {
        var maker = RandomControl(type, seed: UInt64(seed) + 200)
        let control = JSONValue.object(maker.members())
        let first = try #require(maker.read(control.members).description)
        for place in KeyLocation.all(in: control, type.table.keys) {
          let items = place.value(in: control)?.items ?? []
          guard let item = items.first(where: { $0["id"] != nil }) else { continue }
          let list = JSONValue.array(items + [item])
          let diagnostics = maker.read(place.replacing(list, in: control).members).diagnostics
            .filter { $0.severity == .error }
          guard !list.isMoreInFiles, let wanted = Value(list) else { continue }
          var engine = Engine(first, seed: 1)
          let before = engine.displayList
          let refusal = Self.refusal(of: wanted, for: place.name, &engine)
          #expect((refusal == nil) == diagnostics.isEmpty, "\(place.name) = \(list.text)")
          #expect(engine.displayList == before || refusal == nil)
          if let refusal, refusal.contains("duplicate id ") { refused.insert(type.name) }
        }
      }
    }
    #expect(refused.isSuperset(of: ["menu", "picker", "pinwheel", "slots"]))
  }

  /// Uses the control to bring it into a state, if it has such a state.
  private static func bring(_ engine: inout Engine, to state: State) {
    guard state != .atRest, let control = engine.placedControl("c")?.control else { return }
    let item = control.items(at: engine.now).lazy.compactMap(\.place).first
    guard let point = item ?? control.place(of: nil, at: engine.now) else { return }
    engine.handle(Touch(finger: 0, phase: .down, position: point), at: Instant(seconds: 1))
    engine.handle(
      Touch(finger: 0, phase: .move, position: point + Vector(3, 30)), at: Instant(seconds: 1.05))
    if state == .moving {
      engine.handle(
        Touch(finger: 0, phase: .up, position: point + Vector(3, 60)), at: Instant(seconds: 1.07))
      for command in control.commands { engine.perform(command, on: "c") }
      engine.advance(to: Instant(seconds: 1.12))
    }
  }

  /// An alternative to the engine's method for setting a key.
  private enum SettingMethod: CaseIterable {
    case recording, request

    /// The command for a value in its written form.
    func command(setting key: String, to value: JSONValue) -> Command? {
      switch self {
      case .recording:
        let line: JSONValue = ["t": 1, "set": .object([.init("c.\(key)", value)])]
        guard
          case .command(let command)? = try? Recording(Array(line.text.utf8), path: "r").steps
            .first?.what
        else { return nil }
        return command
      case .request:
        let sent: JSONValue = ["property": .string("c.\(key)"), "value": value]
        guard let (kind, method) = CommandKind.methods.first(where: { $0.kind.name == "set" }),
          let request = try? method.parameters(.object(sent.members))
        else { return nil }
        return kind.commands(of: request)?.first
      }
    }
  }

  /// The error of a command, if any.
  private static func refusal(of command: Command, _ engine: inout Engine) -> String? {
    do throws(CommandError) {
      try engine.apply(command)
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// The error of setting a value, if any.
  private static func refusal(of value: Value, for key: String, _ engine: inout Engine) -> String? {
    do throws(PropertyError) {
      try engine.set(key, of: "c", to: value)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private static func difference(_ a: any Control, _ b: any Control) -> String? {
    isSame(a, b) ? nil : "\n\(a)\n\(b)"
  }

  private static func isSame(_ a: any Control, _ b: any Control) -> Bool {
    guard let a = a as? any Hashable, let b = b as? any Hashable else { return false }
    return AnyHashable(a) == AnyHashable(b)
  }

  private static func picture(of control: any Control, at now: Instant) -> DisplayList {
    var list = DisplayList()
    control.draw(into: &list, in: DrawingContext(now: now, font: Font("sans-serif")))
    return list
  }
}

extension JSONValue {
  /// Whether a file reads it differently: as a template in braces, or as an image, which the random
  /// files take from lists.
  fileprivate var isMoreInFiles: Bool {
    switch self {
    case .string(let text): text.contains("{") || text.hasSuffix(".png")
    case .array(let items): items.contains(where: \.isMoreInFiles)
    case .object(let members): members.contains { $0.value.isMoreInFiles }
    default: false
    }
  }
}

extension Description {
  fileprivate func bindings(of property: String) -> Template? {
    pages.flatMap(\.controls).first { $0.id == "c" }?.bindings[property]
  }
}

/// The location of a key in a control as JSON, whether or not it is present.
private struct KeyLocation {
  var name: String
  var key: Keys.Declaration
  /// The path of lists and indices to the object.
  var path: [(list: String, index: Int)] = []

  /// All variable keys, including keys of items.
  static func all(
    in object: JSONValue, _ keys: Keys, prefix: String = "", path: [(list: String, index: Int)] = []
  ) -> [KeyLocation] {
    var places: [KeyLocation] = []
    for key in keys.all {
      if key.role == .variable {
        places.append(KeyLocation(name: prefix + key.name, key: key, path: path))
      }
      guard let items = object[key.name]?.items, let objects = key.objects?() else { continue }
      for (index, item) in items.enumerated() where item.type == "object" {
        let own = item["id"]?.text ?? "\(prefix)\(index)"
        places += all(
          in: item, objects, prefix: "\(item["id"]?.string ?? own).",
          path: path + [(key.name, index)])
      }
    }
    return places
  }

  /// The value at this location, if any.
  func value(in object: JSONValue) -> JSONValue? {
    path.reduce(Optional(object)) { $0?[$1.list]?.items[$1.index] }?[key.name]
  }

  /// The control with another value at this location.
  func replacing(_ value: JSONValue, in object: JSONValue) -> JSONValue {
    replacing(value, in: object, path[...])
  }

  private func replacing(
    _ value: JSONValue, in object: JSONValue, _ path: ArraySlice<(list: String, index: Int)>
  ) -> JSONValue {
    let (name, new): (String, JSONValue)
    if let (list, index) = path.first {
      var items = object[list]?.items ?? []
      items[index] = replacing(value, in: items[index], path.dropFirst())
      (name, new) = (list, .array(items))
    } else {
      (name, new) = (key.name, value)
    }
    var members = object.members
    if let place = members.firstIndex(where: { $0.name == name }) {
      members[place].value = new
    } else {
      members.append(.init(name, new))
    }
    return .object(members)
  }
}
