// SPDX-License-Identifier: MIT

// Generated from the tables of kiosk files by BuilderSchemaTests. Don't edit.
// swift-format-ignore-file

extension PartTree {
  static let controlKinds: Set = [
    "pinwheel", "dial", "menu", "slots", "picker", "resistor", "button", "label", "image", "timer",
    "ring", "toggle", "qr", "keypad", "list", "chart", "bar", "color",
  ]

  /// The slots of each kind of part, by the kind of the content.
  static let parents: [String: [String: Slot]] = [
    "kiosk": [
      "screen": Slot(key: "screen", shape: .single),
      "theme": Slot(key: "themes", shape: .map),
      "transition": Slot(key: "transition", shape: .single),
      "value": Slot(key: "values", shape: .map),
      "style": Slot(key: "styles", shape: .map),
      "speech": Slot(key: "speech", shape: .single),
      "page": Slot(key: "pages", shape: .list),
      "reaction": Slot(key: "reactions", shape: .list),
    ],
    "screen": [
      "scanner": Slot(key: "scanner", shape: .list),
    ],
    "value": [
      "value_source": Slot(key: "from", shape: .single),
      "value_target": Slot(key: "to", shape: .single),
    ],
    "page": [
      "backdrop": Slot(key: "background", shape: .single),
      "transition": Slot(key: "transition", shape: .single),
      "grid": Slot(key: "grid", shape: .single),
      "swipe": Slot(key: "swipe", shape: .single),
      "control": Slot(key: "controls", shape: .list),
      "reaction": Slot(key: "reactions", shape: .list),
    ],
    "pinwheel": [
      "highlight": Slot(key: "highlight", shape: .single),
      "blink": Slot(key: "blink", shape: .single),
      "wedge": Slot(key: "wedges", shape: .list),
    ],
    "dial": [
      "dial_label": Slot(key: "labels", shape: .list),
      "face": Slot(key: "background", shape: .single),
      "ticks": Slot(key: "ticks", shape: .single),
    ],
    "menu": [
      "menu_opening": Slot(key: "open", shape: .single),
      "menu_closing": Slot(key: "close", shape: .single),
      "menu_item": Slot(key: "items", shape: .list),
    ],
    "menu_item": [
      "menu_item": Slot(key: "items", shape: .list),
    ],
    "slots": [
      "reel": Slot(key: "reels", shape: .list),
    ],
    "reel": [
      "reel_item": Slot(key: "items", shape: .list),
    ],
    "picker": [
      "wheel": Slot(key: "wheels", shape: .list),
    ],
    "wheel": [
      "row": Slot(key: "items", shape: .list),
    ],
    "button": [
      "blink": Slot(key: "blink", shape: .single),
    ],
    "ring": [
      "band": Slot(key: "bands", shape: .list),
      "scale_ticks": Slot(key: "ticks", shape: .single),
    ],
    "list": [
      "list_row": Slot(key: "items", shape: .list),
    ],
    "bar": [
      "band": Slot(key: "bands", shape: .list),
      "scale_ticks": Slot(key: "ticks", shape: .single),
    ],
  ]
}

extension Kiosk {
  /// Creates a kiosk from parts. Throws if it has errors.
  ///
  /// Names of other files are relative to `folder`.
  public convenience init(
    _ name: String,
    roundel: (any Setting)? = nil, screen: (any Setting)? = nil, theme: (any Setting)? = nil,
    transition: (any Setting)? = nil, languages: (any Setting)? = nil, texts: (any Setting)? = nil,
    logic: (any Setting)? = nil, speech: (any Setting)? = nil, keys: (any Setting)? = nil,
    folder: String = "", fileID: String = #fileID, line: Int = #line, column: Int = #column,
    @ContentBuilder _ content: () -> [any Element]
  ) throws(KioskError) {
    try self.init(
      Part(
        "kiosk",
        [
          "kiosk": name,
          "roundel": roundel, "screen": screen, "theme": theme, "transition": transition,
          "languages": languages, "texts": texts, "logic": logic, "speech": speech, "keys": keys,
        ], content(), Site(file: fileID, line: line, column: column)), name, folder: folder)
  }
}

/// Settings for all pages.
public struct Screen: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    size: (any Setting)? = nil, shape: (any Setting)? = nil, background: (any Setting)? = nil,
    rotate: (any Setting)? = nil, depth: (any Setting)? = nil, font: (any Setting)? = nil,
    bold: (any Setting)? = nil, weight: (any Setting)? = nil, panel: (any Setting)? = nil,
    brightness: (any Setting)? = nil, homeAfter: (any Setting)? = nil,
    blankAfter: (any Setting)? = nil, warn: (any Setting)? = nil, motion: (any Setting)? = nil,
    debounce: (any Setting)? = nil, dwell: (any Setting)? = nil, mirror: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column,
    @ContentBuilder _ content: () -> [any Element] = { [] }
  ) {
    part = Part(
      "screen",
      [
        "size": size, "shape": shape, "background": background, "rotate": rotate, "depth": depth,
        "font": font, "bold": bold, "weight": weight, "panel": panel, "brightness": brightness,
        "home_after": homeAfter, "blank_after": blankAfter, "warn": warn, "motion": motion,
        "debounce": debounce, "dwell": dwell, "mirror": mirror,
      ], content(), Site(file: fileID, line: line, column: column))
  }
}

/// A device that types lines.
public struct Scanner: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    device: any Setting, prefix: (any Setting)? = nil, end: (any Setting)? = nil,
    private: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "scanner",
      [
        "device": device, "prefix": prefix, "end": end, "private": `private`,
      ], [], Site(file: fileID, line: line, column: column))
  }
}

/// Colours and fonts. Missing colours are derived from the background.
public struct Theme: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ name: String,
    accent: (any Setting)? = nil, background: (any Setting)? = nil, surface: (any Setting)? = nil,
    text: (any Setting)? = nil, muted: (any Setting)? = nil, font: (any Setting)? = nil,
    bold: (any Setting)? = nil, weight: (any Setting)? = nil, fontSize: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "theme", name: name,
      [
        "accent": accent, "background": background, "surface": surface, "text": text,
        "muted": muted, "font": font, "bold": bold, "weight": weight, "font_size": fontSize,
      ], [], Site(file: fileID, line: line, column: column))
  }
}

/// The transition between pages, such as {slide, seconds: 0.3}.
public struct Transition: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    kind: (any Setting)? = nil, slide: (any Setting)? = nil, fade: (any Setting)? = nil,
    none: (any Setting)? = nil, seconds: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "transition",
      [
        "kind": kind, "slide": slide, "fade": fade, "none": none, "seconds": seconds,
      ], [], Site(file: fileID, line: line, column: column))
  }
}

