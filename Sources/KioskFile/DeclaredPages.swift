// SPDX-License-Identifier: MIT

internal import Controls
internal import Declarations
internal import Expressions
internal import Kiosk

/// The pages and controls of a kiosk file by their names, those with mistakes included.
struct DeclaredPages {
  private(set) var marks: [String: Mark] = [:]
  private(set) var names: [String] = []
  private(set) var controls: [DeclaredControl] = []
  private var places: [String: (index: Int, mark: Mark)] = [:]

  /// The nodes of controls, by id.
  var nodes: [String: Node] {
    places.compactMapValues { controls[$0.index].node }
  }

  /// The first control with an id; nil for none.
  subscript(id: String) -> DeclaredControl? { places[id].map { controls[$0.index] } }

  /// Adds a page, and returns the place of another one of its name.
  mutating func add(page name: String, at mark: Mark) -> Mark? {
    if let first = marks[name] { return first }
    marks[name] = mark
    names.append(name)
    return nil
  }

  /// Adds a control, and returns the place of another one of its id. That one is kept, too: it may have mistakes of its
  /// own.
  mutating func add(_ control: DeclaredControl, at mark: Mark) -> Mark? {
    controls.append(control)
    if let first = places[control.id] { return first.mark }
    places[control.id] = (controls.count - 1, mark)
    return nil
  }
}

/// A control of a kiosk file, as far as it could be read.
struct DeclaredControl {
  var id: String
  /// Nil for one of no known type.
  var type: ControlType?
  /// Nil if it has mistakes of its own.
  var control: (any Control)?
  /// Its node, with values in place of templates.
  var node: Node?
  /// The values of its keys; nil for one of no known type.
  var source: Declaration?
  var items: [Item] = []
  var bindings: [Binding] = []

  var events: [EventType] {
    let events = type?.events ?? []
    return control?.isSecret == true ? events.map(\.ofSecret) : events
  }

  /// A part of a control that has an id, as a wedge has.
  struct Item {
    var id: String
    var events: [String]
    var actions: Node?
    var spoken: Node?
  }

  /// A property that follows a template.
  struct Binding {
    var property: String
    var template: Template
    var key: Keys.Declaration
    var mark: Mark
  }
}
