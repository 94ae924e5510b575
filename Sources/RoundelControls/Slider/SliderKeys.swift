// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelJSON

/// The keys of a ring or bar for its numbers.
struct SliderKeys {
  private let scale: ScaleKeys
  private let value: Key<Double?>
  private let low: Key<Double?>
  private let high: Key<Double?>
  private let gap: Key<Double>
  private let interactive: Key<Bool>
  private let grab: Key<Slider.Grab>

  /// Declares the keys. `track` is the word for the part that fingers drag along.
  init<Root: SliderControl>(
    _ keys: inout Keys, of root: Root.Type, _ track: String
  ) {
    scale = ScaleKeys(
      &keys, isDefault: true, at: \Root.slider.minimum, \Root.slider.maximum,
      \Root.slider.numberStep)
    value = keys.optional(
      "value", .scaleNumber.as(.state), "The initial number. The default is the minimum.",
      at: \Root.slider.firstValue)
    low = keys.optional(
      "low", .scaleNumber.as(.state),
      "The initial lower number of two, instead of `value`. The default is the minimum, with `high`.",
      at: \Root.slider.firstLow)
    high = keys.optional(
      "high", .scaleNumber.as(.state),
      "The initial higher number of two, instead of `value`. The default is the maximum, with `low`.",
      at: \Root.slider.firstHigh)
    gap = keys.optional(
      "min_gap", .number(0...1e12), default: 0,
      "The minimum distance of `low` and `high`. A finger stops there, and a `set` moves the other number.",
      at: \Root.slider.minimumGap)
    interactive = keys.optional(
      "interactive", .flag, default: true, "Whether fingers can drag the value along the \(track).",
      at: \Root.slider.isInteractive)
    grab = keys.optional(
      "grab", .choice([track: Slider.Grab.track, "knob": .knob]), default: .string(track),
      "The area where a finger grabs the value: the complete \(track), or only near the knob.",
      at: \Root.slider.grab)
    keys.optional(
      "tap", .flag, default: true, "Whether a tap on the \(track) sets the value.",
      at: \Root.slider.takesTaps)
    keys.optional(
      "hold", .number(0...10, "seconds"), default: 0,
      "Seconds a finger must rest before the value follows it.", at: \Root.slider.hold)
    keys.optional(
      "marker", .scaleNumber,
      "The actual value, shown as a mark next to the chosen value. By default, there is no mark.",
      at: \Root.slider.marker)
    keys.optional(
      "bands", Self.band.form.list(atMost: 100, "bands"),
      "The coloured parts of the scale, starting at the minimum. They are paler beyond the value, unless a needle or a knob marks the value.",
      at: \Root.slider.explicitBands)
    keys.rule { (control: Root) throws(Conflict) in try Self.check(control.slider) }
  }

  /// Declares the lines. `place` says where they are.
  static func declareTicks<Root: SliderControl>(
    _ keys: inout Keys, of root: Root.Type, _ place: String
  ) {
    keys.optional(
      "ticks", .ticks,
      "Lines \(place), at the multiples of a number, or a map with labels. By default, there are no lines.",
      at: \Root.slider.ticks)
  }

  /// Returns the numbers of the file, or nil after reporting errors.
  func slider(_ fields: Fields) -> Slider? {
    guard let standard = Scale(from: 0, to: 100) else { return nil }
    let numbers = scale.numbers(fields)
    let isPair = fields.isGiven(low) || fields.isGiven(high)
    if let numbers {
      if fields.hasError(in: value, numbers) { return nil }
      if fields.hasError(in: low, numbers) || fields.hasError(in: high, numbers) { return nil }
    }
    if isPair, fields.isGiven(value) {
      return fields.error(
        "\"value\" together with \"low\" or \"high\"", at: value, expected: "only one of them")
    }
    let file = fields.reader.controlFile
    // A gap that exceeds the range is reported by its rule.
    let range = numbers.map { $0.maximum - $0.minimum } ?? .infinity
    if let low = fields[low], let high = fields[high], file.isWritten("low"),
      file.isWritten("high"), fields[gap] <= range || low > high,
      high - low < fields[gap] - abs(fields[gap]) * 1e-9
    {
      return fields.error(
        low <= high
          ? "\"low\" and \"high\" are less than \"min_gap\" apart: \(low.brief) and \(high.brief)"
          : "\"low\" is above \"high\": \(low.brief) and \(high.brief)", at: self.low,
        expected: low <= high
          ? "a distance of at least \(fields[gap].brief)" : "at most \(high.brief)")
    }
    return Slider(scale: numbers ?? standard, isPair: isPair)
  }

  func checkTargets<T>(
    _ what: String, size: Size, knob: Double, _ fields: Fields, at key: Key<T>
  ) {
    guard fields[interactive] else { return }
    fields.target(what, size: size, at: key)
    if fields[grab] == .knob { fields.target("the knob", size: .square(knob), at: grab) }
  }

  private static func check(_ slider: Slider) throws(Conflict) {
    let numbers = try Scale(checking: slider.minimum, slider.maximum, slider.numberStep)
    let range = numbers.maximum - numbers.minimum
    if slider.isPair {
      let last =
        slider.numberStep == nil ? range : numbers.value(at: numbers.lastIndex) - numbers.minimum
      guard slider.minimumGap <= last * (1 + 1e-12) else {
        throw Conflict(
          "\"min_gap\" is larger than the range: \(slider.minimumGap.brief)", at: "min_gap",
          expected: "at most \(last.brief)")
      }
    }
    var start = numbers.minimum
    for band in slider.bands {
      guard band.end > start, band.end <= numbers.maximum else {
        throw Conflict(
          "a band of \"bands\" ends at \(band.end.brief)", at: "bands",
          expected: "more than \(start.brief) and at most \(numbers.maximum.brief)")
      }
      start = band.end
    }
    guard let ticks = slider.ticks else { return }
    let limit = Double(ScaleTicks.maximumCount)
    for every in [ticks.every, ticks.labelEvery ?? range] where range / every > limit {
      throw Conflict(
        "there is no space for ticks every \(every.brief)", at: "ticks",
        expected: "at least \((range / limit).brief)")
    }
  }

  private static let band = Table<ScaleBand>("band", "A part of a scale.") { keys in
    keys.allowTemplates()
    let to = keys.required(
      "to", .scaleNumber, "The end of the band. A band starts at the end of the previous one.",
      at: \ScaleBand.end)
    let color = keys.required("color", .color, "The colour.", at: \ScaleBand.color)
    return { fields in ScaleBand(to: fields[to], color: fields[color]) }
  }

  fileprivate static let ticks = Table<ScaleTicks>("scale_ticks", "Lines along a scale.") {
    keys in
    keys.allowTemplates()
    let every = keys.required(
      "every", .tickDistance,
      "The distance between the values of two lines. Lines are at its multiples.")
    let labelEvery = keys.optional(
      "label_every", .tickDistance,
      "The distance between two numbered lines, which are at its multiples. By default, there are no numbers."
    )
    return { fields in ScaleTicks(every: fields[every], labelEvery: fields[labelEvery]) }
  }
}

extension Form where Value == Double {
  fileprivate static var tickDistance: Form { number(1e-9...1e12) }
}

extension Form where Value == ScaleTicks {
  fileprivate static var ticks: Form {
    Form<Double>.tickDistance.map { ScaleTicks(every: $0) }.or(SliderKeys.ticks.form)
  }
}