/// One of the kiosk's own values.
public struct Value: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ name: String,
    _ value: any Setting,
    min: (any Setting)? = nil, max: (any Setting)? = nil, step: (any Setting)? = nil,
    kind: (any Setting)? = nil, unit: (any Setting)? = nil, options: (any Setting)? = nil,
    keep: (any Setting)? = nil, from: (any Setting)? = nil, echo: (any Setting)? = nil,
    to: (any Setting)? = nil, gone: (any Setting)? = nil, stale: (any Setting)? = nil,
    private: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column,
    @ContentBuilder _ content: () -> [any Element] = { [] }
  ) {
    part = Part(
      "value", name: name,
      [
        "value": value, "min": min, "max": max, "step": step, "kind": kind, "unit": unit,
        "options": options, "keep": keep, "from": from, "echo": echo, "to": to, "gone": gone,
        "stale": stale, "private": `private`,
      ], content(), Site(file: fileID, line: line, column: column))
  }
}

/// The source of a value.
public struct ValueSource: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    mqtt: (any Setting)? = nil, path: (any Setting)? = nil, home: (any Setting)? = nil,
    attribute: (any Setting)? = nil, optional: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "value_source",
      [
        "mqtt": mqtt, "path": path, "home": home, "attribute": attribute, "optional": optional,
      ], [], Site(file: fileID, line: line, column: column))
  }
}

/// The destination of a value.
public struct ValueTarget: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    mqtt: (any Setting)? = nil, payload: (any Setting)? = nil, retain: (any Setting)? = nil,
    home: (any Setting)? = nil, entity: (any Setting)? = nil, field: (any Setting)? = nil,
    when: (any Setting)? = nil, every: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "value_target",
      [
        "mqtt": mqtt, "payload": payload, "retain": retain, "home": home, "entity": entity,
        "field": field, "when": when, "every": every,
      ], [], Site(file: fileID, line: line, column: column))
  }
}

/// The keys of controls and items.
public struct Style: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ name: String,
    align: (any Setting)? = nil, always: (any Setting)? = nil, arc: (any Setting)? = nil,
    axis: (any Setting)? = nil, background: (any Setting)? = nil, bands: (any Setting)? = nil,
    blink: (any Setting)? = nil, bold: (any Setting)? = nil, close: (any Setting)? = nil,
    color: (any Setting)? = nil, detail: (any Setting)? = nil, direction: (any Setting)? = nil,
    drag: (any Setting)? = nil, duration: (any Setting)? = nil, edition: (any Setting)? = nil,
    empty: (any Setting)? = nil, enabled: (any Setting)? = nil, endless: (any Setting)? = nil,
    every: (any Setting)? = nil, file: (any Setting)? = nil, fit: (any Setting)? = nil,
    font: (any Setting)? = nil, fontSize: (any Setting)? = nil, format: (any Setting)? = nil,
    from: (any Setting)? = nil, gap: (any Setting)? = nil, grab: (any Setting)? = nil,
    high: (any Setting)? = nil, highlight: (any Setting)? = nil, hit: (any Setting)? = nil,
    hold: (any Setting)? = nil, hole: (any Setting)? = nil, home: (any Setting)? = nil,
    icon: (any Setting)? = nil, iconFont: (any Setting)? = nil, iconSize: (any Setting)? = nil,
    image: (any Setting)? = nil, inertia: (any Setting)? = nil, interactive: (any Setting)? = nil,
    items: (any Setting)? = nil, kelvin: (any Setting)? = nil, label: (any Setting)? = nil,
    labelEvery: (any Setting)? = nil, labelOffset: (any Setting)? = nil,
    labels: (any Setting)? = nil, lang: (any Setting)? = nil, layout: (any Setting)? = nil,
    length: (any Setting)? = nil, lines: (any Setting)? = nil, low: (any Setting)? = nil,
    marker: (any Setting)? = nil, marking: (any Setting)? = nil, max: (any Setting)? = nil,
    min: (any Setting)? = nil, minGap: (any Setting)? = nil, mute: (any Setting)? = nil,
    muteColor: (any Setting)? = nil, needle: (any Setting)? = nil, onColor: (any Setting)? = nil,
    open: (any Setting)? = nil, opened: (any Setting)? = nil, peak: (any Setting)? = nil,
    photo: (any Setting)? = nil, pointer: (any Setting)? = nil, press: (any Setting)? = nil,
    pressImage: (any Setting)? = nil, private: (any Setting)? = nil,
    quietZone: (any Setting)? = nil, reels: (any Setting)? = nil, rowHeight: (any Setting)? = nil,
    rows: (any Setting)? = nil, running: (any Setting)? = nil, scroll: (any Setting)? = nil,
    seconds: (any Setting)? = nil, section: (any Setting)? = nil, seed: (any Setting)? = nil,
    segments: (any Setting)? = nil, selected: (any Setting)? = nil, shape: (any Setting)? = nil,
    sharpen: (any Setting)? = nil, spinning: (any Setting)? = nil, spoken: (any Setting)? = nil,
    stagger: (any Setting)? = nil, start: (any Setting)? = nil, step: (any Setting)? = nil,
    stepsPerTurn: (any Setting)? = nil, tap: (any Setting)? = nil, text: (any Setting)? = nil,
    textColor: (any Setting)? = nil, ticks: (any Setting)? = nil, to: (any Setting)? = nil,
    track: (any Setting)? = nil, trigger: (any Setting)? = nil, unit: (any Setting)? = nil,
    upright: (any Setting)? = nil, valign: (any Setting)? = nil, value: (any Setting)? = nil,
    visible: (any Setting)? = nil, wedges: (any Setting)? = nil, weight: (any Setting)? = nil,
    wheels: (any Setting)? = nil, wrap: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "style", name: name,
      [
        "align": align, "always": always, "arc": arc, "axis": axis, "background": background,
        "bands": bands, "blink": blink, "bold": bold, "close": close, "color": color,
        "detail": detail, "direction": direction, "drag": drag, "duration": duration,
        "edition": edition, "empty": empty, "enabled": enabled, "endless": endless, "every": every,
        "file": file, "fit": fit, "font": font, "font_size": fontSize, "format": format,
        "from": from, "gap": gap, "grab": grab, "high": high, "highlight": highlight, "hit": hit,
        "hold": hold, "hole": hole, "home": home, "icon": icon, "icon_font": iconFont,
        "icon_size": iconSize, "image": image, "inertia": inertia, "interactive": interactive,
        "items": items, "kelvin": kelvin, "label": label, "label_every": labelEvery,
        "label_offset": labelOffset, "labels": labels, "lang": lang, "layout": layout,
        "length": length, "lines": lines, "low": low, "marker": marker, "marking": marking,
        "max": max, "min": min, "min_gap": minGap, "mute": mute, "mute_color": muteColor,
        "needle": needle, "on_color": onColor, "open": open, "opened": opened, "peak": peak,
        "photo": photo, "pointer": pointer, "press": press, "press_image": pressImage,
        "private": `private`, "quiet_zone": quietZone, "reels": reels, "row_height": rowHeight,
        "rows": rows, "running": running, "scroll": scroll, "seconds": seconds, "section": section,
        "seed": seed, "segments": segments, "selected": selected, "shape": shape,
        "sharpen": sharpen, "spinning": spinning, "spoken": spoken, "stagger": stagger,
        "start": start, "step": step, "steps_per_turn": stepsPerTurn, "tap": tap, "text": text,
        "text_color": textColor, "ticks": ticks, "to": to, "track": track, "trigger": trigger,
        "unit": unit, "upright": upright, "valign": valign, "value": value, "visible": visible,
        "wedges": wedges, "weight": weight, "wheels": wheels, "wrap": wrap,
      ], [], Site(file: fileID, line: line, column: column))
  }
}

