// SPDX-License-Identifier: MIT

internal import RoundelDeclarations

/// The reference of suite files, generated from the reader's tables.
package enum SuiteReference {
  /// Markdown without a title, ending with a line feed.
  package static var text: String {
    Table.suite.keys.reference + steps + expectations
  }

  private static var steps: String {
    var text = "\n### suite: steps\n\nA step is a map of one key.\n\n"
    text += Step.verbs.map(\.reference).joined()
    for verb in Step.verbs {
      if let keys = verb.form.objects?() {
        text += "\n### suite: \(keys.table)\n\n" + keys.reference
      }
    }
    return text
  }

  private static var expectations: String {
    """

    ### suite: expectations

    The arguments of `expect`. A value may be `{min: …, max: …}`, `{one_of: […]}` or `{not: …}`.

    - `{event: NAME}`: such an event arrives within `within` seconds. The default is 5.
    - `{no_event: NAME}`: no such event arrives for `during` seconds. The default is 0.3.
    - `{events: […]}`: these events arrive in this order, with or without others between
      them, within `within` seconds. The default is 5.
    - `{exactly: […]}`: these events arrive, and no others. `left` and `returned` don't count
      unless the list names one of them.
    - `{CONTROL.PROPERTY: value}`, `{VALUE: value}`, `{page: NAME}`: the state is reached within
      `within` seconds. The default is 0.
    - `{that: EXPRESSION}`: the expression becomes true within `within` seconds. The default is 0.

    Events can also be distinguished by \(EventPattern.fields.map { "`\($0)`" }.joined(separator: ", ")). \
    `any` stands for every event.

    ### suite: picture


    """ + PictureExpectation.table.keys.reference
  }
}
