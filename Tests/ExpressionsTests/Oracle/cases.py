#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes cases.json: random expressions, formats and times with their results in Python.

An expression is created and evaluated as a tree, and printed with a separate table of precedences,
so that nothing is parsed here. For another table: cases.py SEED [COUNT] > FILE, then
EXPRESSION_CASES=FILE swift test --filter ExpressionsTests.
"""

import datetime
import json
import math
import random
import sys
from decimal import Decimal

NAMES = {
    "cups": 3.0,
    "temperature": 21.5,
    "zero": 0.0,
    "tiny": 5e-324,
    "huge": 1.7976931348623157e308,
    "dial.value": -7.0,
    "slots.left.index": 0.1,
    "`stop-watch`.value": 59.999,
    "guest": "Ada",
    "empty": "",
    "texts.welcome": "Grüße 🎰, e\u0301",
    "language": "de",
    "open": True,
    "w.b.enabled": False,
}


class Undefined(Exception):
    pass


def kind(value):
    return "flag" if isinstance(value, bool) else "number" if isinstance(value, float) else "text"


def finite(value):
    if not math.isfinite(value):
        raise Undefined
    return value


def display(x):
    """At most 15 digits, with an exponent outside of 1e-6 … 1e21."""
    if x == 0:
        return "0"
    d = Decimal(repr(x)).normalize()
    if len(d.as_tuple().digits) > 15:
        d = Decimal("%.14e" % x).normalize()
    exponent = d.adjusted()
    if -6 <= exponent < 21:
        return format(d, "f")
    digits = "".join(map(str, d.as_tuple().digits))
    sign = "-" if x < 0 else ""
    return sign + digits[0] + ("." + digits[1:] if digits[1:] else "") + "e" + str(exponent)


def half_away(x):
    down = math.floor(abs(x))
    return math.copysign(float(down + (1 if abs(x) - down >= 0.5 else 0)), x)


def string(x):
    return display(x) if kind(x) == "number" else str(x).lower() if kind(x) == "flag" else x


def number(x):
    if kind(x) == "number":
        return x
    try:
        if not x or any(c not in "0123456789+-.eE" for c in x):
            raise ValueError
        return finite(float(x))
    except ValueError:
        raise Undefined


def divide(a, b):
    if b == 0:
        raise Undefined
    # Python raises an overflow error, while IEEE 754 gives infinity.
    return finite(a / b)


def remainder(a, b):
    if b == 0:
        raise Undefined
    return math.fmod(a, b)


def clamp(x, low, high):
    if low > high:
        raise Undefined
    return min(max(x, low), high)


def logic(decisive):
    def apply(environment, a, b):
        try:
            left = evaluate(a)
            if left == decisive:
                return left
        except Undefined:
            if evaluate(b) == decisive:
                return decisive
            raise
        return evaluate(b)

    return apply


def choice(environment, a, b, c):
    return evaluate(b) if evaluate(a) else evaluate(c)


N, T, F = "number", "text", "flag"
# Symbol, notation, operands, result, meaning.
OPERATIONS = [
    ("!", "prefix", (F,), F, lambda a: not a),
    ("-", "prefix", (N,), N, lambda a: -a),
    ("abs", "function", (N,), N, abs),
    ("round", "function", (N,), N, half_away),
    ("floor", "function", (N,), N, lambda a: float(math.floor(a))),
    ("ceil", "function", (N,), N, lambda a: float(math.ceil(a))),
    ("size", "function", (T,), N, lambda a: float(len(a))),
    ("size", "method", (T,), N, lambda a: float(len(a))),
    ("number", "function", (T,), N, number),
    ("number", "function", (N,), N, number),
    ("string", "function", (N,), T, string),
    ("string", "function", (F,), T, string),
    ("string", "function", (T,), T, string),
    ("min", "function", (N, N), N, min),
    ("max", "function", (N, N, N), N, max),
    ("clamp", "function", (N, N, N), N, clamp),
    ("contains", "method", (T, T), F, lambda a, b: b in a),
    ("startsWith", "method", (T, T), F, lambda a, b: a.startswith(b)),
    ("endsWith", "method", (T, T), F, lambda a, b: a.endswith(b)),
    ("*", 5, (N, N), N, lambda a, b: finite(a * b)),
    ("/", 5, (N, N), N, divide),
    ("%", 5, (N, N), N, remainder),
    ("+", 4, (N, N), N, lambda a, b: finite(a + b)),
    ("+", 4, (T, T), T, lambda a, b: a + b),
    ("-", 4, (N, N), N, lambda a, b: finite(a - b)),
    ("&&", 2, (F, F), F, logic(False)),
    ("||", 1, (F, F), F, logic(True)),
]
for symbol, compare in [
    ("<", lambda a, b: a < b),
    ("<=", lambda a, b: a <= b),
    (">", lambda a, b: a > b),
    (">=", lambda a, b: a >= b),
    ("==", lambda a, b: a == b),
    ("!=", lambda a, b: a != b),
]:
    for operand in (N, T) + ((F,) if symbol in ("==", "!=") else ()):
        OPERATIONS.append((symbol, 3, (operand, operand), F, compare))
for result in (N, T, F):
    OPERATIONS.append(("?:", 0, (F, result, result), result, choice))
LAZY = ("&&", "||", "?:")


def evaluate(tree):
    if not isinstance(tree, tuple):
        return tree
    if tree[0] == "name":
        return NAMES[tree[1]]
    operation, operands = tree
    meaning = operation[4]
    if operation[0] in LAZY:
        return meaning(None, *operands)
    # Evaluate all operands first, because the first undefined one doesn't hide the second.
    return meaning(*[evaluate(operand) for operand in operands])


def literal(r, wanted):
    if wanted == F:
        return r.random() < 0.5
    if wanted == T:
        return r.choice(["", "a", "12", "-0.5e1", "ß", "🎰", '"', "'", "\\", "a\nb", "\u0001", "Ada", "}{"])
    return r.choice(
        [0.0, 1.0, 2.0, 0.5, 2.5, 10.0, 1e-7, 1e21, 1e300, float(r.randrange(1000)), r.random() * 100]
    )


def tree(r, wanted, depth):
    if depth == 0 or r.random() < 0.15:
        names = [name for name, value in NAMES.items() if kind(value) == wanted]
        return ("name", r.choice(names)) if r.random() < 0.5 else literal(r, wanted)
    operation = r.choice([o for o in OPERATIONS if o[3] == wanted])
    return (operation, [tree(r, k, depth - 1) for k in operation[2]])


def quoted(r, text):
    quote = r.choice("\"'")
    result = quote
    for c in text:
        if c in (quote, "\\"):
            result += "\\" + c
        elif c < " ":
            result += {"\n": "\\n"}.get(c) or r.choice(["\\x%02x", "\\u%04X", "\\%03o"]) % ord(c)
        elif ord(c) > 127 and r.random() < 0.3:
            result += "\\U%08x" % ord(c) if ord(c) > 0xFFFF or r.random() < 0.5 else "\\u%04x" % ord(c)
        else:
            result += c
    return result + quote


def written(r, tree, minimum=0):
    """The expression as text, sometimes with redundant parentheses and spaces."""
    space = lambda: r.choice(["", " ", " ", "  ", "\t"]) if r.random() < 0.5 else " "
    if not isinstance(tree, tuple):
        if isinstance(tree, bool):
            return str(tree).lower()
        if isinstance(tree, str):
            return quoted(r, tree)
        text = repr(tree)
        return text[:-2] if text.endswith(".0") and r.random() < 0.7 else text
    if tree[0] == "name":
        return tree[1]
    (symbol, notation, *_), operands = tree
    if notation == "function":
        text = symbol + "(" + ("," + space()).join(written(r, o) for o in operands) + ")"
        level = 7
    elif notation == "method":
        rest = ", ".join(written(r, o) for o in operands[1:])
        text, level = written(r, operands[0], 7) + "." + symbol + "(" + rest + ")", 7
    elif notation == "prefix":
        text, level = symbol + written(r, operands[0], 6), 6
    elif symbol == "?:":
        a, b, c = operands
        text = written(r, a, 1) + space() + "?" + space() + written(r, b, 1)
        text, level = text + space() + ":" + space() + written(r, c, 0), 0
    else:
        a, b = operands
        text = written(r, a, notation) + space() + symbol + space() + written(r, b, notation + 1)
        level = notation
    if level < minimum or r.random() < 0.05:
        text = "(" + space() + text + space() + ")"
    return text


def expressions(r, count):
    cases = []
    while len(cases) < count:
        made = tree(r, r.choice([N, T, F]), r.randrange(1, 7))
        text = written(r, made)
        if len(text) > 160:
            continue
        try:
            value = evaluate(made)
        except Undefined:
            value = None
        cases.append([text, value])
    return cases


def any_number(r):
    choice = r.randrange(8)
    if choice == 0:
        return float(r.randrange(-10000, 10000))
    if choice == 1:
        return r.randrange(-100000, 100000) / r.choice([2, 4, 8, 10, 16, 100, 1000])
    if choice == 2:
        return r.uniform(-1, 1) * 10.0 ** r.randrange(-320, 308)
    if choice == 3:
        return r.choice([0.0, -0.0, 0.5, 1.5, 2.5, -0.5, 0.125, 9.995, 999.5, 5e-324, 1e15, 1e16, 1e21, 1e22])
    if choice == 4:
        return float(r.randrange(10**9, 10**18))
    if choice == 5:
        return round(r.uniform(-1000, 1000), r.randrange(0, 5))
    return r.uniform(-1, 1) * 10 ** r.randrange(-3, 7)


def spec(r, types):
    text = ""
    if r.random() < 0.4:
        text += (r.choice("*0_xä ") if r.random() < 0.5 else "") + r.choice("<>^=")
    if r.random() < 0.3:
        text += r.choice("+- ")
    if r.random() < 0.3:
        text += "0"
    if r.random() < 0.5:
        text += str(r.randrange(1, 25))
    if r.random() < 0.3:
        text += ","
    kind = r.choice(types)
    if kind != "d" and r.random() < 0.7:
        text += "." + str(r.choice([0, 0, 1, 1, 2, 3, 5, 10, 17, 40]))
    return text + kind


def numbers(r, count):
    cases = []
    while len(cases) < count:
        x, s = any_number(r), spec(r, ["d", "f", "F", "e", "E", "g", "G", "%", "", "f", "g", "%"])
        if not s:
            continue
        if s[-1] == "d":
            cases.append([x, s, format(int(half_away(x)), s)])
        elif s[-1] not in "fFeEgG%":
            # Without a type an integer is an int, and a precision works as with "g".
            if "." in s:
                text = format(x, s + "g")
            elif x.is_integer() and abs(x) < 1e15:
                text = format(int(x), s)
            elif display(x) == repr(x):
                text = format(x, s)
            else:
                continue
            cases.append([x, s, text])
        elif s[-1] != "%" or math.isfinite(x * 100):
            cases.append([x, s, format(x, s)])
    return cases


def texts(r, count):
    cases = []
    while len(cases) < count:
        s = spec(r, ["s", ""])
        if not s or "," in s or any(c in s for c in "+-=") or " " in s[:1] and s[1:2] not in tuple("<>^"):
            continue
        text = r.choice(["", "a", "Grüße", "🎰🎰", "e\u0301x", "a much longer text than the rest"])
        try:
            cases.append([text, s, format(text, s)])
        except ValueError:
            continue
    return cases


def times(r, count):
    cases = []
    conversions = [f + c for c in "HMSdmYyjIeuwGgUVWCkl" for f in ("", "", "-", "_", "0")]
    conversions += [f + c for c in "AaBbhp" for f in ("", "^")] + list("FTRDrcxXPnt%")
    for _ in range(count):
        time = datetime.datetime(1000, 1, 1) + datetime.timedelta(
            seconds=r.randrange(int(9000 * 365.2425 * 86400))
        )
        if r.random() < 0.3:
            time = time.replace(month=r.choice([1, 12]), day=r.choice([1, 2, 3, 4, 28, 29, 30, 31]))
        s = "".join(r.choice(["", " ", "-", "Uhr "]) + "%" + r.choice(conversions) for _ in range(4))
        cases.append([time.isoformat(), s, time.strftime(s)])
    return cases


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    r = random.Random(seed)
    tables = {
        "names": list(map(list, NAMES.items())),
        "expressions": expressions(r, count),
        "numbers": numbers(r, count),
        "texts": texts(r, count // 10),
        "times": times(r, count // 4),
    }
    print("{")
    for index, (name, rows) in enumerate(tables.items()):
        print(json.dumps(name) + ":[")
        print(",\n".join(json.dumps(row, ensure_ascii=False) for row in rows))
        print("]" if index == len(tables) - 1 else "],")
    print("}")


main()