/// Spoken output for users who can't see the screen.
public struct Speech: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    voice: (any Setting)? = nil, rate: (any Setting)? = nil, start: (any Setting)? = nil,
    program: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "speech",
      [
        "voice": voice, "rate": rate, "start": start, "program": program,
      ], [], Site(file: fileID, line: line, column: column))
  }
}

/// A page and its controls.
public struct Page: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ page: any Setting,
    background: (any Setting)? = nil, transition: (any Setting)? = nil,
    homeAfter: (any Setting)? = nil, warn: (any Setting)? = nil, over: (any Setting)? = nil,
    modal: (any Setting)? = nil, reach: (any Setting)? = nil, grid: (any Setting)? = nil,
    hold: (any Setting)? = nil, swipe: (any Setting)? = nil, spoken: (any Setting)? = nil,
    keys: (any Setting)? = nil, focus: (any Setting)? = nil, encoder: (any Setting)? = nil,
    busy: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column,
    @ContentBuilder _ content: () -> [any Element] = { [] }
  ) {
    part = Part(
      "page",
      [
        "page": page, "background": background, "transition": transition, "home_after": homeAfter,
        "warn": warn, "over": over, "modal": modal, "reach": reach, "grid": grid, "hold": hold,
        "swipe": swipe, "spoken": spoken, "keys": keys, "focus": focus, "encoder": encoder,
        "busy": busy,
      ], content(), Site(file: fileID, line: line, column: column))
  }
}

/// An image as a background.
public struct Backdrop: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    image: any Setting,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "backdrop",
      [
        "image": image,
      ], [], Site(file: fileID, line: line, column: column))
  }
}

/// The cells of a page, all of one size.
public struct Grid: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    columns: (any Setting)? = nil, rows: (any Setting)? = nil, gap: (any Setting)? = nil,
    margin: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "grid",
      [
        "columns": columns, "rows": rows, "gap": gap, "margin": margin,
      ], [], Site(file: fileID, line: line, column: column))
  }
}

/// The pages that swipes lead to, by the direction of the swipe.
public struct Swipe: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    left: (any Setting)? = nil, right: (any Setting)? = nil, up: (any Setting)? = nil,
    down: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "swipe",
      [
        "left": left, "right": right, "up": up, "down": down,
      ], [], Site(file: fileID, line: line, column: column))
  }
}

/// A ring of wedges, each a button.
public struct Pinwheel: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ pinwheel: any Setting,
    at: (any Setting)? = nil, cell: (any Setting)? = nil, radius: (any Setting)? = nil,
    hole: (any Setting)? = nil, gap: (any Setting)? = nil, start: (any Setting)? = nil,
    press: (any Setting)? = nil, highlight: (any Setting)? = nil, blink: (any Setting)? = nil,
    hold: (any Setting)? = nil, fontSize: (any Setting)? = nil, textColor: (any Setting)? = nil,
    labels: (any Setting)? = nil, iconSize: (any Setting)? = nil, iconFont: (any Setting)? = nil,
    font: (any Setting)? = nil, bold: (any Setting)? = nil, weight: (any Setting)? = nil,
    style: (any Setting)? = nil, enabled: (any Setting)? = nil, visible: (any Setting)? = nil,
    always: (any Setting)? = nil, spoken: (any Setting)? = nil, private: (any Setting)? = nil,
    lang: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column,
    @ContentBuilder _ content: () -> [any Element] = { [] }
  ) {
    part = Part(
      "pinwheel",
      [
        "pinwheel": pinwheel, "at": at, "cell": cell, "radius": radius, "hole": hole, "gap": gap,
        "start": start, "press": press, "highlight": highlight, "blink": blink, "hold": hold,
        "font_size": fontSize, "text_color": textColor, "labels": labels, "icon_size": iconSize,
        "icon_font": iconFont, "font": font, "bold": bold, "weight": weight, "style": style,
        "enabled": enabled, "visible": visible, "always": always, "spoken": spoken,
        "private": `private`, "lang": lang,
      ], content(), Site(file: fileID, line: line, column: column))
  }

  /// The event `pressed` of this control.
  public var pressed: EventName { EventName(part.id, "pressed") }

  /// The event `left` of this control.
  public var left: EventName { EventName(part.id, "left") }

  /// The event `returned` of this control.
  public var returned: EventName { EventName(part.id, "returned") }

  /// The event `selected` of this control.
  public var selected: EventName { EventName(part.id, "selected") }

  /// The event `confirmed` of this control.
  public var confirmed: EventName { EventName(part.id, "confirmed") }

  /// The event `cancelled` of this control.
  public var cancelled: EventName { EventName(part.id, "cancelled") }

  /// The event `held` of this control.
  public var held: EventName { EventName(part.id, "held") }
}

/// An image that highlights a wedge.
public struct Highlight: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    image: any Setting,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "highlight",
      [
        "image": image,
      ], [], Site(file: fileID, line: line, column: column))
  }
}

/// The blinking after a selection.
public struct Blink: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    count: (any Setting)? = nil, off: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "blink",
      [
        "count": count, "off": off,
      ], [], Site(file: fileID, line: line, column: column))
  }
}

/// A wedge of a pinwheel.
public struct Wedge: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ id: any Setting,
    style: (any Setting)? = nil, spoken: (any Setting)? = nil, lang: (any Setting)? = nil,
    label: (any Setting)? = nil, detail: (any Setting)? = nil, icon: (any Setting)? = nil,
    color: (any Setting)? = nil, enabled: (any Setting)? = nil, image: (any Setting)? = nil,
    pressImage: (any Setting)? = nil, photo: (any Setting)? = nil, fit: (any Setting)? = nil,
    selected: (any Setting)? = nil, hold: (any Setting)? = nil, hit: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "wedge",
      [
        "id": id, "style": style, "spoken": spoken, "lang": lang, "label": label, "detail": detail,
        "icon": icon, "color": color, "enabled": enabled, "image": image, "press_image": pressImage,
        "photo": photo, "fit": fit, "selected": selected, "hold": hold, "hit": hit,
      ], [], Site(file: fileID, line: line, column: column))
  }
}

