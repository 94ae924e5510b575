// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelJSON
internal import Kiosk
internal import KioskFile

package struct ActionList: Sendable {
  package var cause: String
  /// The path from the owner, even if the list doesn't exist yet.
  package var path: [KeyOwner.Step]
  package var actions: [ActionState]
  /// The condition, or nil for an event.
  package var condition: KeyState?
}

package struct ActionState: Sendable {
  /// The command, or an empty string.
  package var command: String
  /// The keys of its map, starting with the command.
  package var keys: [KeyState]
  /// The keys of the command's map, such as the values of `set`, or nil without a map.
  package var fields: [KeyState]?
  package var moreFields: [String]
}

extension LanguageService {
  package static let commands = CommandKind.actions.map(\.name)

  private static let reactions = "reactions"

  /// Returns actions by event and by reaction.
  package func actions(of owner: KeyOwner, in kiosk: String) throws(EditRefusal) -> [ActionList] {
    let owner = try found(owner, kiosk)
    let schema = owner.document.kind.schema
    let draft = draft(owner.document)
    var lists: [ActionList] = []
    if owner.choices.contains(where: { $0.keys.contains { $0.name == "on" } }),
      owner.node["on"]?.isOwn ?? true
    {
      let on = owner.node["on"] ?? SyntaxNode(.map([], isFlow: true), 0..<0)
      let choices = schema.values(of: "on", in: owner.choices, on)
      var seen: Set<String> = []
      for event in choices.flatMap(\.keys).map(\.name) where seen.insert(event).inserted {
        let list = on[event] ?? SyntaxNode(.list([], isFlow: true), 0..<0)
        guard list.isOwn else { continue }
        let all = schema.values(of: event, in: choices, list)
        lists.append(
          ActionList(
            cause: event, path: [.key("on"), .key(event)],
            actions: list.items.map { action($0, all, owner, draft) }))
      }
    }
    let reactions = schema.values(
      of: Self.reactions, in: owner.choices, owner.node[Self.reactions] ?? .nothing(at: 0))
    for (index, reaction) in (owner.node[Self.reactions]?.items ?? []).enumerated() {
      guard let list = reaction["do"], list.isOwn else { continue }
      var own = owner
      own.node = reaction
      own.choices = schema.items(of: reactions, reaction)
      let choices = schema.values(of: "do", in: own.choices, list)
      lists.append(
        ActionList(
          cause: "when \(reaction["when"]?.text ?? "")",
          path: [.key(Self.reactions), .index(index), .key("do")],
          actions: list.items.map { action($0, choices, owner, draft) },
          condition: condition(of: own)))
    }
    return lists
  }

  private func condition(of reaction: Owner) -> KeyState? {
    for choice in reaction.choices {
      if let key = choice.keys.first(where: { $0.name == "when" }) {
        return state(of: key, choice, reaction)
      }
    }
    return nil
  }

  package func mayReact(_ owner: KeyOwner, in kiosk: String) -> Bool {
    (try? found(owner, kiosk))?.choices.contains { choice in
      choice.keys.contains { $0.name == Self.reactions }
    } ?? false
  }

  private func action(
    _ node: SyntaxNode, _ lists: [Schema.Choice], _ owner: Owner, _ draft: KioskDraft?
  ) -> ActionState {
    var own = owner
    own.node = node
    own.choices = owner.document.kind.schema.items(of: lists, node)
    let command = node.pairs.lazy.compactMap(\.key.text).first { Self.commands.contains($0) }
    var seen: Set<String> = []
    var keys: [KeyState] = []
    for choice in own.choices {
      for key in choice.keys
      where (key.name == command || Self.conditions.contains(key.name))
        && seen.insert(key.name).inserted
      {
        var state = state(of: key, choice, own)
        if key.name == command, case .text = state.input {
          state.input = .text(likely(command, owner, draft))
        }
        keys.append(state)
      }
    }
    keys.sort { ($0.name == command ? 0 : 1) < ($1.name == command ? 0 : 1) }
    let argument = command.flatMap { node[$0] }
    let fields = argument?.isMap == true ? argument?.pairs : nil
    return ActionState(
      command: command ?? "", keys: keys,
      fields: fields?.compactMap { pair in
        pair.key.text.map {
          KeyState(
            name: $0, input: .any, written: owner.document.source[pair.value.range],
            text: pair.value.text, isRequired: false)
        }
      },
      moreFields: command == CommandKind.set.name
        ? draft.map { draft in
          draft.valueNames + ["language"]
            + draft.controls.flatMap { own in draft.properties(of: own.id).map { "\(own.id).\($0)" }
            }
        } ?? [] : [])
  }

