// SPDX-License-Identifier: MIT

internal import CHarfBuzz

/// The scripts that letters belong to.
enum Script {
  /// The script of each letter of a paragraph. Letters of several scripts, such as spaces and full stops, have
  /// the script of the letters before them, and at the beginning of those that follow. In a paragraph of such
  /// letters alone, as a row of emoji, marks and joiners have the script of the others.
  static func resolved(of letters: [Unicode.Scalar]) -> [hb_script_t] {
    // Never ends.
    let functions = unsafe hb_unicode_funcs_get_default()
    var scripts = letters.map { unsafe hb_unicode_script(functions, $0.value) }
    func isOwn(_ script: hb_script_t) -> Bool {
      script != HB_SCRIPT_COMMON && script != HB_SCRIPT_INHERITED && script != HB_SCRIPT_UNKNOWN
    }
    guard var last = scripts.first(where: isOwn) else {
      return letters.map { _ in HB_SCRIPT_COMMON }
    }
    for number in scripts.indices {
      if isOwn(scripts[number]) { last = scripts[number] } else { scripts[number] = last }
    }
    return scripts
  }
}