/// A round face that turns by touch, with labels along its rim.
public struct Dial: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ dial: any Setting,
    at: (any Setting)? = nil, cell: (any Setting)? = nil, radius: (any Setting)? = nil,
    labels: (any Setting)? = nil, endless: (any Setting)? = nil, stepsPerTurn: (any Setting)? = nil,
    min: (any Setting)? = nil, max: (any Setting)? = nil, step: (any Setting)? = nil,
    labelEvery: (any Setting)? = nil, unit: (any Setting)? = nil, upright: (any Setting)? = nil,
    value: (any Setting)? = nil, marker: (any Setting)? = nil, labelOffset: (any Setting)? = nil,
    fontSize: (any Setting)? = nil, textColor: (any Setting)? = nil, color: (any Setting)? = nil,
    background: (any Setting)? = nil, drag: (any Setting)? = nil, inertia: (any Setting)? = nil,
    tap: (any Setting)? = nil, wrap: (any Setting)? = nil, pointer: (any Setting)? = nil,
    ticks: (any Setting)? = nil, home: (any Setting)? = nil, font: (any Setting)? = nil,
    bold: (any Setting)? = nil, weight: (any Setting)? = nil, style: (any Setting)? = nil,
    enabled: (any Setting)? = nil, visible: (any Setting)? = nil, always: (any Setting)? = nil,
    spoken: (any Setting)? = nil, private: (any Setting)? = nil, lang: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column,
    @ContentBuilder _ content: () -> [any Element] = { [] }
  ) {
    part = Part(
      "dial",
      [
        "dial": dial, "at": at, "cell": cell, "radius": radius, "labels": labels,
        "endless": endless, "steps_per_turn": stepsPerTurn, "min": min, "max": max, "step": step,
        "label_every": labelEvery, "unit": unit, "upright": upright, "value": value,
        "marker": marker, "label_offset": labelOffset, "font_size": fontSize,
        "text_color": textColor, "color": color, "background": background, "drag": drag,
        "inertia": inertia, "tap": tap, "wrap": wrap, "pointer": pointer, "ticks": ticks,
        "home": home, "font": font, "bold": bold, "weight": weight, "style": style,
        "enabled": enabled, "visible": visible, "always": always, "spoken": spoken,
        "private": `private`, "lang": lang,
      ], content(), Site(file: fileID, line: line, column: column))
  }

  /// The event `pressed` of this control.
  public var pressed: EventName { EventName(part.id, "pressed") }

  /// The event `passing` of this control.
  public var passing: EventName { EventName(part.id, "passing") }

  /// The event `settled` of this control.
  public var settled: EventName { EventName(part.id, "settled") }

  /// The event `turned` of this control.
  public var turned: EventName { EventName(part.id, "turned") }
}

/// A label of a dial.
public struct DialLabel: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    style: (any Setting)? = nil, spoken: (any Setting)? = nil, lang: (any Setting)? = nil,
    label: any Setting,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "dial_label",
      [
        "style": style, "spoken": spoken, "lang": lang, "label": label,
      ], [], Site(file: fileID, line: line, column: column))
  }
}

/// An image on the face of a dial.
public struct Face: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    image: any Setting,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "face",
      [
        "image": image,
      ], [], Site(file: fileID, line: line, column: column))
  }
}

/// The automatic turning of a dial, for example for a timer or a clock.
public struct Ticks: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    every: (any Setting)? = nil, step: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "ticks",
      [
        "every": every, "step": step,
      ], [], Site(file: fileID, line: line, column: column))
  }
}

/// A disc that opens into a ring of leaves.
public struct Menu: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ menu: any Setting,
    at: (any Setting)? = nil, cell: (any Setting)? = nil, label: (any Setting)? = nil,
    icon: (any Setting)? = nil, iconFont: (any Setting)? = nil, image: (any Setting)? = nil,
    radius: (any Setting)? = nil, leafRadius: (any Setting)? = nil, distance: (any Setting)? = nil,
    start: (any Setting)? = nil, arc: (any Setting)? = nil, open: (any Setting)? = nil,
    close: (any Setting)? = nil, marking: (any Setting)? = nil, opened: (any Setting)? = nil,
    color: (any Setting)? = nil, textColor: (any Setting)? = nil, fontSize: (any Setting)? = nil,
    font: (any Setting)? = nil, bold: (any Setting)? = nil, weight: (any Setting)? = nil,
    style: (any Setting)? = nil, enabled: (any Setting)? = nil, visible: (any Setting)? = nil,
    always: (any Setting)? = nil, spoken: (any Setting)? = nil, private: (any Setting)? = nil,
    lang: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column,
    @ContentBuilder _ content: () -> [any Element] = { [] }
  ) {
    part = Part(
      "menu",
      [
        "menu": menu, "at": at, "cell": cell, "label": label, "icon": icon, "icon_font": iconFont,
        "image": image, "radius": radius, "leaf_radius": leafRadius, "distance": distance,
        "start": start, "arc": arc, "open": open, "close": close, "marking": marking,
        "opened": opened, "color": color, "text_color": textColor, "font_size": fontSize,
        "font": font, "bold": bold, "weight": weight, "style": style, "enabled": enabled,
        "visible": visible, "always": always, "spoken": spoken, "private": `private`, "lang": lang,
      ], content(), Site(file: fileID, line: line, column: column))
  }

  /// The event `opened` of this control.
  public var opened: EventName { EventName(part.id, "opened") }

  /// The event `passing` of this control.
  public var passing: EventName { EventName(part.id, "passing") }

  /// The event `selected` of this control.
  public var selected: EventName { EventName(part.id, "selected") }

  /// The event `closed` of this control.
  public var closed: EventName { EventName(part.id, "closed") }
}

/// The spring motion of a ring.
public struct MenuOpening: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    damping: (any Setting)? = nil, duration: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "menu_opening",
      [
        "damping": damping, "duration": duration,
      ], [], Site(file: fileID, line: line, column: column))
  }
}

/// The spring motion of a ring.
public struct MenuClosing: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    damping: (any Setting)? = nil, duration: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "menu_closing",
      [
        "damping": damping, "duration": duration,
      ], [], Site(file: fileID, line: line, column: column))
  }
}

/// A leaf of a menu.
public struct MenuItem: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ id: any Setting,
    style: (any Setting)? = nil, spoken: (any Setting)? = nil, lang: (any Setting)? = nil,
    label: (any Setting)? = nil, icon: (any Setting)? = nil, image: (any Setting)? = nil,
    color: (any Setting)? = nil, enabled: (any Setting)? = nil, selected: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column,
    @ContentBuilder _ content: () -> [any Element] = { [] }
  ) {
    part = Part(
      "menu_item",
      [
        "id": id, "style": style, "spoken": spoken, "lang": lang, "label": label, "icon": icon,
        "image": image, "color": color, "enabled": enabled, "selected": selected,
      ], content(), Site(file: fileID, line: line, column: column))
  }
}

