// SPDX-License-Identifier: MIT

internal import RoundelControls
package import RoundelExpressions

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
    ja: String, tr: String, uk: String
  ) {
    self.name = name
    self.summary = summary
    words = [en, de, fr, es, ar, ja, tr, uk]
  }

  private init(_ name: String, _ summary: String, same words: String) {
    self.init(
      name, summary, en: words, de: words, fr: words, es: words, ar: words, ja: words, tr: words,
      uk: words)
  }

  /// Joins fields, and a word of each language instead of `role`, by the language's commas.
  private init(
    _ name: String, _ summary: String, _ parts: [String], en: String = "", de: String = "",
    fr: String = "", es: String = "", ar: String = "", ja: String = "", tr: String = "",
    uk: String = ""
  ) {
    func joined(_ role: String, _ comma: String = ", ") -> String {
      parts.map { $0 == "role" ? role : "{\($0)}" }.joined(separator: comma)
    }
    self.init(
      name, summary, en: joined(en), de: joined(de), fr: joined(fr), es: joined(es),
      ar: joined(ar, "، "), ja: joined(ja, "、"), tr: joined(tr), uk: joined(uk))
  }

  /// The languages with built-in sentences. The first is the fallback.
  package static let languages = ["en", "de", "fr", "es", "ar", "ja", "tr", "uk"]

  /// The languages whose sentences no speaker has read yet.
  package static let unread = ["tr", "uk"]

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
    ("low", .text, "The lower number of two."),
    ("high", .text, "The higher number of two."),
  ]

  package static let kinds = fields.reduce(into: [String: Value.Kind]()) { $0[$1.name] = $1.kind }

  private static let byName = all.reduce(into: [String: Phrase]()) { $0[$1.name] = $1 }

  package static func named(_ name: String) -> Phrase? { byName[name] }

  /// Returns the built-in words, as written in a file.
  package func words(in language: String) -> String {
    words[Self.languages.firstIndex(of: Self.base(of: language)) ?? 0]
  }

  /// Whether a language has built-in sentences.
  package static func speaks(_ language: String) -> Bool {
    languages.contains(base(of: language))
  }

  private static func base(of language: String) -> String {
    String(language.prefix { $0 != "-" && $0 != "_" }).lowercased()
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
  static func normalized(_ text: String) -> String {
    var (normalized, piece, sign) = ("", "", "")
    func endPiece() {
      let words = piece.drop { $0 == " " }
      piece = ""
      guard !words.isEmpty else { return }
      normalized += normalized.isEmpty ? words : sign + words
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
    while normalized.last == " " { normalized.removeLast() }
    return normalized
  }
}

// MARK: The sentences

extension Phrase {
  static let page = Phrase("spoken_page", "The current page.", same: "{label}")
  static let button = Phrase(
    "spoken_button", "A button, or a control that is pressed like a button.",
    ["label", "role", "state", "hint"], en: "button", de: "Taste", fr: "bouton", es: "botón",
    ar: "زر", ja: "ボタン", tr: "düğme", uk: "кнопка")
  static let toggle = Phrase(
    "spoken_toggle", "A switch.", ["label", "role", "state", "hint"], en: "switch", de: "Schalter",
    fr: "interrupteur", es: "interruptor", ar: "مفتاح", ja: "スイッチ", tr: "anahtar", uk: "перемикач")
  static let dial = Phrase(
    "spoken_dial", "A dial.", ["label", "role", "value", "position", "state", "hint"], en: "dial",
    de: "Drehscheibe", fr: "molette", es: "dial", ar: "قرص", ja: "ダイヤル", tr: "kadran", uk: "диск")
  static let ring = Phrase(
    "spoken_ring", "A ring.", ["label", "role", "value", "state", "hint"], en: "slider",
    de: "Regler", fr: "curseur", es: "control deslizante", ar: "شريط تمرير", ja: "スライダー",
    tr: "kaydırıcı", uk: "повзунок")
  static let bar = Phrase(
    "spoken_bar", "A bar.", ["label", "role", "value", "state", "hint"], en: "slider",
    de: "Regler", fr: "curseur", es: "control deslizante", ar: "شريط تمرير", ja: "スライダー",
    tr: "kaydırıcı", uk: "повзунок")
  static let picker = Phrase(
    "spoken_picker", "A picker.", ["label", "role", "value", "state", "hint"], en: "wheels",
    de: "Räder", fr: "rouleaux", es: "ruedas", ar: "عجلات", ja: "ホイール", tr: "tekerlekler",
    uk: "колеса")
  static let resistor = Phrase(
    "spoken_resistor", "A resistor.", ["label", "role", "value", "state", "hint"], en: "resistor",
    de: "Widerstand", fr: "résistance", es: "resistencia", ar: "مقاومة", ja: "抵抗器", tr: "direnç",
    uk: "резистор")
  static let slots = Phrase(
    "spoken_slots", "A slot machine.", ["label", "role", "value", "state", "hint"],
    en: "slot machine", de: "Spielautomat", fr: "machine à sous", es: "tragaperras", ar: "آلة حظ",
    ja: "スロット", tr: "slot makinesi", uk: "гральний автомат")
  static let menu = Phrase(
    "spoken_menu", "A menu.", ["label", "role", "state", "hint"], en: "menu", de: "Menü",
    fr: "menu", es: "menú", ar: "قائمة", ja: "メニュー", tr: "menü", uk: "меню")
  static let pinwheel = Phrase(
    "spoken_pinwheel", "A pinwheel.", ["label", "role", "value", "state", "hint"], en: "choices",
    de: "Auswahl", fr: "choix", es: "opciones", ar: "خيارات", ja: "選択肢", tr: "seçenekler",
    uk: "варіанти")
  static let list = Phrase(
    "spoken_list", "A list.", ["label", "role", "value", "state", "hint"], en: "list", de: "Liste",
    fr: "liste", es: "lista", ar: "قائمة عناصر", ja: "リスト", tr: "liste", uk: "список")
  static let keypad = Phrase(
    "spoken_keypad", "A keypad.", ["label", "role", "value", "state", "hint"], en: "keypad",
    de: "Tastenfeld", fr: "clavier", es: "teclado", ar: "لوحة مفاتيح", ja: "キーパッド",
    tr: "tuş takımı", uk: "клавіатура")
  static let label = Phrase("spoken_label", "A label.", same: "{label}")
  static let image = Phrase(
    "spoken_image", "An image.", ["label", "role"], en: "picture", de: "Bild", fr: "image",
    es: "imagen", ar: "صورة", ja: "画像", tr: "resim", uk: "зображення")
  static let chart = Phrase(
    "spoken_chart", "A chart.", ["label", "role", "value"], en: "chart", de: "Diagramm",
    fr: "graphique", es: "gráfico", ar: "رسم بياني", ja: "グラフ", tr: "grafik", uk: "діаграма")
  static let qr = Phrase(
    "spoken_qr", "A QR code.", ["label", "role"], en: "QR code", de: "QR-Code", fr: "code QR",
    es: "código QR", ar: "رمز QR", ja: "QRコード", tr: "QR kodu", uk: "QR-код")
  static let red = Phrase(
    "spoken_red", "The colour.", en: "red", de: "Rot", fr: "rouge", es: "rojo", ar: "أحمر",
    ja: "赤", tr: "kırmızı", uk: "червоний")
  static let orange = Phrase(
    "spoken_orange", "The colour.", en: "orange", de: "Orange", fr: "orange", es: "naranja",
    ar: "برتقالي",
    ja: "オレンジ", tr: "turuncu", uk: "помаранчевий")
  static let yellow = Phrase(
    "spoken_yellow", "The colour.", en: "yellow", de: "Gelb", fr: "jaune", es: "amarillo",
    ar: "أصفر",
    ja: "黄色", tr: "sarı", uk: "жовтий")
  static let lime = Phrase(
    "spoken_lime", "The colour.", en: "lime", de: "Limettengrün", fr: "vert citron",
    es: "verde lima", ar: "أخضر ليموني",
    ja: "黄緑", tr: "misket limonu yeşili", uk: "лаймовий")
  static let green = Phrase(
    "spoken_green", "The colour.", en: "green", de: "Grün", fr: "vert", es: "verde", ar: "أخضر",
    ja: "緑", tr: "yeşil", uk: "зелений")
  static let mint = Phrase(
    "spoken_mint", "The colour.", en: "mint", de: "Minzgrün", fr: "vert menthe", es: "verde menta",
    ar: "أخضر نعناعي",
    ja: "ミントグリーン", tr: "nane yeşili", uk: "м’ятний")
  static let turquoise = Phrase(
    "spoken_turquoise", "The colour.", en: "turquoise", de: "Türkis", fr: "turquoise",
    es: "turquesa", ar: "فيروزي",
    ja: "ターコイズ", tr: "turkuaz", uk: "бірюзовий")
  static let azure = Phrase(
    "spoken_azure", "The colour.", en: "sky blue", de: "Himmelblau", fr: "bleu ciel",
    es: "azul celeste", ar: "أزرق سماوي",
    ja: "空色", tr: "gök mavisi", uk: "блакитний")
  static let blue = Phrase(
    "spoken_blue", "The colour.", en: "blue", de: "Blau", fr: "bleu", es: "azul", ar: "أزرق",
    ja: "青", tr: "mavi", uk: "синій")
  static let violet = Phrase(
    "spoken_violet", "The colour.", en: "violet", de: "Violett", fr: "violet", es: "violeta",
    ar: "بنفسجي",
    ja: "紫", tr: "mor", uk: "фіолетовий")
  static let magenta = Phrase(
    "spoken_magenta", "The colour.", en: "magenta", de: "Magenta", fr: "magenta", es: "magenta",
    ar: "أرجواني",
    ja: "マゼンタ", tr: "macenta", uk: "пурпуровий")
  static let pink = Phrase(
    "spoken_pink", "The colour.", en: "pink", de: "Rosa", fr: "rose", es: "rosa", ar: "وردي",
    ja: "ピンク", tr: "pembe", uk: "рожевий")
  static let white = Phrase(
    "spoken_white", "The colour.", en: "white", de: "Weiß", fr: "blanc", es: "blanco", ar: "أبيض",
    ja: "白", tr: "beyaz", uk: "білий")
  static let warmWhite = Phrase(
    "spoken_warm_white", "The colour.", en: "warm white", de: "Warmweiß", fr: "blanc chaud",
    es: "blanco cálido", ar: "أبيض دافئ",
    ja: "電球色", tr: "sıcak beyaz", uk: "теплий білий")
  static let daylight = Phrase(
    "spoken_daylight", "The colour.", en: "daylight white", de: "Tageslichtweiß",
    fr: "blanc lumière du jour", es: "blanco luz de día", ar: "أبيض نهاري",
    ja: "昼光色", tr: "gün ışığı beyazı", uk: "денний білий")
  static let pale = Phrase(
    "spoken_pale", "A colour of low saturation.", en: "pale {label}", de: "blasses {label}",
    fr: "{label} pâle", es: "{label} pálido", ar: "{label} باهت", ja: "薄い{label}",
    tr: "soluk {label}", uk: "блідий {label}")
  static let hue = Phrase(
    "spoken_hue", "The hue of a colour.", en: "hue", de: "Farbton", fr: "teinte", es: "tono",
    ar: "تدرج اللون", ja: "色相", tr: "renk tonu", uk: "відтінок")
  static let saturation = Phrase(
    "spoken_saturation", "The saturation of a colour.", en: "saturation", de: "Sättigung",
    fr: "saturation", es: "saturación", ar: "التشبع", ja: "彩度", tr: "doygunluk", uk: "насиченість")
  static let color = Phrase(
    "spoken_color", "A wheel of colours.", ["label", "role", "value", "state", "hint"],
    en: "colour", de: "Farbe", fr: "couleur", es: "color", ar: "لون", ja: "カラー", tr: "renk",
    uk: "колір")
  static let item = Phrase(
    "spoken_item", "A wedge, leaf, row, key or wheel.", ["label", "value", "position", "state"])
  static let position = Phrase(
    "spoken_position", "The position among siblings.", en: "{number} of {count}",
    de: "{number} von {count}", fr: "{number} sur {count}", es: "{number} de {count}",
    ar: "{number} من {count}", ja: "{count}個中{number}番目", tr: "{count} öğeden {number}.",
    uk: "{number} з {count}")
  static let range = Phrase(
    "spoken_range", "The two numbers of a ring or bar.", en: "from {low} to {high}",
    de: "von {low} bis {high}", fr: "de {low} à {high}", es: "de {low} a {high}",
    ar: "من {low} إلى {high}", ja: "{low}から{high}まで", tr: "{low} ile {high} arası",
    uk: "від {low} до {high}")
  static let low = Phrase(
    "spoken_low", "The lower number of two.", en: "from", de: "von", fr: "de", es: "desde",
    ar: "من", ja: "下限", tr: "alt sınır", uk: "від")
  static let high = Phrase(
    "spoken_high", "The higher number of two.", en: "to", de: "bis", fr: "à", es: "hasta",
    ar: "إلى", ja: "上限", tr: "üst sınır", uk: "до")
  static let on = Phrase(
    "spoken_on", "The state of an element that is on.", en: "on", de: "ein", fr: "activé",
    es: "activado", ar: "مُشغَّل", ja: "オン", tr: "açık", uk: "увімкнено")
  static let off = Phrase(
    "spoken_off", "The state of an element that is off.", en: "off", de: "aus", fr: "désactivé",
    es: "desactivado", ar: "مُطفأ", ja: "オフ", tr: "kapalı", uk: "вимкнено")
  static let unavailable = Phrase(
    "spoken_unavailable", "The state of disabled elements.", en: "unavailable",
    de: "nicht verfügbar", fr: "indisponible", es: "no disponible", ar: "غير متاح", ja: "使用不可",
    tr: "kullanılamıyor", uk: "недоступно")
  static let selected = Phrase(
    "spoken_selected", "An element was selected.", ["label", "role"], en: "chosen", de: "gewählt",
    fr: "choisi", es: "elegido", ar: "تم الاختيار", ja: "選択しました", tr: "seçildi", uk: "вибрано")
  static let changed = Phrase("spoken_changed", "A switch was changed.", ["label", "state"])
  static let passing = Phrase(
    "spoken_passing", "A control reached a detent during a movement.", same: "{value}")
  static let settled = Phrase("spoken_settled", "A control came to rest.", same: "{value}")
  static let started = Phrase(
    "spoken_started", "A spin started.", en: "turning", de: "dreht sich", fr: "ça tourne",
    es: "girando", ar: "يدور", ja: "回転中", tr: "dönüyor", uk: "обертається")
  static let typed = Phrase("spoken_typed", "A key was typed.", same: "{key}")
  static let deleted = Phrase(
    "spoken_deleted", "A character was deleted.", en: "deleted", de: "gelöscht", fr: "effacé",
    es: "borrado", ar: "تم الحذف", ja: "削除", tr: "silindi", uk: "видалено")
  static let entered = Phrase(
    "spoken_entered", "The text was entered.", ["text", "role"], en: "entered", de: "eingegeben",
    fr: "validé", es: "introducido", ar: "تم الإدخال", ja: "入力しました", tr: "girildi", uk: "введено")
  static let keyDelete = Phrase(
    "spoken_key_delete", "The delete key of a keypad.", en: "delete", de: "löschen", fr: "effacer",
    es: "borrar", ar: "حذف", ja: "削除", tr: "sil", uk: "видалити")
  static let keyEnter = Phrase(
    "spoken_key_enter", "The enter key of a keypad.", en: "enter", de: "Eingabe", fr: "valider",
    es: "intro", ar: "إدخال", ja: "入力", tr: "giriş", uk: "ввід")
  static let keySpace = Phrase(
    "spoken_key_space", "The space key of a keypad.", en: "space", de: "Leertaste", fr: "espace",
    es: "espacio", ar: "مسافة", ja: "スペース", tr: "boşluk", uk: "пробіл")
  static let keyShift = Phrase(
    "spoken_key_shift", "The shift key of a keypad.", en: "capitals", de: "Großbuchstaben",
    fr: "majuscules", es: "mayúsculas", ar: "أحرف كبيرة", ja: "大文字", tr: "büyük harfler",
    uk: "великі літери")
  static let keySymbols = Phrase(
    "spoken_key_symbols", "The symbols key of a keypad.", en: "symbols", de: "Zeichen",
    fr: "symboles", es: "símbolos", ar: "رموز", ja: "記号", tr: "simgeler", uk: "символи")
  static let closed = Phrase(
    "spoken_closed", "A menu was closed.", en: "closed", de: "geschlossen", fr: "fermé",
    es: "cerrado", ar: "مغلق", ja: "閉じました", tr: "kapandı", uk: "закрито")
  static let failed = Phrase(
    "spoken_failed", "An operation failed.", en: "That did not work.",
    de: "Das hat nicht geklappt.", fr: "Cela n'a pas fonctionné.", es: "Eso no ha funcionado.",
    ar: "لم ينجح ذلك.", ja: "うまくいきませんでした。", tr: "Bu işe yaramadı.", uk: "Не вдалося.")
  static let hintPress = Phrase(
    "spoken_hint_press", "The hint that Enter selects the element.", en: "Enter chooses it",
    de: "Eingabe wählt es", fr: "Entrée le choisit", es: "Intro lo elige", ar: "زر الإدخال يختاره",
    ja: "エンターで選択", tr: "Giriş tuşu seçer", uk: "Ввід вибирає")
  static let hintEnter = Phrase(
    "spoken_hint_enter", "The hint that Enter activates the control, and arrows then change it.",
    en: "Enter, then the arrows", de: "Eingabe, dann die Pfeile", fr: "Entrée, puis les flèches",
    es: "Intro y luego las flechas", ar: "زر الإدخال ثم الأسهم", ja: "エンターの後に矢印キー",
    tr: "Giriş, sonra ok tuşları", uk: "Ввід, потім стрілки")
  static let hintTurn = Phrase(
    "spoken_hint_turn", "The hint that arrows change the value.", en: "the arrows change it",
    de: "die Pfeile ändern es", fr: "les flèches le changent", es: "las flechas lo cambian",
    ar: "الأسهم تغيره", ja: "矢印キーで変更", tr: "ok tuşları değiştirir", uk: "стрілки змінюють")
  static let faster = Phrase(
    "spoken_faster", "The speed was increased.", en: "faster", de: "schneller", fr: "plus vite",
    es: "más rápido", ar: "أسرع", ja: "速く", tr: "daha hızlı", uk: "швидше")
  static let slower = Phrase(
    "spoken_slower", "The speed was decreased.", en: "slower", de: "langsamer",
    fr: "plus lentement", es: "más lento", ar: "أبطأ", ja: "遅く", tr: "daha yavaş", uk: "повільніше")
  static let louder = Phrase(
    "spoken_louder", "The volume was increased.", en: "louder", de: "lauter", fr: "plus fort",
    es: "más alto", ar: "أعلى", ja: "大きく", tr: "daha yüksek", uk: "гучніше")
  static let quieter = Phrase(
    "spoken_quieter", "The volume was decreased.", en: "quieter", de: "leiser", fr: "moins fort",
    es: "más bajo", ar: "أخفض", ja: "小さく", tr: "daha alçak", uk: "тихіше")
  static let stillThere = Phrase(
    "still_there", "The question after a time of inactivity.", en: "Still there?", de: "Noch da?",
    fr: "Toujours là ?", es: "¿Sigue ahí?", ar: "هل ما زلت هنا؟", ja: "まだいらっしゃいますか？",
    tr: "Hâlâ orada mısınız?", uk: "Ви ще тут?")
  static let stillHere = Phrase(
    "still_here", "The answer to the question, on the button.", en: "Yes", de: "Ja", fr: "Oui",
    es: "Sí", ar: "نعم", ja: "はい", tr: "Evet", uk: "Так")

  package static let all = [
    page, button, toggle, dial, ring, bar, picker, resistor, slots, menu, pinwheel, list, keypad,
    label,
    image, chart, qr, color, red, orange, yellow, lime, green, mint, turquoise, azure, blue, violet,
    magenta, pink, white, warmWhite, daylight, pale, hue, saturation, item, position, range, low,
    high, on, off, unavailable, selected, changed, passing, settled,
    started, typed, deleted, entered, keyDelete, keyEnter, keySpace, keyShift, keySymbols, closed,
    failed, hintPress, hintEnter, hintTurn, faster, slower, louder, quieter, stillThere, stillHere,
  ]
}
