// SPDX-License-Identifier: MIT

internal import Kiosk

/// The reference of recordings.
package enum RecordingReference {
  /// The text as Markdown, without a title and with a final line break.
  package static var text: String {
    """
    What fingers did and what was asked meanwhile, as `roundel record` writes it and `roundel replay` and `touch`
    read it: one JSON object a line, in order of time. `t` is seconds from the start, places are design pixels. A
    picture, a value and an event show the moment of their `t` exactly, at any frame rate.


    """ + lines.map { "- `\($0.example)`: \($0.summary)\n" }.joined() + """

      Commands stand in it as they do in a kiosk file, such as `{"t":1,"set":{"cups":3}}`:


      """ + CommandKind.remote.map { "- `\($0.name)`: \($0.summary)\n" }.joined()
  }

  /// A line of each kind, except commands.
  static let lines: [(example: String, summary: String)] = [
    (#"{"t":0,"down":{"finger":0,"x":640,"y":120}}"#, "A finger comes down."),
    (#"{"t":0.016,"move":{"finger":0,"x":650,"y":121}}"#, "It moves."),
    (#"{"t":0.08,"up":{"finger":0}}"#, "It is lifted."),
    (#"{"t":0.2,"cancel":{"finger":0}}"#, "It is taken away, as by the panel's sleep."),
    (#"{"t":0.1,"shot":"lit.png"}"#, "A picture of this moment, in a file of this name."),
    (#"{"t":1,"get":"minutes.value"}"#, "Asks for a property or a value."),
    (
      #"{"t":0,"size":[800,1280]}"#,
      "Of a kiosk with several sizes, the one whose pixels the places are in; without it, the first."
    ),
    (
      #"{"t":0,"clock":"2026-11-21T08:00:00"}"#,
      "Sets the wall clock, which runs on from there; without it a replay begins at 2000-01-01T00:00:00."
    ),
    (#"{"t":6,"end":true}"#, "The recording ends."),
  ]
}