/// A slot machine: reels that spin and stop at random.
public struct Slots: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ slots: any Setting,
    at: (any Setting)? = nil, cell: (any Setting)? = nil, size: (any Setting)? = nil,
    rows: (any Setting)? = nil, duration: (any Setting)? = nil, stagger: (any Setting)? = nil,
    sharpen: (any Setting)? = nil, color: (any Setting)? = nil, fontSize: (any Setting)? = nil,
    empty: (any Setting)? = nil, seed: (any Setting)? = nil, trigger: (any Setting)? = nil,
    font: (any Setting)? = nil, bold: (any Setting)? = nil, weight: (any Setting)? = nil,
    style: (any Setting)? = nil, enabled: (any Setting)? = nil, visible: (any Setting)? = nil,
    always: (any Setting)? = nil, spoken: (any Setting)? = nil, private: (any Setting)? = nil,
    lang: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column,
    @ContentBuilder _ content: () -> [any Element] = { [] }
  ) {
    part = Part(
      "slots",
      [
        "slots": slots, "at": at, "cell": cell, "size": size, "rows": rows, "duration": duration,
        "stagger": stagger, "sharpen": sharpen, "color": color, "font_size": fontSize,
        "empty": empty, "seed": seed, "trigger": trigger, "font": font, "bold": bold,
        "weight": weight, "style": style, "enabled": enabled, "visible": visible, "always": always,
        "spoken": spoken, "private": `private`, "lang": lang,
      ], content(), Site(file: fileID, line: line, column: column))
  }

  /// The event `started` of this control.
  public var started: EventName { EventName(part.id, "started") }

  /// The event `settled` of this control.
  public var settled: EventName { EventName(part.id, "settled") }
}

/// A reel of a slot machine.
public struct Reel: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ id: any Setting,
    style: (any Setting)? = nil, spoken: (any Setting)? = nil, lang: (any Setting)? = nil,
    direction: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column,
    @ContentBuilder _ content: () -> [any Element] = { [] }
  ) {
    part = Part(
      "reel",
      [
        "id": id, "style": style, "spoken": spoken, "lang": lang, "direction": direction,
      ], content(), Site(file: fileID, line: line, column: column))
  }
}

/// An item of a reel.
public struct ReelItem: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    style: (any Setting)? = nil, spoken: (any Setting)? = nil, lang: (any Setting)? = nil,
    label: (any Setting)? = nil, image: (any Setting)? = nil, fit: (any Setting)? = nil,
    weight: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "reel_item",
      [
        "style": style, "spoken": spoken, "lang": lang, "label": label, "image": image, "fit": fit,
        "weight": weight,
      ], [], Site(file: fileID, line: line, column: column))
  }
}

/// Wheels side by side. The middle row of each is selected.
public struct Picker: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ picker: any Setting,
    at: (any Setting)? = nil, cell: (any Setting)? = nil, size: (any Setting)? = nil,
    rows: (any Setting)? = nil, mute: (any Setting)? = nil, muteColor: (any Setting)? = nil,
    color: (any Setting)? = nil, textColor: (any Setting)? = nil, fontSize: (any Setting)? = nil,
    empty: (any Setting)? = nil, tap: (any Setting)? = nil, inertia: (any Setting)? = nil,
    font: (any Setting)? = nil, bold: (any Setting)? = nil, weight: (any Setting)? = nil,
    style: (any Setting)? = nil, enabled: (any Setting)? = nil, visible: (any Setting)? = nil,
    always: (any Setting)? = nil, spoken: (any Setting)? = nil, private: (any Setting)? = nil,
    lang: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column,
    @ContentBuilder _ content: () -> [any Element] = { [] }
  ) {
    part = Part(
      "picker",
      [
        "picker": picker, "at": at, "cell": cell, "size": size, "rows": rows, "mute": mute,
        "mute_color": muteColor, "color": color, "text_color": textColor, "font_size": fontSize,
        "empty": empty, "tap": tap, "inertia": inertia, "font": font, "bold": bold,
        "weight": weight, "style": style, "enabled": enabled, "visible": visible, "always": always,
        "spoken": spoken, "private": `private`, "lang": lang,
      ], content(), Site(file: fileID, line: line, column: column))
  }

  /// The event `pressed` of this control.
  public var pressed: EventName { EventName(part.id, "pressed") }

  /// The event `passing` of this control.
  public var passing: EventName { EventName(part.id, "passing") }

  /// The event `settled` of this control.
  public var settled: EventName { EventName(part.id, "settled") }
}

/// A wheel of a picker.
public struct Wheel: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ id: any Setting,
    style: (any Setting)? = nil, spoken: (any Setting)? = nil, lang: (any Setting)? = nil,
    wrap: (any Setting)? = nil, value: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column,
    @ContentBuilder _ content: () -> [any Element] = { [] }
  ) {
    part = Part(
      "wheel",
      [
        "id": id, "style": style, "spoken": spoken, "lang": lang, "wrap": wrap, "value": value,
      ], content(), Site(file: fileID, line: line, column: column))
  }
}

/// A row of a wheel.
public struct Row: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    style: (any Setting)? = nil, spoken: (any Setting)? = nil, lang: (any Setting)? = nil,
    label: (any Setting)? = nil, color: (any Setting)? = nil, image: (any Setting)? = nil,
    fit: (any Setting)? = nil, enabled: (any Setting)? = nil, value: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "row",
      [
        "style": style, "spoken": spoken, "lang": lang, "label": label, "color": color,
        "image": image, "fit": fit, "enabled": enabled, "value": value,
      ], [], Site(file: fileID, line: line, column: column))
  }
}

/// A calculator for the colour code of resistors.
public struct Resistor: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ resistor: any Setting,
    at: (any Setting)? = nil, cell: (any Setting)? = nil, size: (any Setting)? = nil,
    bands: (any Setting)? = nil, edition: (any Setting)? = nil, value: (any Setting)? = nil,
    mute: (any Setting)? = nil, muteColor: (any Setting)? = nil, font: (any Setting)? = nil,
    bold: (any Setting)? = nil, weight: (any Setting)? = nil, style: (any Setting)? = nil,
    enabled: (any Setting)? = nil, visible: (any Setting)? = nil, always: (any Setting)? = nil,
    spoken: (any Setting)? = nil, private: (any Setting)? = nil, lang: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "resistor",
      [
        "resistor": resistor, "at": at, "cell": cell, "size": size, "bands": bands,
        "edition": edition, "value": value, "mute": mute, "mute_color": muteColor, "font": font,
        "bold": bold, "weight": weight, "style": style, "enabled": enabled, "visible": visible,
        "always": always, "spoken": spoken, "private": `private`, "lang": lang,
      ], [], Site(file: fileID, line: line, column: column))
  }

  /// The event `pressed` of this control.
  public var pressed: EventName { EventName(part.id, "pressed") }

  /// The event `passing` of this control.
  public var passing: EventName { EventName(part.id, "passing") }

  /// The event `settled` of this control.
  public var settled: EventName { EventName(part.id, "settled") }
}

