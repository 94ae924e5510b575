// SPDX-License-Identifier: MIT

extension KioskReference {
  /// An item of `controls` for each type, on a screen of 480 by 320. deploy/manual/pictures are
  /// rendered from them.
  static let examples: [String: String] = [
    "pinwheel": """
    - pinwheel: dish
      at: [240, 160]
      radius: 136
      labels: upright
      wedges:
        - {id: soup, label: Soup, color: "#c16e2d"}
        - {id: salad, label: Salad, color: "#4e9a52"}
        - {id: fish, label: Fish, color: "#5b82d6"}
        - {id: pasta, label: Pasta, color: "#b06cb4"}
      on: {confirmed: [{emit: order}]}
    """,
    "dial": """
    - dial: minutes
      at: [240, 160]
      radius: 136
      min: 0
      max: 55
      step: 5
      label_every: 10
      wrap: true
      value: 10
      unit: "′"
    """,
    "menu": """
    - menu: drink
      at: [240, 160]
      label: Drinks
      items:
        - {id: tea, label: Tea}
        - {id: juice, label: Juice}
        - {id: water, label: Water}
        - id: coffee
          label: Coffee
          items: [{id: small, label: Small}, {id: large, label: Large}]
    """,
    "slots": """
    - slots: dinner
      at: [240, 160]
      size: [416, 240]
      reels:
        - {id: place, items: [Harbour, Old Town, Hill Top]}
        - {id: food, items: [Thai, Italian, Burgers]}
      on: {settled: [{emit: chosen}]}
    """,
    "picker": """
    - picker: alarm
      at: [240, 160]
      size: [256, 240]
      rows: 5
      wheels:
        - {id: hour, items: [5, 6, 7, 8, 9], wrap: false, value: 2}
        - {id: minute, items: ["00", "15", "30", "45"]}
    """,
    "resistor": """
    - resistor: code
      at: [240, 160]
      size: [400, 256]
      value: [yellow, violet, red, gold]
    """,
    "button": """
    - button: brew
      at: [240, 160]
      size: [224, 96]
      text: Brew
      color: accent
      shape: rounded
      blink: {count: 2}
      on: {confirmed: [{emit: brew}]}
    """,
    "label": """
    - label: clock
      at: [240, 160]
      text: "{now:%H:%M}"
      font_size: 96
    """,
    "image": """
    - image: photo
      at: [240, 160]
      size: [200, 200]
      file: coffee.png
      fit: cover
    """,
    "timer": """
    - timer: minute
      every: 60
      on: {due: [{emit: minute}]}
    """,
    "ring": """
    - ring: warmth
      at: [240, 176]
      radius: 136
      min: 10
      max: 30
      step: 0.5
      value: 21.5
      text: "{warmth.value:.1f}°"
      ticks: {every: 1, label_every: 5}
    """,
    "bar": """
    - bar: comfort
      at: [240, 160]
      size: [416, 112]
      min: 5
      max: 30
      step: 0.5
      low: 18
      high: 24
      min_gap: 2
      marker: 20.5
      ticks: {every: 1, label_every: 5}
    """,
    "color": """
    - color: lamp
      at: [240, 160]
      radius: 136
      value: "#ff8800"
    """,
    "toggle": """
    - toggle: light
      at: [240, 160]
      size: [256, 72]
      label: Light
      value: true
    """,
    "chart": """
    - chart: steam
      at: [240, 160]
      size: [416, 256]
      seconds: 30
      unit: " bar"
      format: ".1f"
    """,
    "qr": """
    - qr: address
      at: [240, 160]
      size: [256, 256]
      text: https://www.debian.org/
    """,
    "keypad": """
    - keypad: code
      at: [240, 160]
      size: [232, 304]
      layout: pin
      length: 4
      on: {entered: [{emit: opened, when: event.text == '2580'}]}
    """,
    "list": """
    - list: trains
      at: [240, 160]
      size: [416, 272]
      row_height: 64
      items:
        - {id: airport, label: Airport, detail: "08:12"}
        - {id: harbour, label: Harbour, detail: "08:15"}
        - {id: lakes, label: Lakes, detail: "08:31"}
        - {id: hills, label: Hills, detail: "08:40", enabled: false}
        - {id: coast, label: Coast, detail: "08:44"}
    """,
  ]
}
