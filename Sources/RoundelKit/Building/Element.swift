// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations

/// A part of a kiosk: a page, a control, an item of a control, a value and so on.
public protocol Element {
  /// The part's keys, content, actions and closures.
  var part: Part { get set }
}

/// The keys, the content, the actions and the closures of an element.
public struct Part {
  var tree: PartTree
  private var handlers: [Handlers.Entry] = []
  private let contentHandlers: [Handlers.Entry]
  /// The program's own controls in the part, by id.
  let own: [(id: String, control: any Control)]

  init(
    _ kind: String, name: String? = nil, _ keys: KeyValuePairs<String, (any Setting)?>,
    _ content: [any Element], _ site: Site
  ) {
    let content = content.map(\.part)
    tree = PartTree(
      kind: kind, name: name,
      keys: keys.compactMap { key, setting in
        setting.map { KioskValue.Member(key, $0.kioskValue) }
      }, content: content.map(\.tree), site: site)
    own = content.flatMap(\.own)
    let id = tree.isControl ? tree.id : nil
    contentHandlers = content.flatMap { part in
      part.allHandlers.map { id.map($0.inside) ?? $0 }
    }
  }

  init(
    own control: any Control, _ id: String, _ keys: KeyValuePairs<String, (any Setting)?>,
    _ site: Site
  ) {
    tree = PartTree(
      kind: PartTree.ownKind(id), name: nil,
      keys: [KioskValue.Member(PartTree.ownKind(id), .text(id))]
        + keys.compactMap { key, setting in
          setting.map { KioskValue.Member(key, $0.kioskValue) }
        }, content: [], site: site)
    contentHandlers = []
    own = [(id, control)]
  }

  var id: String? { tree.id }

  mutating func add(_ handler: Handlers.Entry) { handlers.append(handler) }

  var allHandlers: [Handlers.Entry] {
    let own: (Handlers.Entry) -> Handlers.Entry =
      if tree.isControl {
        { $0.of(.control(id ?? "")) }
      } else if tree.kind == "page" {
        { $0.of(.page(id ?? "")) }
      } else {
        { $0.of(.item(id ?? "")) }
      }
    return handlers.map(own) + contentHandlers
  }
}

/// A part of a kiosk without its closures.
struct PartTree: Sendable {
  /// The kind of part, as in the reference of kiosk files, such as `wedge`.
  let kind: String
  /// The name in a map of its parent, such as a value's.
  let name: String?
  fileprivate let keys: [KioskValue.Member]
  fileprivate let content: [PartTree]
  fileprivate let site: Site
  fileprivate var actions: [(event: String, actions: [Action])] = []

  fileprivate init(
    kind: String, name: String?, keys: [KioskValue.Member], content: [PartTree], site: Site
  ) {
    self.kind = kind
    self.name = name
    self.keys = keys
    self.content = content
    self.site = site
  }

  fileprivate var id: String? { keys.first?.value.text }

  /// The kind of a program's own control.
  static func ownKind(_ id: String) -> String { "own_\(id)" }

  fileprivate var isControl: Bool { Self.isControl(kind) }

  fileprivate static func isControl(_ kind: String) -> Bool {
    controlKinds.contains(kind) || kind.hasPrefix("own_")
  }
}

/// A location in a program's source.
struct Site: Sendable {
  var file: String
  var line: Int
  var column: Int
}

/// Lists elements on successive lines, with `if` and `for`.
@resultBuilder
public enum ContentBuilder {
  /// Lists one element.
  public static func buildExpression(_ element: any Element) -> [any Element] { [element] }
  /// Lists several elements.
  public static func buildExpression(_ elements: [any Element]) -> [any Element] { elements }
  /// Concatenates lists.
  public static func buildBlock(_ parts: [any Element]...) -> [any Element] {
    parts.flatMap(\.self)
  }
  /// Returns the list of an `if`, or an empty one.
  public static func buildOptional(_ part: [any Element]?) -> [any Element] { part ?? [] }
  /// Returns the list of the first branch.
  public static func buildEither(first part: [any Element]) -> [any Element] { part }
  /// Returns the list of the other branch.
  public static func buildEither(second part: [any Element]) -> [any Element] { part }
  /// Concatenates the lists of a `for`.
  public static func buildArray(_ parts: [[any Element]]) -> [any Element] { parts.flatMap(\.self) }
}

extension Element {
  /// Runs actions for an event, such as `selected`, like `on` in a kiosk file.
  public func on(_ event: String, _ actions: Action...) -> Self {
    var element = self
    element.part.tree.actions.append((event, actions))
    return element
  }

  /// Calls a closure for each event with this name. A thrown error becomes a `failed` event.
  public func on(
    _ event: String, fileID: String = #fileID, line: Int = #line, column: Int = #column,
    _ handler: @escaping (Event, Session) throws -> Void
  ) -> Self {
    var element = self
    element.part.add(
      Handlers.Entry(
        event: event, site: Site(file: fileID, line: line, column: column), handle: handler))
    return element
  }
}

