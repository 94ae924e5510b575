// SPDX-License-Identifier: MIT

internal import Controls
package import Expressions

/// The sentences of speech: texts that a kiosk may have in words of its own, and that are built in for some
/// languages.
///
/// In a sentence, names in braces stand for what it tells, and nothing of the kiosk hides them. Where one
/// is empty, the comma beside it goes, too.
package enum SpokenSentences {
  /// The names that sentences may read, besides all that texts may.
  package static let fields: [(name: String, kind: Value.Kind, summary: String)] = [
    ("label", .text, "What it is called: its `spoken`, else its own text, else its id."),
    ("value", .text, "Its value, as it is read."),
    ("position", .text, "Its place among others, as `spoken_position` says it."),
    ("state", .text, "Whether it is on, off or unavailable."),
    ("hint", .text, "What keys do with it."),
    ("number", .number, "Its place among others, from 1."),
    ("count", .number, "How many there are; of a PIN, how many letters were typed."),
    ("key", .text, "The key that was typed."),
    ("text", .text, "The text that was entered."),
  ]

  package static let kinds = fields.reduce(into: [String: Value.Kind]()) { $0[$1.name] = $1.kind }

  /// The languages that have built-in sentences; the first stands in for all others.
  package static let languages = ["en", "de", "fr", "es", "ar", "ja"]

  /// Whether a text of this name is a sentence of speech.
  package static func isSentence(_ name: String) -> Bool { built[name] != nil }

  /// The names of all sentences.
  package static var names: [String] { built.keys.sorted() }

  /// The words of a built-in sentence, as a file would have them.
  package static func words(_ name: String, in language: String) -> String? {
    guard let row = built[name] else { return nil }
    let base = String(language.prefix { $0 != "-" && $0 != "_" }).lowercased()
    let index = languages.firstIndex(of: base) ?? 0
    return row.indices.contains(index) ? row[index] : row.first
  }

  /// A built-in sentence.
  static func sentence(_ name: String, in language: String) -> TextTemplate {
    let words = words(name, in: language) ?? ""
    // They are tested to be templates of these names.
    return (try? Template(words).resolved(in: SentenceNames())) ?? TextTemplate(literal: words)
  }

  private struct SentenceNames: NameSpace {
    func find(_ path: NamePath) -> (name: Reference, kind: Value.Kind)? {
      guard path.parts.count == 1, let kind = kinds[path.parts[0]] else { return nil }
      return (.event(path.parts[0]), kind)
    }
  }

  /// The text without the commas beside what was empty.
  static func tidied(_ text: String) -> String {
    var pieces: [String] = []
    var signs: [Character] = []
    var piece = ""
    let letters = Array(text)
    for (index, letter) in letters.enumerated() {
      let isAtEnd = index + 1 == letters.count
      // A comma within a number does not count.
      let ends =
        letter == "،" || letter == "、"
        || letter == "," && (isAtEnd || letters[index + 1] == " ")
      guard ends else {
        piece.append(letter)
        continue
      }
      pieces.append(piece)
      signs.append(letter)
      piece = ""
    }
    pieces.append(piece)
    var tidied = ""
    for (index, piece) in pieces.enumerated() {
      let words = piece.drop { $0 == " " }
      guard words.contains(where: { $0 != " " }) else { continue }
      if !tidied.isEmpty, index > 0 {
        let sign = signs[index - 1]
        tidied += sign == "、" ? "、" : "\(sign) "
      }
      tidied += words
    }
    while tidied.last == " " { tidied.removeLast() }
    return tidied
  }

  /// By name, in the order of `languages`.
  private static let built: [String: [String]] = [
    "spoken_page": ["{label}", "{label}", "{label}", "{label}", "{label}", "{label}"],
    "spoken_button": [
      "{label}, button, {state}, {hint}", "{label}, Taste, {state}, {hint}",
      "{label}, bouton, {state}, {hint}", "{label}, botón, {state}, {hint}",
      "{label}، زر، {state}، {hint}", "{label}、ボタン、{state}、{hint}",
    ],
    "spoken_toggle": [
      "{label}, switch, {state}, {hint}", "{label}, Schalter, {state}, {hint}",
      "{label}, interrupteur, {state}, {hint}", "{label}, interruptor, {state}, {hint}",
      "{label}، مفتاح، {state}، {hint}", "{label}、スイッチ、{state}、{hint}",
    ],
    "spoken_dial": [
      "{label}, dial, {value}, {position}, {state}, {hint}",
      "{label}, Drehscheibe, {value}, {position}, {state}, {hint}",
      "{label}, molette, {value}, {position}, {state}, {hint}",
      "{label}, dial, {value}, {position}, {state}, {hint}",
      "{label}، قرص، {value}، {position}، {state}، {hint}",
      "{label}、ダイヤル、{value}、{position}、{state}、{hint}",
    ],
    "spoken_ring": [
      "{label}, slider, {value}, {state}, {hint}", "{label}, Regler, {value}, {state}, {hint}",
      "{label}, curseur, {value}, {state}, {hint}",
      "{label}, control deslizante, {value}, {state}, {hint}",
      "{label}، شريط تمرير، {value}، {state}، {hint}",
      "{label}、スライダー、{value}、{state}、{hint}",
    ],
    "spoken_picker": [
      "{label}, wheels, {value}, {state}, {hint}", "{label}, Räder, {value}, {state}, {hint}",
      "{label}, rouleaux, {value}, {state}, {hint}", "{label}, ruedas, {value}, {state}, {hint}",
      "{label}، عجلات، {value}، {state}، {hint}", "{label}、ホイール、{value}、{state}、{hint}",
    ],
    "spoken_resistor": [
      "{label}, resistor, {value}, {state}, {hint}",
      "{label}, Widerstand, {value}, {state}, {hint}",
      "{label}, résistance, {value}, {state}, {hint}",
      "{label}, resistencia, {value}, {state}, {hint}",
      "{label}، مقاومة، {value}، {state}، {hint}", "{label}、抵抗器、{value}、{state}、{hint}",
    ],
    "spoken_slots": [
      "{label}, slot machine, {value}, {state}, {hint}",
      "{label}, Spielautomat, {value}, {state}, {hint}",
      "{label}, machine à sous, {value}, {state}, {hint}",
      "{label}, tragaperras, {value}, {state}, {hint}",
      "{label}، آلة حظ، {value}، {state}، {hint}", "{label}、スロット、{value}、{state}、{hint}",
    ],
    "spoken_menu": [
      "{label}, menu, {state}, {hint}", "{label}, Menü, {state}, {hint}",
      "{label}, menu, {state}, {hint}", "{label}, menú, {state}, {hint}",
      "{label}، قائمة، {state}، {hint}", "{label}、メニュー、{state}、{hint}",
    ],
    "spoken_pinwheel": [
      "{label}, choices, {value}, {state}, {hint}", "{label}, Auswahl, {value}, {state}, {hint}",
      "{label}, choix, {value}, {state}, {hint}", "{label}, opciones, {value}, {state}, {hint}",
      "{label}، خيارات، {value}، {state}، {hint}", "{label}、選択肢、{value}、{state}、{hint}",
    ],
    "spoken_list": [
      "{label}, list, {value}, {state}, {hint}", "{label}, Liste, {value}, {state}, {hint}",
      "{label}, liste, {value}, {state}, {hint}", "{label}, lista, {value}, {state}, {hint}",
      "{label}، قائمة عناصر، {value}، {state}، {hint}",
      "{label}、リスト、{value}、{state}、{hint}",
    ],
    "spoken_keypad": [
      "{label}, keypad, {value}, {state}, {hint}",
      "{label}, Tastenfeld, {value}, {state}, {hint}",
      "{label}, clavier, {value}, {state}, {hint}", "{label}, teclado, {value}, {state}, {hint}",
      "{label}، لوحة مفاتيح، {value}، {state}، {hint}",
      "{label}、キーパッド、{value}、{state}、{hint}",
    ],
    "spoken_label": ["{label}", "{label}", "{label}", "{label}", "{label}", "{label}"],
    "spoken_image": [
      "{label}, picture", "{label}, Bild", "{label}, image", "{label}, imagen", "{label}، صورة",
      "{label}、画像",
    ],
    "spoken_chart": [
      "{label}, chart, {value}", "{label}, Diagramm, {value}", "{label}, graphique, {value}",
      "{label}, gráfico, {value}", "{label}، رسم بياني، {value}", "{label}、グラフ、{value}",
    ],
    "spoken_qr": [
      "{label}, QR code", "{label}, QR-Code", "{label}, code QR", "{label}, código QR",
      "{label}، رمز QR", "{label}、QRコード",
    ],
    "spoken_item": [
      "{label}, {value}, {position}, {state}", "{label}, {value}, {position}, {state}",
      "{label}, {value}, {position}, {state}", "{label}, {value}, {position}, {state}",
      "{label}، {value}، {position}، {state}", "{label}、{value}、{position}、{state}",
    ],
    "spoken_position": [
      "{number} of {count}", "{number} von {count}", "{number} sur {count}",
      "{number} de {count}", "{number} من {count}", "{count}個中{number}番目",
    ],
    "spoken_on": ["on", "ein", "activé", "activado", "مُشغَّل", "オン"],
    "spoken_off": ["off", "aus", "désactivé", "desactivado", "مُطفأ", "オフ"],
    "spoken_unavailable": [
      "unavailable", "nicht verfügbar", "indisponible", "no disponible", "غير متاح", "使用不可",
    ],
    "spoken_selected": [
      "{label}, chosen", "{label}, gewählt", "{label}, choisi", "{label}, elegido",
      "{label}، تم الاختيار", "{label}、選択しました",
    ],
    "spoken_changed": [
      "{label}, {state}", "{label}, {state}", "{label}, {state}", "{label}, {state}",
      "{label}، {state}", "{label}、{state}",
    ],
    "spoken_passing": ["{value}", "{value}", "{value}", "{value}", "{value}", "{value}"],
    "spoken_settled": ["{value}", "{value}", "{value}", "{value}", "{value}", "{value}"],
    "spoken_started": ["turning", "dreht sich", "ça tourne", "girando", "يدور", "回転中"],
    "spoken_typed": ["{key}", "{key}", "{key}", "{key}", "{key}", "{key}"],
    "spoken_deleted": ["deleted", "gelöscht", "effacé", "borrado", "تم الحذف", "削除"],
    "spoken_entered": [
      "{text}, entered", "{text}, eingegeben", "{text}, validé", "{text}, introducido",
      "{text}، تم الإدخال", "{text}、入力しました",
    ],
    "spoken_key_delete": ["delete", "löschen", "effacer", "borrar", "حذف", "削除"],
    "spoken_key_enter": ["enter", "Eingabe", "valider", "intro", "إدخال", "入力"],
    "spoken_key_space": ["space", "Leertaste", "espace", "espacio", "مسافة", "スペース"],
    "spoken_key_shift": [
      "capitals", "Großbuchstaben", "majuscules", "mayúsculas", "أحرف كبيرة", "大文字",
    ],
    "spoken_key_symbols": ["signs", "Zeichen", "symboles", "símbolos", "رموز", "記号"],
    "spoken_closed": ["closed", "geschlossen", "fermé", "cerrado", "مغلق", "閉じました"],
    "spoken_failed": [
      "That did not work.", "Das hat nicht geklappt.", "Cela n'a pas fonctionné.",
      "Eso no ha funcionado.", "لم ينجح ذلك.", "うまくいきませんでした。",
    ],
    "spoken_hint_press": [
      "Enter chooses it", "Eingabe wählt es", "Entrée le choisit", "Intro lo elige",
      "زر الإدخال يختاره", "エンターで選択",
    ],
    "spoken_hint_enter": [
      "Enter, then the arrows", "Eingabe, dann die Pfeile", "Entrée, puis les flèches",
      "Intro y luego las flechas", "زر الإدخال ثم الأسهم", "エンターの後に矢印キー",
    ],
    "spoken_hint_turn": [
      "the arrows change it", "die Pfeile ändern es", "les flèches le changent",
      "las flechas lo cambian", "الأسهم تغيره", "矢印キーで変更",
    ],
    "spoken_faster": ["faster", "schneller", "plus vite", "más rápido", "أسرع", "速く"],
    "spoken_slower": ["slower", "langsamer", "plus lentement", "más lento", "أبطأ", "遅く"],
    "spoken_louder": ["louder", "lauter", "plus fort", "más alto", "أعلى", "大きく"],
    "spoken_quieter": ["quieter", "leiser", "moins fort", "más bajo", "أخفض", "小さく"],
    "still_there": [
      "Still there?", "Noch da?", "Toujours là ?", "¿Sigue ahí?", "هل ما زلت هنا؟",
      "まだいらっしゃいますか？",
    ],
    "still_here": ["Yes", "Ja", "Oui", "Sí", "نعم", "はい"],
  ]
}
