// SPDX-License-Identifier: MIT

internal import Controls
package import Expressions

/// A spoken sentence, built in for some languages, which a kiosk may replace.
///
/// Names in braces stand for fields, which names of the kiosk don't hide. An empty field also
/// removes the adjacent comma.
package struct Phrase: Sendable {
  package let name: String
  package let summary: String
  /// In the order of `languages`.
  private let words: [String]

  private init(
    _ name: String, _ summary: String, en: String, de: String, fr: String, es: String, ar: String,
    ja: String
  ) {
    self.name = name
    self.summary = summary
    words = [en, de, fr, es, ar, ja]
  }

  private init(_ name: String, _ summary: String, same words: String) {
    self.init(name, summary, en: words, de: words, fr: words, es: words, ar: words, ja: words)
  }

  /// The languages with built-in sentences. The first is the fallback.
  package static let languages = ["en", "de", "fr", "es", "ar", "ja"]

  /// The additional names that sentences may read.
  package static let fields: [(name: String, kind: Value.Kind, summary: String)] = [
    ("label", .text, "The name: `spoken`, or the text, or the id."),
    ("value", .text, "The value, as spoken."),
    ("position", .text, "The position among its siblings, in the words of `spoken_position`."),
    ("state", .text, "The state: on, off or unavailable."),
    ("hint", .text, "The effect of keys."),
    ("number", .number, "The position among its siblings, from 1."),
    (
      "count", .number,
      "The number of siblings, including this one, or the number of typed characters of a PIN."
    ),
    ("key", .text, "The key that was typed."),
    ("text", .text, "The text that was entered."),
  ]

  package static let kinds = fields.reduce(into: [String: Value.Kind]()) { $0[$1.name] = $1.kind }

  private static let byName = all.reduce(into: [String: Phrase]()) { $0[$1.name] = $1 }

  package static func named(_ name: String) -> Phrase? { byName[name] }

  /// Returns the built-in words, as written in a file.
  package func words(in language: String) -> String {
    let base = String(language.prefix { $0 != "-" && $0 != "_" }).lowercased()
    return words[Self.languages.firstIndex(of: base) ?? 0]
  }

  func template(in language: String) -> TextTemplate {
    let words = words(in: language)
    // Tests check that these are templates of these names.
    return (try? Template(words).resolved(in: SentenceNames())) ?? TextTemplate(literal: words)
  }

  private struct SentenceNames: NameSpace {
    func find(_ path: NamePath) -> (name: Reference, kind: Value.Kind)? {
      guard path.parts.count == 1, let kind = kinds[path.parts[0]] else { return nil }
      return (.event(path.parts[0]), kind)
    }
  }

  /// Removes the commas next to empty fields.
  static func tidied(_ text: String) -> String {
    var (tidied, piece, sign) = ("", "", "")
    func endPiece() {
      let words = piece.drop { $0 == " " }
      piece = ""
      guard !words.isEmpty else { return }
      tidied += tidied.isEmpty ? words : sign + words
    }
    for (letter, next) in zip(text, text.dropFirst() + " ") {
      // Ignore commas within numbers.
      if letter == "،" || letter == "、" || letter == "," && next == " " {
        endPiece()
        sign = letter == "、" ? "、" : "\(letter) "
      } else {
        piece.append(letter)
      }
    }
    endPiece()
    while tidied.last == " " { tidied.removeLast() }
    return tidied
  }
}

// MARK: The sentences