  private static let conditions: Set = ["when", "after"]

  private func likely(_ command: String?, _ owner: Owner, _ draft: KioskDraft?) -> [String] {
    guard let kind = command.flatMap({ CommandKind.named($0) }), let draft else { return [] }
    if kind.name == "play" {
      return workspace.fileNames(near: owner.document.path, endings: [".wav"])
    }
    return arguments(of: kind, draft).map(\.label)
  }

  // MARK: Changes

  package func edits(
    adding command: String, toActions path: [KeyOwner.Step], of owner: KeyOwner, in kiosk: String
  ) throws(EditRefusal) -> (path: String, edits: [TextEdit]) {
    var place = try found(owner, kiosk)
    var element = "{\(try written(command, place))}"
    // Adds missing maps and lists, too.
    var rest = path[...]
    while rest.count > 1 {
      guard case .key(let key) = rest[rest.startIndex] else {
        place = try found(.part(of: owner, path: Array(path[...rest.startIndex])), kiosk)
        rest = rest.dropFirst()
        continue
      }
      guard let value = place.node[key], !value.isNothing else {
        let inner = rest.dropFirst().reversed().reduce("[\(element)]") { text, step in
          if case .key(let name) = step { "{\(name): \(text)}" } else { text }
        }
        element = inner
        guard let pair = place.node.pair(key) else {
          return (place.document.path, [addition(key, element, to: place)])
        }
        let end = pair.value.range.lowerBound
        return (place.document.path, [TextEdit(end..<end, " \(element)")])
      }
      place = try found(.part(of: owner, path: Array(path[...rest.startIndex])), kiosk)
      rest = rest.dropFirst()
    }
    guard case .key(let key)? = rest.first else {
      throw EditRefusal("the key is not a list of actions")
    }
    return try edits(adding: element, to: key, of: place)
  }

  /// Appends a reaction, whose condition is false until the author changes it.
  package func edits(
    addingReaction command: String, to owner: KeyOwner, in kiosk: String
  ) throws(EditRefusal) -> (path: String, edits: [TextEdit]) {
    let place = try found(owner, kiosk)
    return try edits(
      adding: "{when: \"false\", do: [{\(try written(command, place))}]}", to: Self.reactions,
      of: place)
  }

  package func edits(
    choosing command: String, for action: KeyOwner, in kiosk: String
  ) throws(EditRefusal) -> (path: String, edits: [TextEdit]) {
    let owner = try found(action, kiosk)
    let new = try written(command, owner)
    guard let old = owner.node.pairs.first(where: { Self.commands.contains($0.key.text ?? "") })
    else { throw EditRefusal("the element is not an action") }
    guard old.key.text != command else { return (owner.document.path, []) }
    return (owner.document.path, [TextEdit(old.range, new)])
  }

  /// Writes a command with its first likely argument.
  private func written(_ command: String, _ owner: Owner) throws(EditRefusal) -> String {
    guard let kind = CommandKind.named(command), Self.commands.contains(command) else {
      throw EditRefusal("there is no action \(command.quoted)")
    }
    let argument: String
    switch kind.name {
    case CommandKind.set.name:
      guard let name = draft(owner.document)?.valueNames.first else {
        throw EditRefusal("the kiosk has no values; add values in the source")
      }
      // The action doesn't change the value.
      argument = "{\(name): \"{\(name)}\"}"
    case "run": argument = "[\"true\"]"
    case "emit": argument = "done"
    case "publish": argument = "{mqtt: topic}"
    case "call": argument = "{home: light.toggle}"
    case "notify": argument = "{text: Message}"
    case "blank", "wake": argument = "true"
    default:
      guard let first = likely(command, owner, draft(owner.document)).first else {
        throw EditRefusal("the kiosk has no target for \(command.quoted)")
      }
      argument = KeyValue.text(first).written(in: nil)
    }
    return "\(command): \(argument)"
  }
}

extension SyntaxNode {
  /// Whether the node is neither an alias nor an included file.
  fileprivate var isOwn: Bool {
    if case .alias = content { return false }
    return self["include"] == nil
  }

  fileprivate var isNothing: Bool { if case .nothing = content { true } else { false } }
}
