// SPDX-License-Identifier: MIT

internal import Declarations

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

    What `expect` takes. A value may be `{min: …, max: …}`, `{one_of: […]}` or `{not: …}`.

    - `{event: NAME}`: an event like this comes within `within` seconds; 5.
    - `{no_event: NAME}`: none comes for `during` seconds; 0.3.
    - `{events: […]}`: these come in this order, with or without others between
      them, within `within` seconds; 5.
    - `{exactly: […]}`: these come, and no others.
    - `{CONTROL.PROPERTY: value}`, `{VALUE: value}`, `{page: NAME}`: it is so within `within`
      seconds; 0.
    - `{that: EXPRESSION}`: it holds within `within` seconds; 0.

    Events are also told apart by \(EventPattern.fields.map { "`\($0)`" }.joined(separator: ", ")). \
    `any` stands for every event.

    ### suite: picture


    """ + PictureExpectation.table.keys.reference
  }
}
