// SPDX-License-Identifier: MIT

internal import CRoundelHarfBuzz

enum Script {
  /// Common scalars, such as spaces, get the script of the preceding or, at the beginning, the
  /// following scalars. In a paragraph of only common scalars, such as emoji, marks and joiners are
  /// common as well.
  static func resolved(of letters: [Unicode.Scalar]) -> [hb_script_t] {
    // The functions are a static object.
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
