// SPDX-License-Identifier: MIT

public import RoundelControls

/// A control of the program in a page. It may report any event.
public struct Own: Element {
  /// The id and the keys of the part.
  public var part: Part

  /// Places a control, whose id must be unique in the kiosk. The keys `enabled`, `visible`,
  /// `always` and `spoken` have the same meaning as in kiosk files.
  public init(
    _ id: String, _ control: any Control, enabled: (any Setting)? = nil,
    visible: (any Setting)? = nil, always: (any Setting)? = nil, spoken: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      own: control, id,
      ["enabled": enabled, "visible": visible, "always": always, "spoken": spoken],
      Site(file: fileID, line: line, column: column))
  }
}