/// An action of a kiosk, as in a kiosk file.
public struct Action: Sendable, Setting {
  fileprivate var value: KioskValue

  /// The action as a map.
  public var kioskValue: KioskValue { value }

  /// Creates an action by its name in kiosk files and its argument, such as `("spin", "dinner")`.
  public init(_ name: String, _ argument: some Setting) {
    value = .map([.init(name, argument.kioskValue)])
  }

  /// Shows a page.
  public static func go(_ page: String) -> Action { Action("go", page) }

  /// Sets values, properties or the language.
  public static func set(_ values: Map) -> Action { Action("set", values) }

  /// Reports an event with fields.
  public static func emit(_ name: String, _ fields: Map = [:]) -> Action {
    guard case .map(let members) = fields.kioskValue, !members.isEmpty else {
      return Action("emit", name)
    }
    return Action("emit", KioskValue.map([.init("name", .text(name))] + members))
  }

  /// Returns the action with a condition.
  public func when(_ condition: String) -> Action { with("when", .text(condition)) }

  /// Returns the action with a delay in seconds.
  public func after(_ seconds: Double) -> Action { with("after", .number(seconds)) }

  private func with(_ key: String, _ setting: KioskValue) -> Action {
    guard case .map(let members) = value else { return self }
    var action = self
    action.value = .map(members + [.init(key, setting)])
    return action
  }
}

// MARK: The tree

/// Writes parts as the tree of a kiosk file.
struct TreeBuilder {
  let reader: Reader
  /// The virtual file that names of other files are relative to.
  let base: String
  private var files: [String: Int] = [:]

  init(_ reader: Reader, base: String) {
    self.reader = reader
    self.base = base
  }

  private mutating func mark(_ site: Site) -> Mark {
    let file: Int
    if let known = files[site.file] {
      file = known
    } else {
      file = reader.add(file: site.file, relativeTo: base)
      files[site.file] = file
    }
    return Mark(file: file, line: site.line, column: site.column)
  }

  mutating func node(_ part: PartTree) -> Node {
    let mark = mark(part.site)
    var pairs = part.keys.map {
      Node.Pair(key: $0.name, keyMark: mark, value: Node($0.value.json, at: mark))
    }
    for child in part.content {
      guard let slot = PartTree.slot(of: child.kind, in: part.kind) else {
        reader.report(
          "a \(child.kind) inside a \(part.kind)", at: self.mark(child.site),
          expected: PartTree.expectedContent(of: part.kind))
        continue
      }
      add(child, slot, to: &pairs, at: mark)
    }
    if !part.actions.isEmpty {
      var events: [Node.Pair] = []
      for (event, actions) in part.actions {
        let list = actions.map { Node($0.value.json, at: mark) }
        if let index = events.firstIndex(where: { $0.key == event }) {
          events[index].value = Node(.list(events[index].value.items + list), at: mark)
        } else {
          events.append(Node.Pair(key: event, keyMark: mark, value: Node(.list(list), at: mark)))
        }
      }
      pairs.append(Node.Pair(key: "on", keyMark: mark, value: Node(.map(events), at: mark)))
    }
    return Node(.map(pairs), at: mark)
  }

  private mutating func add(
    _ child: PartTree, _ slot: PartTree.Slot, to pairs: inout [Node.Pair], at mark: Mark
  ) {
    let value = node(child)
    let index = pairs.firstIndex { $0.key == slot.key }
    switch slot.shape {
    case .single:
      pairs.append(Node.Pair(key: slot.key, keyMark: value.mark, value: value))
    case .list:
      let items = index.map { pairs[$0].value.items } ?? []
      let list = Node(.list(items + [value]), at: mark)
      if let index {
        pairs[index].value = list
      } else {
        pairs.append(Node.Pair(key: slot.key, keyMark: mark, value: list))
      }
    case .map:
      let own = Node.Pair(key: child.name ?? "", keyMark: value.mark, value: value)
      let members = index.map { pairs[$0].value.pairs } ?? []
      let map = Node(.map(members + [own]), at: mark)
      if let index {
        pairs[index].value = map
      } else {
        pairs.append(Node.Pair(key: slot.key, keyMark: mark, value: map))
      }
    }
  }
}

extension PartTree {
  /// The key of a parent that contains a kind of part.
  struct Slot: Sendable {
    enum Shape: Sendable {
      case single, list, map
    }

    let key: String
    let shape: Shape
  }

  static func slot(of kind: String, in parent: String) -> Slot? {
    let slots = parents[parent]
    return slots?[kind] ?? (isControl(kind) ? slots?["control"] : nil)
  }

  static func expectedContent(of kind: String) -> String {
    guard let slots = parents[kind], !slots.isEmpty else { return "nothing inside a \(kind)" }
    return slots.keys.sorted().joined(separator: ", ")
  }
}
