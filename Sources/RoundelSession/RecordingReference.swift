// SPDX-License-Identifier: MIT

internal import Kiosk

package enum RecordingReference {
  /// Markdown, without a title and with a final line break.
  package static var text: String {
    """
    A recording contains touches and requests. `roundel record` writes it, and `roundel replay` and `roundel touch`
    read it. Each line is a JSON object, in chronological order. `t` is in seconds since the start, and positions are
    in design pixels. Pictures, values and events belong exactly to their time `t`, at any frame rate.


    """ + lines.map { "- `\($0.example)`: \($0.summary)\n" }.joined() + """

      Commands are written like in a kiosk file, such as `{"t":1,"set":{"cups":3}}`:


      """ + CommandKind.remote.map { "- `\($0.name)`: \($0.summary)\n" }.joined()
  }

  static let lines: [(example: String, summary: String)] = [
    (#"{"t":0,"down":{"finger":0,"x":640,"y":120}}"#, "A finger touches the panel."),
    (#"{"t":0.016,"move":{"finger":0,"x":650,"y":121}}"#, "The finger moves."),
    (#"{"t":0.08,"up":{"finger":0}}"#, "The finger is lifted."),
    (
      #"{"t":0.2,"cancel":{"finger":0}}"#,
      "The touch is cancelled, for example because the panel starts to sleep."
    ),
    (#"{"t":0.1,"shot":"lit.png"}"#, "Takes a picture at this time, and writes it to this file."),
    (#"{"t":1,"get":"minutes.value"}"#, "Asks for a property or a value."),
    (
      #"{"t":0,"size":[800,1280]}"#,
      "The design size of the positions, for a kiosk with several sizes. The default is the first size."
    ),
    (
      #"{"t":0,"clock":"2026-11-21T08:00:00"}"#,
      "Sets the wall clock, which continues from there. By default, a replay starts at 2000-01-01T00:00:00."
    ),
    (#"{"t":6,"end":true}"#, "The recording ends."),
  ]
}
