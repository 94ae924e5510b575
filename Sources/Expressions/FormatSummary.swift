// SPDX-License-Identifier: MIT

/// The formats of numbers, text and times, for the reference.
package enum FormatSummary {
  /// The reference in Markdown, ending with a line break.
  package static var text: String {
    """
    In a template a format may follow an expression, after a colon; in an expression it is the second of
    `format(x, ".2f")`. Where a kiosk has the texts `decimal_point` and `thousands_separator`, these stand between the
    digits of numbers with a format.

    Numbers and texts have the formats of Python: `[[FILL]ALIGN][SIGN][0][WIDTH][,][.PRECISION][TYPE]`. ALIGN
    is `<`, `>`, `^` or, between sign and digits, `=`; SIGN is `+`, `-` or a space; `,` groups thousands; WIDTH and
    PRECISION are at most \(NumberFormat.maximumLength).

    - `d`: a whole number; others are rounded.
    - `f`, `F`: as many decimals as PRECISION says; 6.
    - `e`, `E`: with an exponent.
    - `g`, `G`: as many digits as PRECISION says.
    - `%`: a percentage.
    - `s`: a text, cut after PRECISION letters.
    - without TYPE: a number with PRECISION as with `g`, and else as without a format: from 1e21 on and below
      0.000001 that is `1e21` and `1e-7`, where `g` and `e` write `1e+21` and `1e-07`.

    Times have the conversions of strftime that need no time zone. `-` after the percent sign leaves the
    filling out, `_` fills with spaces, `0` with zeros, and `^` makes capitals of a name.

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