/// A push button.
public struct Button: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ button: any Setting,
    at: (any Setting)? = nil, cell: (any Setting)? = nil, size: (any Setting)? = nil,
    text: (any Setting)? = nil, image: (any Setting)? = nil, hit: (any Setting)? = nil,
    icon: (any Setting)? = nil, iconFont: (any Setting)? = nil, fontSize: (any Setting)? = nil,
    color: (any Setting)? = nil, textColor: (any Setting)? = nil, shape: (any Setting)? = nil,
    blink: (any Setting)? = nil, selected: (any Setting)? = nil, hold: (any Setting)? = nil,
    font: (any Setting)? = nil, bold: (any Setting)? = nil, weight: (any Setting)? = nil,
    style: (any Setting)? = nil, enabled: (any Setting)? = nil, visible: (any Setting)? = nil,
    always: (any Setting)? = nil, spoken: (any Setting)? = nil, private: (any Setting)? = nil,
    lang: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column,
    @ContentBuilder _ content: () -> [any Element] = { [] }
  ) {
    part = Part(
      "button",
      [
        "button": button, "at": at, "cell": cell, "size": size, "text": text, "image": image,
        "hit": hit, "icon": icon, "icon_font": iconFont, "font_size": fontSize, "color": color,
        "text_color": textColor, "shape": shape, "blink": blink, "selected": selected, "hold": hold,
        "font": font, "bold": bold, "weight": weight, "style": style, "enabled": enabled,
        "visible": visible, "always": always, "spoken": spoken, "private": `private`, "lang": lang,
      ], content(), Site(file: fileID, line: line, column: column))
  }

  /// The event `pressed` of this control.
  public var pressed: EventName { EventName(part.id, "pressed") }

  /// The event `left` of this control.
  public var left: EventName { EventName(part.id, "left") }

  /// The event `returned` of this control.
  public var returned: EventName { EventName(part.id, "returned") }

  /// The event `selected` of this control.
  public var selected: EventName { EventName(part.id, "selected") }

  /// The event `confirmed` of this control.
  public var confirmed: EventName { EventName(part.id, "confirmed") }

  /// The event `cancelled` of this control.
  public var cancelled: EventName { EventName(part.id, "cancelled") }

  /// The event `held` of this control.
  public var held: EventName { EventName(part.id, "held") }
}

/// A line or paragraph of text.
public struct Label: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ label: any Setting,
    at: (any Setting)? = nil, cell: (any Setting)? = nil, text: any Setting,
    fontSize: (any Setting)? = nil, color: (any Setting)? = nil, align: (any Setting)? = nil,
    valign: (any Setting)? = nil, size: (any Setting)? = nil, lines: (any Setting)? = nil,
    scroll: (any Setting)? = nil, hold: (any Setting)? = nil, font: (any Setting)? = nil,
    bold: (any Setting)? = nil, weight: (any Setting)? = nil, style: (any Setting)? = nil,
    enabled: (any Setting)? = nil, visible: (any Setting)? = nil, always: (any Setting)? = nil,
    spoken: (any Setting)? = nil, private: (any Setting)? = nil, lang: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "label",
      [
        "label": label, "at": at, "cell": cell, "text": text, "font_size": fontSize, "color": color,
        "align": align, "valign": valign, "size": size, "lines": lines, "scroll": scroll,
        "hold": hold, "font": font, "bold": bold, "weight": weight, "style": style,
        "enabled": enabled, "visible": visible, "always": always, "spoken": spoken,
        "private": `private`, "lang": lang,
      ], [], Site(file: fileID, line: line, column: column))
  }

  /// The event `pressed` of this control.
  public var pressed: EventName { EventName(part.id, "pressed") }

  /// The event `left` of this control.
  public var left: EventName { EventName(part.id, "left") }

  /// The event `returned` of this control.
  public var returned: EventName { EventName(part.id, "returned") }

  /// The event `selected` of this control.
  public var selected: EventName { EventName(part.id, "selected") }

  /// The event `cancelled` of this control.
  public var cancelled: EventName { EventName(part.id, "cancelled") }

  /// The event `held` of this control.
  public var held: EventName { EventName(part.id, "held") }

  /// The event `ended` of this control.
  public var ended: EventName { EventName(part.id, "ended") }
}

/// An image.
public struct Image: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ image: any Setting,
    at: (any Setting)? = nil, cell: (any Setting)? = nil, file: any Setting,
    size: (any Setting)? = nil, fit: (any Setting)? = nil, hold: (any Setting)? = nil,
    font: (any Setting)? = nil, bold: (any Setting)? = nil, weight: (any Setting)? = nil,
    style: (any Setting)? = nil, enabled: (any Setting)? = nil, visible: (any Setting)? = nil,
    always: (any Setting)? = nil, spoken: (any Setting)? = nil, private: (any Setting)? = nil,
    lang: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "image",
      [
        "image": image, "at": at, "cell": cell, "file": file, "size": size, "fit": fit,
        "hold": hold, "font": font, "bold": bold, "weight": weight, "style": style,
        "enabled": enabled, "visible": visible, "always": always, "spoken": spoken,
        "private": `private`, "lang": lang,
      ], [], Site(file: fileID, line: line, column: column))
  }

  /// The event `pressed` of this control.
  public var pressed: EventName { EventName(part.id, "pressed") }

  /// The event `left` of this control.
  public var left: EventName { EventName(part.id, "left") }

  /// The event `returned` of this control.
  public var returned: EventName { EventName(part.id, "returned") }

  /// The event `selected` of this control.
  public var selected: EventName { EventName(part.id, "selected") }

  /// The event `cancelled` of this control.
  public var cancelled: EventName { EventName(part.id, "cancelled") }

  /// The event `held` of this control.
  public var held: EventName { EventName(part.id, "held") }
}

/// An invisible timer that fires periodically while its page is visible.
public struct Timer: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ timer: any Setting,
    at: (any Setting)? = nil, every: any Setting, running: (any Setting)? = nil,
    font: (any Setting)? = nil, bold: (any Setting)? = nil, weight: (any Setting)? = nil,
    style: (any Setting)? = nil, enabled: (any Setting)? = nil, visible: (any Setting)? = nil,
    private: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "timer",
      [
        "timer": timer, "at": at, "every": every, "running": running, "font": font, "bold": bold,
        "weight": weight, "style": style, "enabled": enabled, "visible": visible,
        "private": `private`,
      ], [], Site(file: fileID, line: line, column: column))
  }

  /// The event `due` of this control.
  public var due: EventName { EventName(part.id, "due") }
}

/// A number on an arc, or two: a gauge, a progress indicator or a slider.
public struct Ring: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ ring: any Setting,
    at: (any Setting)? = nil, cell: (any Setting)? = nil, radius: (any Setting)? = nil,
    thickness: (any Setting)? = nil, from: (any Setting)? = nil, to: (any Setting)? = nil,
    min: (any Setting)? = nil, max: (any Setting)? = nil, step: (any Setting)? = nil,
    value: (any Setting)? = nil, low: (any Setting)? = nil, high: (any Setting)? = nil,
    minGap: (any Setting)? = nil, interactive: (any Setting)? = nil, grab: (any Setting)? = nil,
    tap: (any Setting)? = nil, hold: (any Setting)? = nil, marker: (any Setting)? = nil,
    spinning: (any Setting)? = nil, needle: (any Setting)? = nil, ticks: (any Setting)? = nil,
    color: (any Setting)? = nil, track: (any Setting)? = nil, text: (any Setting)? = nil,
    fontSize: (any Setting)? = nil, textColor: (any Setting)? = nil, home: (any Setting)? = nil,
    font: (any Setting)? = nil, bold: (any Setting)? = nil, weight: (any Setting)? = nil,
    style: (any Setting)? = nil, enabled: (any Setting)? = nil, visible: (any Setting)? = nil,
    always: (any Setting)? = nil, spoken: (any Setting)? = nil, private: (any Setting)? = nil,
    lang: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column,
    @ContentBuilder _ content: () -> [any Element] = { [] }
  ) {
    part = Part(
      "ring",
      [
        "ring": ring, "at": at, "cell": cell, "radius": radius, "thickness": thickness,
        "from": from, "to": to, "min": min, "max": max, "step": step, "value": value, "low": low,
        "high": high, "min_gap": minGap, "interactive": interactive, "grab": grab, "tap": tap,
        "hold": hold, "marker": marker, "spinning": spinning, "needle": needle, "ticks": ticks,
        "color": color, "track": track, "text": text, "font_size": fontSize,
        "text_color": textColor, "home": home, "font": font, "bold": bold, "weight": weight,
        "style": style, "enabled": enabled, "visible": visible, "always": always, "spoken": spoken,
        "private": `private`, "lang": lang,
      ], content(), Site(file: fileID, line: line, column: column))
  }

  /// The event `pressed` of this control.
  public var pressed: EventName { EventName(part.id, "pressed") }

  /// The event `passing` of this control.
  public var passing: EventName { EventName(part.id, "passing") }

  /// The event `settled` of this control.
  public var settled: EventName { EventName(part.id, "settled") }
}