extension Phrase {
  static let page = Phrase("spoken_page", "The current page.", same: "{label}")
  static let button = Phrase(
    "spoken_button", "A button, or a control that is pressed like a button.",
    en: "{label}, button, {state}, {hint}", de: "{label}, Taste, {state}, {hint}",
    fr: "{label}, bouton, {state}, {hint}", es: "{label}, botón, {state}, {hint}",
    ar: "{label}، زر، {state}، {hint}", ja: "{label}、ボタン、{state}、{hint}")
  static let toggle = Phrase(
    "spoken_toggle", "A switch.", en: "{label}, switch, {state}, {hint}",
    de: "{label}, Schalter, {state}, {hint}", fr: "{label}, interrupteur, {state}, {hint}",
    es: "{label}, interruptor, {state}, {hint}", ar: "{label}، مفتاح، {state}، {hint}",
    ja: "{label}、スイッチ、{state}、{hint}")
  static let dial = Phrase(
    "spoken_dial", "A dial.", en: "{label}, dial, {value}, {position}, {state}, {hint}",
    de: "{label}, Drehscheibe, {value}, {position}, {state}, {hint}",
    fr: "{label}, molette, {value}, {position}, {state}, {hint}",
    es: "{label}, dial, {value}, {position}, {state}, {hint}",
    ar: "{label}، قرص، {value}، {position}، {state}، {hint}",
    ja: "{label}、ダイヤル、{value}、{position}、{state}、{hint}")
  static let ring = Phrase(
    "spoken_ring", "A ring.", en: "{label}, slider, {value}, {state}, {hint}",
    de: "{label}, Regler, {value}, {state}, {hint}",
    fr: "{label}, curseur, {value}, {state}, {hint}",
    es: "{label}, control deslizante, {value}, {state}, {hint}",
    ar: "{label}، شريط تمرير، {value}، {state}، {hint}", ja: "{label}、スライダー、{value}、{state}、{hint}")
  static let picker = Phrase(
    "spoken_picker", "A picker.", en: "{label}, wheels, {value}, {state}, {hint}",
    de: "{label}, Räder, {value}, {state}, {hint}",
    fr: "{label}, rouleaux, {value}, {state}, {hint}",
    es: "{label}, ruedas, {value}, {state}, {hint}", ar: "{label}، عجلات، {value}، {state}، {hint}",
    ja: "{label}、ホイール、{value}、{state}、{hint}")
  static let resistor = Phrase(
    "spoken_resistor", "A resistor.", en: "{label}, resistor, {value}, {state}, {hint}",
    de: "{label}, Widerstand, {value}, {state}, {hint}",
    fr: "{label}, résistance, {value}, {state}, {hint}",
    es: "{label}, resistencia, {value}, {state}, {hint}",
    ar: "{label}، مقاومة، {value}، {state}، {hint}", ja: "{label}、抵抗器、{value}、{state}、{hint}")
  static let slots = Phrase(
    "spoken_slots", "A slot machine.", en: "{label}, slot machine, {value}, {state}, {hint}",
    de: "{label}, Spielautomat, {value}, {state}, {hint}",
    fr: "{label}, machine à sous, {value}, {state}, {hint}",
    es: "{label}, tragaperras, {value}, {state}, {hint}",
    ar: "{label}، آلة حظ، {value}، {state}، {hint}", ja: "{label}、スロット、{value}、{state}、{hint}")
  static let menu = Phrase(
    "spoken_menu", "A menu.", en: "{label}, menu, {state}, {hint}",
    de: "{label}, Menü, {state}, {hint}", fr: "{label}, menu, {state}, {hint}",
    es: "{label}, menú, {state}, {hint}", ar: "{label}، قائمة، {state}، {hint}",
    ja: "{label}、メニュー、{state}、{hint}")
  static let pinwheel = Phrase(
    "spoken_pinwheel", "A pinwheel.", en: "{label}, choices, {value}, {state}, {hint}",
    de: "{label}, Auswahl, {value}, {state}, {hint}",
    fr: "{label}, choix, {value}, {state}, {hint}",
    es: "{label}, opciones, {value}, {state}, {hint}",
    ar: "{label}، خيارات، {value}، {state}، {hint}", ja: "{label}、選択肢、{value}、{state}、{hint}")
  static let list = Phrase(
    "spoken_list", "A list.", en: "{label}, list, {value}, {state}, {hint}",
    de: "{label}, Liste, {value}, {state}, {hint}", fr: "{label}, liste, {value}, {state}, {hint}",
    es: "{label}, lista, {value}, {state}, {hint}",
    ar: "{label}، قائمة عناصر، {value}، {state}، {hint}", ja: "{label}、リスト、{value}、{state}、{hint}")
  static let keypad = Phrase(
    "spoken_keypad", "A keypad.", en: "{label}, keypad, {value}, {state}, {hint}",
    de: "{label}, Tastenfeld, {value}, {state}, {hint}",
    fr: "{label}, clavier, {value}, {state}, {hint}",
    es: "{label}, teclado, {value}, {state}, {hint}",
    ar: "{label}، لوحة مفاتيح، {value}، {state}، {hint}", ja: "{label}、キーパッド、{value}、{state}、{hint}"
  )
  static let label = Phrase("spoken_label", "A label.", same: "{label}")
  static let image = Phrase(
    "spoken_image", "An image.", en: "{label}, picture", de: "{label}, Bild", fr: "{label}, image",
    es: "{label}, imagen", ar: "{label}، صورة", ja: "{label}、画像")
  static let chart = Phrase(
    "spoken_chart", "A chart.", en: "{label}, chart, {value}", de: "{label}, Diagramm, {value}",
    fr: "{label}, graphique, {value}", es: "{label}, gráfico, {value}",
    ar: "{label}، رسم بياني، {value}", ja: "{label}、グラフ、{value}")
  static let qr = Phrase(
    "spoken_qr", "A QR code.", en: "{label}, QR code", de: "{label}, QR-Code",
    fr: "{label}, code QR", es: "{label}, código QR", ar: "{label}، رمز QR", ja: "{label}、QRコード")
  static let item = Phrase(
    "spoken_item", "A wedge, leaf, row, key or wheel.", en: "{label}, {value}, {position}, {state}",
    de: "{label}, {value}, {position}, {state}", fr: "{label}, {value}, {position}, {state}",
    es: "{label}, {value}, {position}, {state}", ar: "{label}، {value}، {position}، {state}",
    ja: "{label}、{value}、{position}、{state}")
  static let position = Phrase(
    "spoken_position", "The position among siblings.", en: "{number} of {count}",
    de: "{number} von {count}", fr: "{number} sur {count}", es: "{number} de {count}",
    ar: "{number} من {count}", ja: "{count}個中{number}番目")
  static let on = Phrase(
    "spoken_on", "The state of an element that is on.", en: "on", de: "ein", fr: "activé",
    es: "activado",
    ar: "مُشغَّل", ja: "オン")
  static let off = Phrase(
    "spoken_off", "The state of an element that is off.", en: "off", de: "aus", fr: "désactivé",
    es: "desactivado", ar: "مُطفأ", ja: "オフ")
  static let unavailable = Phrase(
    "spoken_unavailable", "The state of disabled elements.", en: "unavailable",
    de: "nicht verfügbar", fr: "indisponible", es: "no disponible", ar: "غير متاح", ja: "使用不可")
  static let selected = Phrase(
    "spoken_selected", "An element was selected.", en: "{label}, chosen", de: "{label}, gewählt",
    fr: "{label}, choisi", es: "{label}, elegido", ar: "{label}، تم الاختيار", ja: "{label}、選択しました")
  static let changed = Phrase(
    "spoken_changed", "A switch was changed.", en: "{label}, {state}", de: "{label}, {state}",
    fr: "{label}, {state}", es: "{label}, {state}", ar: "{label}، {state}", ja: "{label}、{state}")
  static let passing = Phrase(
    "spoken_passing", "A control reached a detent during a movement.", same: "{value}")
  static let settled = Phrase("spoken_settled", "A control came to rest.", same: "{value}")
  static let started = Phrase(
    "spoken_started", "A spin started.", en: "turning", de: "dreht sich", fr: "ça tourne",
    es: "girando", ar: "يدور", ja: "回転中")
  static let typed = Phrase("spoken_typed", "A key was typed.", same: "{key}")
  static let deleted = Phrase(
    "spoken_deleted", "A character was deleted.", en: "deleted", de: "gelöscht", fr: "effacé",
    es: "borrado", ar: "تم الحذف", ja: "削除")
  static let entered = Phrase(
    "spoken_entered", "The text was entered.", en: "{text}, entered", de: "{text}, eingegeben",
    fr: "{text}, validé", es: "{text}, introducido", ar: "{text}، تم الإدخال", ja: "{text}、入力しました")
  static let keyDelete = Phrase(
    "spoken_key_delete", "The delete key of a keypad.", en: "delete", de: "löschen", fr: "effacer",
    es: "borrar", ar: "حذف", ja: "削除")
  static let keyEnter = Phrase(
    "spoken_key_enter", "The enter key of a keypad.", en: "enter", de: "Eingabe", fr: "valider",
    es: "intro", ar: "إدخال", ja: "入力")
  static let keySpace = Phrase(
    "spoken_key_space", "The space key of a keypad.", en: "space", de: "Leertaste", fr: "espace",
    es: "espacio", ar: "مسافة", ja: "スペース")
  static let keyShift = Phrase(
    "spoken_key_shift", "The shift key of a keypad.", en: "capitals", de: "Großbuchstaben",
    fr: "majuscules", es: "mayúsculas", ar: "أحرف كبيرة", ja: "大文字")
  static let keySymbols = Phrase(
    "spoken_key_symbols", "The symbols key of a keypad.", en: "symbols", de: "Zeichen",
    fr: "symboles", es: "símbolos", ar: "رموز", ja: "記号")
  static let closed = Phrase(
    "spoken_closed", "A menu was closed.", en: "closed", de: "geschlossen", fr: "fermé",
    es: "cerrado", ar: "مغلق", ja: "閉じました")
  static let failed = Phrase(
    "spoken_failed", "An operation failed.", en: "That did not work.",
    de: "Das hat nicht geklappt.", fr: "Cela n'a pas fonctionné.", es: "Eso no ha funcionado.",
    ar: "لم ينجح ذلك.", ja: "うまくいきませんでした。")
  static let hintPress = Phrase(
    "spoken_hint_press", "The hint that Enter selects the element.", en: "Enter chooses it",
    de: "Eingabe wählt es", fr: "Entrée le choisit", es: "Intro lo elige", ar: "زر الإدخال يختاره",
    ja: "エンターで選択")
  static let hintEnter = Phrase(
    "spoken_hint_enter", "The hint that Enter activates the control, and arrows then change it.",
    en: "Enter, then the arrows", de: "Eingabe, dann die Pfeile", fr: "Entrée, puis les flèches",
    es: "Intro y luego las flechas", ar: "زر الإدخال ثم الأسهم", ja: "エンターの後に矢印キー")
  static let hintTurn = Phrase(
    "spoken_hint_turn", "The hint that arrows change the value.", en: "the arrows change it",
    de: "die Pfeile ändern es", fr: "les flèches le changent", es: "las flechas lo cambian",
    ar: "الأسهم تغيره", ja: "矢印キーで変更")
  static let faster = Phrase(
    "spoken_faster", "The speed was increased.", en: "faster", de: "schneller", fr: "plus vite",
    es: "más rápido", ar: "أسرع", ja: "速く")
  static let slower = Phrase(
    "spoken_slower", "The speed was decreased.", en: "slower", de: "langsamer",
    fr: "plus lentement", es: "más lento", ar: "أبطأ", ja: "遅く")
  static let louder = Phrase(
    "spoken_louder", "The volume was increased.", en: "louder", de: "lauter", fr: "plus fort",
    es: "más alto", ar: "أعلى", ja: "大きく")
  static let quieter = Phrase(
    "spoken_quieter", "The volume was decreased.", en: "quieter", de: "leiser", fr: "moins fort",
    es: "más bajo", ar: "أخفض", ja: "小さく")
  static let stillThere = Phrase(
    "still_there", "The question after a time of inactivity.", en: "Still there?", de: "Noch da?",
    fr: "Toujours là ?", es: "¿Sigue ahí?", ar: "هل ما زلت هنا؟", ja: "まだいらっしゃいますか？")
  static let stillHere = Phrase(
    "still_here", "The answer to the question, on the button.", en: "Yes", de: "Ja", fr: "Oui",
    es: "Sí",
    ar: "نعم", ja: "はい")

  package static let all = [
    page, button, toggle, dial, ring, picker, resistor, slots, menu, pinwheel, list, keypad, label,
    image, chart, qr, item, position, on, off, unavailable, selected, changed, passing, settled,
    started, typed, deleted, entered, keyDelete, keyEnter, keySpace, keyShift, keySymbols, closed,
    failed, hintPress, hintEnter, hintTurn, faster, slower, louder, quieter, stillThere, stillHere,
  ]
}
