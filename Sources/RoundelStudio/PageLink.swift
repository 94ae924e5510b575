// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelExpressions
internal import RoundelGeometry
internal import JSONRPC
internal import Kiosk

/// A link between pages, according to the kiosk file.
struct PageLink: Hashable, JSONRecord {
  /// The starting page, or nil for a link from any page.
  var from: String?
  var to = ""
  /// The trigger in words.
  var cause = ""

  static let members: [Member<Self>] = [
    .nullable("from", \.from, .text), .required("to", \.to, .text),
    .required("cause", \.cause, .text),
  ]
}

extension Description {
  /// Excludes the destinations of expressions and of `back`, which are unknown in advance.
  var pageLinks: [PageLink] {
    var found: [PageLink] = []
    func add(_ name: String?, from page: String?, _ cause: String) {
      guard let name else { return }
      // A page with the name of such a word takes precedence.
      let named = pages.first { $0.name == name } ?? (name == "home" ? pages.first : nil)
      guard let to = named?.name, to != page else { return }
      found.append(PageLink(from: page, to: to, cause: cause))
    }
    func add(_ actions: [Action], from page: String?, _ cause: String) {
      for case .value(.text(let name))? in actions.map(\.page) { add(name, from: page, cause) }
    }
    func add(_ actions: [String: [Action]], from page: String?, _ subject: String) {
      for (event, actions) in actions.sorted(by: { $0.key < $1.key }) {
        add(actions, from: page, "\(subject): \(event)")
      }
    }
    add(actions, from: nil, "the kiosk")
    func add(_ keys: [Keysym: [Action]], from page: String?) {
      for (symbol, actions) in keys.sorted(by: { $0.key.code < $1.key.code }) {
        add(actions, from: page, "the key \(symbol.name)")
      }
    }
    add(keys, from: nil)
    for reaction in reactions { add(reaction.actions, from: nil, "\(reaction)") }
    for page in pages {
      for control in page.controls {
        add(control.actions, from: page.name, control.id)
        for (item, actions) in control.itemActions.sorted(by: { $0.key < $1.key }) {
          add(actions, from: page.name, "\(control.id)/\(item)")
        }
      }
      add(page.actions, from: page.name, "the page")
      add(page.keys, from: page.name)
      for reaction in page.reactions { add(reaction.actions, from: page.name, "\(reaction)") }
      for direction in Direction.allCases {
        add(page.swipe[direction], from: page.name, "a swipe \(direction.rawValue)")
      }
    }
    return found
  }
}