/// A part of a scale.
public struct Band: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    to: any Setting, color: any Setting,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "band",
      [
        "to": to, "color": color,
      ], [], Site(file: fileID, line: line, column: column))
  }
}

/// Lines along a scale.
public struct ScaleTicks: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    every: any Setting, labelEvery: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "scale_ticks",
      [
        "every": every, "label_every": labelEvery,
      ], [], Site(file: fileID, line: line, column: column))
  }
}

/// A switch that is on or off.
public struct Toggle: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ toggle: any Setting,
    at: (any Setting)? = nil, cell: (any Setting)? = nil, size: (any Setting)? = nil,
    label: (any Setting)? = nil, value: (any Setting)? = nil, onColor: (any Setting)? = nil,
    color: (any Setting)? = nil, fontSize: (any Setting)? = nil, textColor: (any Setting)? = nil,
    font: (any Setting)? = nil, bold: (any Setting)? = nil, weight: (any Setting)? = nil,
    style: (any Setting)? = nil, enabled: (any Setting)? = nil, visible: (any Setting)? = nil,
    always: (any Setting)? = nil, spoken: (any Setting)? = nil, private: (any Setting)? = nil,
    lang: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "toggle",
      [
        "toggle": toggle, "at": at, "cell": cell, "size": size, "label": label, "value": value,
        "on_color": onColor, "color": color, "font_size": fontSize, "text_color": textColor,
        "font": font, "bold": bold, "weight": weight, "style": style, "enabled": enabled,
        "visible": visible, "always": always, "spoken": spoken, "private": `private`, "lang": lang,
      ], [], Site(file: fileID, line: line, column: column))
  }

  /// The event `pressed` of this control.
  public var pressed: EventName { EventName(part.id, "pressed") }

  /// The event `left` of this control.
  public var left: EventName { EventName(part.id, "left") }

  /// The event `returned` of this control.
  public var returned: EventName { EventName(part.id, "returned") }

  /// The event `changed` of this control.
  public var changed: EventName { EventName(part.id, "changed") }

  /// The event `cancelled` of this control.
  public var cancelled: EventName { EventName(part.id, "cancelled") }
}

/// A QR code.
public struct QR: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ qr: any Setting,
    at: (any Setting)? = nil, cell: (any Setting)? = nil, size: (any Setting)? = nil,
    text: any Setting, color: (any Setting)? = nil, background: (any Setting)? = nil,
    quietZone: (any Setting)? = nil, font: (any Setting)? = nil, bold: (any Setting)? = nil,
    weight: (any Setting)? = nil, style: (any Setting)? = nil, enabled: (any Setting)? = nil,
    visible: (any Setting)? = nil, always: (any Setting)? = nil, spoken: (any Setting)? = nil,
    private: (any Setting)? = nil, lang: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "qr",
      [
        "qr": qr, "at": at, "cell": cell, "size": size, "text": text, "color": color,
        "background": background, "quiet_zone": quietZone, "font": font, "bold": bold,
        "weight": weight, "style": style, "enabled": enabled, "visible": visible, "always": always,
        "spoken": spoken, "private": `private`, "lang": lang,
      ], [], Site(file: fileID, line: line, column: column))
  }
}

/// Keys for typing a number, a PIN or text.
public struct Keypad: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ keypad: any Setting,
    at: (any Setting)? = nil, cell: (any Setting)? = nil, size: (any Setting)? = nil,
    layout: (any Setting)? = nil, length: (any Setting)? = nil, shape: (any Setting)? = nil,
    value: (any Setting)? = nil, color: (any Setting)? = nil, textColor: (any Setting)? = nil,
    fontSize: (any Setting)? = nil, font: (any Setting)? = nil, bold: (any Setting)? = nil,
    weight: (any Setting)? = nil, style: (any Setting)? = nil, enabled: (any Setting)? = nil,
    visible: (any Setting)? = nil, always: (any Setting)? = nil, spoken: (any Setting)? = nil,
    private: (any Setting)? = nil, lang: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "keypad",
      [
        "keypad": keypad, "at": at, "cell": cell, "size": size, "layout": layout, "length": length,
        "shape": shape, "value": value, "color": color, "text_color": textColor,
        "font_size": fontSize, "font": font, "bold": bold, "weight": weight, "style": style,
        "enabled": enabled, "visible": visible, "always": always, "spoken": spoken,
        "private": `private`, "lang": lang,
      ], [], Site(file: fileID, line: line, column: column))
  }

  /// The event `typed` of this control.
  public var typed: EventName { EventName(part.id, "typed") }

  /// The event `entered` of this control.
  public var entered: EventName { EventName(part.id, "entered") }
}

/// A list of rows that scrolls. A tap selects a row.
public struct List: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ list: any Setting,
    at: (any Setting)? = nil, cell: (any Setting)? = nil, size: (any Setting)? = nil,
    rowHeight: any Setting, fontSize: (any Setting)? = nil, color: (any Setting)? = nil,
    textColor: (any Setting)? = nil, empty: (any Setting)? = nil, hold: (any Setting)? = nil,
    iconFont: (any Setting)? = nil, font: (any Setting)? = nil, bold: (any Setting)? = nil,
    weight: (any Setting)? = nil, style: (any Setting)? = nil, enabled: (any Setting)? = nil,
    visible: (any Setting)? = nil, always: (any Setting)? = nil, spoken: (any Setting)? = nil,
    private: (any Setting)? = nil, lang: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column,
    @ContentBuilder _ content: () -> [any Element] = { [] }
  ) {
    part = Part(
      "list",
      [
        "list": list, "at": at, "cell": cell, "size": size, "row_height": rowHeight,
        "font_size": fontSize, "color": color, "text_color": textColor, "empty": empty,
        "hold": hold, "icon_font": iconFont, "font": font, "bold": bold, "weight": weight,
        "style": style, "enabled": enabled, "visible": visible, "always": always, "spoken": spoken,
        "private": `private`, "lang": lang,
      ], content(), Site(file: fileID, line: line, column: column))
  }

  /// The event `pressed` of this control.
  public var pressed: EventName { EventName(part.id, "pressed") }

  /// The event `left` of this control.
  public var left: EventName { EventName(part.id, "left") }

  /// The event `returned` of this control.
  public var returned: EventName { EventName(part.id, "returned") }

  /// The event `selected` of this control.
  public var selected: EventName { EventName(part.id, "selected") }

  /// The event `cancelled` of this control.
  public var cancelled: EventName { EventName(part.id, "cancelled") }

  /// The event `held` of this control.
  public var held: EventName { EventName(part.id, "held") }
}

