// SPDX-License-Identifier: MIT

package enum FormatSummary {
  /// Markdown, ending with a line break.
  package static var text: String {
    """
    In a template, a colon and a format may follow an expression. In an expression, the format is the second argument of
    `format(x, ".2f")`. If a kiosk's `texts` contain `decimal_point` and `thousands_separator`, numbers with a format use
    these separators.

    Numbers and strings have Python's formats: `[[FILL]ALIGN][SIGN][0][WIDTH][,][.PRECISION][TYPE]`. ALIGN
    is `<`, `>`, `^` or, between sign and digits, `=`; SIGN is `+`, `-` or a space; `,` groups thousands; WIDTH and
    PRECISION are at most \(NumberFormat.maximumLength).

    - `d`: a whole number. Other numbers are rounded.
    - `f`, `F`: PRECISION decimals. The default is 6.
    - `e`, `E`: with an exponent.
    - `g`, `G`: PRECISION digits.
    - `%`: a percentage.
    - `s`: a string, cut after PRECISION characters.
    - without TYPE: with PRECISION like `g`, otherwise like a number without a format: from 1e21 and below
      0.000001 that is `1e21` and `1e-7`, while `g` and `e` write `1e+21` and `1e-07`.

    Times have the strftime conversions that don't need a time zone. After the percent sign, `-` omits the
    padding, `_` pads with spaces, `0` pads with zeros, and `^` writes a name in capitals.

    - \(TimeFormat.conversions.map { "`%\($0)`" }.joined(separator: " ")).

    | template | shows |
    |---|---|
    | `{price:.2f}` | 4.50 |
    | `{count:,d}` | 12,345 |
    | `{share:.0%}` | 62% |
    | `{code:04d}` | 0042 |
    | `{now:%H:%M}` | 19:42 |
    | `{now:%A, %-d %B}` | Sunday, 22 November |

    """
  }
}
