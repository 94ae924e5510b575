// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelExpressions
internal import Kiosk

extension Table where Value == Reaction {
  fileprivate static let reaction = Table(
    "reaction", "Actions that run when a condition becomes true."
  ) { keys in
    let condition = keys.required(
      "when", .condition,
      "An expression. It is evaluated when its inputs have changed, after all pending assignments. Undefined counts as false."
    )
    let actions = keys.required(
      "do", Form<[Action]>.action.list("actions"),
      "The actions to run when the condition becomes true.")
    return { fields in Reaction(when: fields[condition], do: fields[actions].flatMap(\.self)) }
  }
}

extension Form where Value == Condition {
  fileprivate static var condition: Form {
    Form(
      "an expression", schema: { _ in ["type": ["string", "boolean"]] },
      read: { node, reader in reader.kiosk.condition(node) })
  }
}

extension Form where Value == [Reaction] {
  static var reactions: Form { Table<Reaction>.reaction.form.list("reactions") }
}