/// A row of a list.
public struct ListRow: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ id: any Setting,
    style: (any Setting)? = nil, spoken: (any Setting)? = nil, lang: (any Setting)? = nil,
    label: (any Setting)? = nil, detail: (any Setting)? = nil, icon: (any Setting)? = nil,
    image: (any Setting)? = nil, section: (any Setting)? = nil, enabled: (any Setting)? = nil,
    hold: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "list_row",
      [
        "id": id, "style": style, "spoken": spoken, "lang": lang, "label": label, "detail": detail,
        "icon": icon, "image": image, "section": section, "enabled": enabled, "hold": hold,
      ], [], Site(file: fileID, line: line, column: column))
  }
}

/// A line chart of a number over time, up to now, or of a list of numbers.
public struct Chart: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ chart: any Setting,
    at: (any Setting)? = nil, cell: (any Setting)? = nil, size: (any Setting)? = nil,
    value: (any Setting)? = nil, items: (any Setting)? = nil, seconds: (any Setting)? = nil,
    min: (any Setting)? = nil, max: (any Setting)? = nil, gap: (any Setting)? = nil,
    format: (any Setting)? = nil, unit: (any Setting)? = nil, axis: (any Setting)? = nil,
    color: (any Setting)? = nil, fontSize: (any Setting)? = nil, textColor: (any Setting)? = nil,
    font: (any Setting)? = nil, bold: (any Setting)? = nil, weight: (any Setting)? = nil,
    style: (any Setting)? = nil, enabled: (any Setting)? = nil, visible: (any Setting)? = nil,
    always: (any Setting)? = nil, spoken: (any Setting)? = nil, private: (any Setting)? = nil,
    lang: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "chart",
      [
        "chart": chart, "at": at, "cell": cell, "size": size, "value": value, "items": items,
        "seconds": seconds, "min": min, "max": max, "gap": gap, "format": format, "unit": unit,
        "axis": axis, "color": color, "font_size": fontSize, "text_color": textColor, "font": font,
        "bold": bold, "weight": weight, "style": style, "enabled": enabled, "visible": visible,
        "always": always, "spoken": spoken, "private": `private`, "lang": lang,
      ], [], Site(file: fileID, line: line, column: column))
  }
}

/// A number on a straight scale, or two: a gauge, a level meter or a slider.
public struct Bar: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ bar: any Setting,
    at: (any Setting)? = nil, cell: (any Setting)? = nil, size: (any Setting)? = nil,
    min: (any Setting)? = nil, max: (any Setting)? = nil, step: (any Setting)? = nil,
    value: (any Setting)? = nil, low: (any Setting)? = nil, high: (any Setting)? = nil,
    minGap: (any Setting)? = nil, interactive: (any Setting)? = nil, grab: (any Setting)? = nil,
    tap: (any Setting)? = nil, hold: (any Setting)? = nil, marker: (any Setting)? = nil,
    ticks: (any Setting)? = nil, segments: (any Setting)? = nil, peak: (any Setting)? = nil,
    color: (any Setting)? = nil, track: (any Setting)? = nil, text: (any Setting)? = nil,
    fontSize: (any Setting)? = nil, textColor: (any Setting)? = nil, font: (any Setting)? = nil,
    bold: (any Setting)? = nil, weight: (any Setting)? = nil, style: (any Setting)? = nil,
    enabled: (any Setting)? = nil, visible: (any Setting)? = nil, always: (any Setting)? = nil,
    spoken: (any Setting)? = nil, private: (any Setting)? = nil, lang: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column,
    @ContentBuilder _ content: () -> [any Element] = { [] }
  ) {
    part = Part(
      "bar",
      [
        "bar": bar, "at": at, "cell": cell, "size": size, "min": min, "max": max, "step": step,
        "value": value, "low": low, "high": high, "min_gap": minGap, "interactive": interactive,
        "grab": grab, "tap": tap, "hold": hold, "marker": marker, "ticks": ticks,
        "segments": segments, "peak": peak, "color": color, "track": track, "text": text,
        "font_size": fontSize, "text_color": textColor, "font": font, "bold": bold,
        "weight": weight, "style": style, "enabled": enabled, "visible": visible, "always": always,
        "spoken": spoken, "private": `private`, "lang": lang,
      ], content(), Site(file: fileID, line: line, column: column))
  }

  /// The event `pressed` of this control.
  public var pressed: EventName { EventName(part.id, "pressed") }

  /// The event `passing` of this control.
  public var passing: EventName { EventName(part.id, "passing") }

  /// The event `settled` of this control.
  public var settled: EventName { EventName(part.id, "settled") }
}

/// A wheel of hues and saturations, or a scale of colour temperatures.
public struct Color: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    _ color: any Setting,
    at: (any Setting)? = nil, cell: (any Setting)? = nil, radius: (any Setting)? = nil,
    value: (any Setting)? = nil, kelvin: (any Setting)? = nil, font: (any Setting)? = nil,
    bold: (any Setting)? = nil, weight: (any Setting)? = nil, style: (any Setting)? = nil,
    enabled: (any Setting)? = nil, visible: (any Setting)? = nil, always: (any Setting)? = nil,
    spoken: (any Setting)? = nil, private: (any Setting)? = nil, lang: (any Setting)? = nil,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "color",
      [
        "color": color, "at": at, "cell": cell, "radius": radius, "value": value, "kelvin": kelvin,
        "font": font, "bold": bold, "weight": weight, "style": style, "enabled": enabled,
        "visible": visible, "always": always, "spoken": spoken, "private": `private`, "lang": lang,
      ], [], Site(file: fileID, line: line, column: column))
  }

  /// The event `pressed` of this control.
  public var pressed: EventName { EventName(part.id, "pressed") }

  /// The event `passing` of this control.
  public var passing: EventName { EventName(part.id, "passing") }

  /// The event `settled` of this control.
  public var settled: EventName { EventName(part.id, "settled") }
}

/// Actions that run when a condition becomes true.
public struct Reaction: Element {
  /// The part's keys and content.
  public var part: Part

  /// Creates the part. See the reference for its keys.
  public init(
    when: any Setting, do: any Setting,
    fileID: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    part = Part(
      "reaction",
      [
        "when": when, "do": `do`,
      ], [], Site(file: fileID, line: line, column: column))
  }
}
