// SPDX-License-Identifier: MIT

internal import CHarfBuzz

/// The scripts that letters belong to.
enum Script {
  /// One for each letter of a paragraph. What belongs to several, such as spaces and full stops, goes with
  /// what stands before it, and at the beginning with what follows. Where all does, as in a row of emoji,
  /// marks and joiners go with the rest.
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
