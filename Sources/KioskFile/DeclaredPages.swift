// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelExpressions
internal import Kiosk

/// The pages and controls of a kiosk file by name, even if they have errors.
struct DeclaredPages {
  private(set) var marks: [String: Mark] = [:]
  private(set) var names: [String] = []
  /// The names of pages over others.
  private(set) var overlays: Set<String> = []
  private(set) var controls: [DeclaredControl] = []
  private var places: [String: (index: Int, mark: Mark)] = [:]

  var nodes: [String: Node] { places.compactMapValues { controls[$0.index].node } }

  /// Returns the first control with an id.
  subscript(id: String) -> DeclaredControl? { places[id].map { controls[$0.index] } }

  /// Returns the location of an earlier page with the same name.
  mutating func add(page name: String, isOver: Bool, at mark: Mark) -> Mark? {
    if let first = marks[name] { return first }
    if isOver { overlays.insert(name) }
    marks[name] = mark
    names.append(name)
    return nil
  }

  /// Adds even a duplicate, which may have other errors. Returns an earlier control's location.
  mutating func add(_ control: DeclaredControl, at mark: Mark) -> Mark? {
    controls.append(control)
    if let first = places[control.id] { return first.mark }
    places[control.id] = (controls.count - 1, mark)
    return nil
  }
}

/// A control of a kiosk file, possibly with errors.
struct DeclaredControl {
  var id: String
  /// Nil if the type is unknown.
  var type: ControlType?
  /// Nil if the control has errors.
  var control: (any Control)?
  /// The node, with templates replaced by values.
  var node: Node?
  /// The values of the keys, or nil if the type is unknown.
  var source: Declaration?
  var items: [Item] = []
  var bindings: [Binding] = []

  var events: [EventType] {
    let events = type?.events ?? []
    return control?.isSecret == true ? events.map(\.ofSecret) : events
  }

  /// A part with an id, such as a wedge.
  struct Item {
    var id: String
    var events: [String]
    var actions: Node?
    var spoken: Node?
    var language: String?
  }

  struct Binding {
    var property: String
    var template: Template
    var key: Keys.Declaration
    var mark: Mark
  }
}
