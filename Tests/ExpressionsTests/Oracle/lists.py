#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes lists.json: random expressions with lists, maps and macros, and their results in an implementation of CEL.

Needs PyPI's common-expression-language and cel-python. The former is 100 times faster, but an undefined item decides
its `all` and `exists`, so cel-python decides those cases. As that forgets errors in map literals, cases with both are
omitted. The numbers are doubles, without / and %, because Roundel has one kind of number. For another table: lists.py SEED [COUNT] > FILE, then
LIST_CASES=FILE swift test --filter ExpressionsTests. LIST_CASES may be several files, separated by colons.
"""

import contextlib
import json
import random
import sys

NAMES = {
    "cups": 3.0,
    "room": -2.5,
    "zero": 0.0,
    "guest": "Ada",
    "title": "Grüße 🎰",
    "blank": "",
    "open": True,
    "late": False,
    "prices": [4.5, 6.0, 2.5, 6.0],
    "none": [],
    "words": ["tea", "soup", "a", ""],
    "flags": [True, False, True],
    "grid": [[1.0, 2.0], [], [3.0]],
    "stock": {"tea": 3.0, "soup": 0.0},
    "labels": {"tea": "Tee", "a": "Ä"},
    "order": {"price": 2.5, "open": True, "name": "cake", "parts": [1.0, 2.5]},
    "orders": [
        {"price": 4.5, "open": True, "name": "soup", "parts": [1.0]},
        {"price": 6.0, "open": False, "name": "tea", "parts": []},
        # A service may omit a member.
        {"price": 2.5, "name": "a", "parts": [2.0, 3.0]},
    ],
}
MEMBERS = {"price": "number", "open": "flag", "name": "text", "parts": "numbers"}
ITEMS = {"numbers": "number", "texts": "text", "flags": "flag", "rows": "row", "grid": "numbers"}
ROOTS = {
    "number": ["cups", "room", "zero"],
    "text": ["guest", "title", "blank"],
    "flag": ["open", "late"],
    "numbers": ["prices", "none", "order.parts"],
    "texts": ["words"],
    "flags": ["flags"],
    "grid": ["grid"],
    "stock": ["stock"],
    "labels": ["labels"],
    "row": ["order"],
    "rows": ["orders"],
}
KEYS = ["tea", "soup", "a", "x"]


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        # The variables of the enclosing macros.
        self.variables = []

    def choice(self, items):
        return self.random.choice(items)

    def expression(self, kind, depth):
        if depth <= 0 or self.random.random() < 0.1:
            return self.leaf(kind)
        return getattr(self, kind)(depth - 1)

    def leaf(self, kind):
        known = [name for name, own in self.variables if own == kind]
        roll = self.random.random()
        if known and roll < 0.6:
            return self.choice(known)
        if roll < 0.8 or kind in ("row", "rows", "grid"):
            return self.choice(ROOTS[kind])
        return {
            "number": lambda: self.choice(["0.0", "1.0", "2.5", "100.0", "0.25"]),
            "text": lambda: json.dumps(self.choice(["", "a", "tea", "ü", "Ada", "so"]), ensure_ascii=False),
            "flag": lambda: self.choice(["true", "false"]),
            "numbers": lambda: self.choice(["[]", "[1.0]", "[2.5, 6.0, 1.0]"]),
            "texts": lambda: self.choice(["[]", '["a", "tea"]', '["ü"]']),
            "flags": lambda: self.choice(["[]", "[true]", "[false, true]"]),
            "stock": lambda: self.choice(["{}", '{"tea": 1.0}', '{"a": 2.0, "soup": 0.0}']),
            "labels": lambda: self.choice(['{"a": "b"}', '{"x": "", "tea": "t"}']),
        }[kind]()

    def among(self, *ways):
        return self.choice(ways)()

    def choose(self, kind, d):
        e = self.expression
        return f"({e('flag', d)} ? {e(kind, d)} : {e(kind, d)})"

    def at(self, kind, d):
        """An item or a member of a kind."""
        e = self.expression
        ways = []
        lists = [own for own, item in ITEMS.items() if item == kind]
        for own in lists:
            ways.append(lambda own=own: f"{self.operand(own, d)}[{self.choice([0, 1, 2, 0, 7])}]")
        for member, own in MEMBERS.items():
            if own == kind:
                ways.append(lambda m=member: f"{self.operand('row', d)}.{m}")
        for own, table in (("number", "stock"), ("text", "labels")):
            if own == kind:
                ways.append(lambda t=table: f"{self.operand(t, d)}[{json.dumps(self.choice(KEYS))}]")
                ways.append(lambda t=table: f"{self.operand(t, d)}[{e('text', d)}]")
                ways.append(lambda t=table: f"{self.operand(t, d)}.{self.choice(KEYS)}")
        return self.choice(ways)() if ways else self.leaf(kind)

    def operand(self, kind, d):
        """An expression before a dot or a bracket."""
        text = self.expression(kind, d)
        return text if text[0] in "[(" or text.replace(".", "").isalnum() else f"({text})"

    def macro(self, own, d, body, kind=None):
        """A macro over a list, or over a map, whose keys have no order."""
        if len(self.variables) >= 2:
            return self.leaf(kind or "flag")
        name = "xyz"[len(self.variables)]
        range_ = self.operand(own, d)
        self.variables.append((name, ITEMS.get(own, "text")))
        text = body(name)
        self.variables.pop()
        return f"{range_}.{text}"

    def number(self, d):
        e = self.expression
        return self.among(
            lambda: f"({e('number', d)} {self.choice('+-*')} {e('number', d)})",
            lambda: f"-({e('number', d)})",
            lambda: f"double(size({e(self.choice(list(ITEMS) + ['stock', 'labels']), d)}))",
            lambda: f"double(size({self.choice(['guest', 'blank', 'words[0]', 'words[7]'])}))",
            lambda: self.choose("number", d),
            lambda: self.at("number", d),
            lambda: self.at("number", d),
        )

    def text(self, d):
        e = self.expression
        return self.among(
            lambda: f"({e('text', d)} + {e('text', d)})",
            lambda: self.choose("text", d),
            lambda: self.at("text", d),
            lambda: self.at("text", d),
        )

    def flag(self, d):
        e = self.expression
        comparison = lambda kind, signs: f"({e(kind, d)} {self.choice(signs)} {e(kind, d)})"
        own = self.choice(list(ITEMS) + ["stock", "labels"])
        return self.among(
            lambda: comparison(self.choice(["number", "text", "flag"]), ["<", "<=", ">", ">=", "==", "!="]),
            lambda: comparison(self.choice(list(ROOTS)), ["==", "!="]),
            lambda: f"({e('flag', d)} {self.choice(['&&', '||'])} {e('flag', d)})",
            lambda: f"({e('flag', d)} {self.choice(['&&', '||'])} {e('flag', d)})",
            lambda: f"!({e('flag', d)})",
            lambda: f"{self.operand('text', d)}.{self.choice(['contains', 'startsWith', 'endsWith'])}({e('text', d)})",
            lambda: (lambda own: f"({e(ITEMS[own], d)} in {self.operand(own, d)})")(self.choice(list(ITEMS))),
            lambda: f"({e('text', d)} in {self.operand(self.choice(['stock', 'labels']), d)})",
            lambda: f"has({self.choice(['order', 'orders[0]', 'orders[2]'])}.{self.choice(list(MEMBERS))})",
            lambda: f"has({self.choice(['stock', 'labels'])}.{self.choice(KEYS)})",
            lambda: self.macro(
                own, d, lambda x: f"{self.choice(['all', 'exists', 'exists_one'])}({x}, {e('flag', d)})"
            ),
            lambda: self.macro(own, d, lambda x: f"{self.choice(['all', 'exists'])}({x}, {e('flag', d)})"),
            lambda: self.choose("flag", d),
            lambda: self.at("flag", d),
        )

    def items(self, kind, d):
        e = self.expression
        item = ITEMS[kind]
        own = self.choice(list(ITEMS))
        return self.among(
            lambda: f"[{', '.join(e(item, d) for _ in range(self.random.randrange(4)))}]",
            lambda: f"({e(kind, d)} + {e(kind, d)})",
            lambda: self.choose(kind, d),
            lambda: self.macro(kind, d, lambda x: f"filter({x}, {e('flag', d)})", kind),
            lambda: self.macro(own, d, lambda x: f"map({x}, {e(item, d)})", kind),
            lambda: self.macro(own, d, lambda x: f"map({x}, {e('flag', d)}, {e(item, d)})", kind),
        )

    def numbers(self, d):
        return self.items("numbers", d)

    def texts(self, d):
        return self.items("texts", d)

    def flags(self, d):
        return self.items("flags", d)

    def rows(self, d):
        return self.items("rows", d)

    def grid(self, d):
        return self.items("grid", d)

    def row(self, d):
        e = self.expression
        return self.among(
            lambda: self.at("row", d),
            lambda: self.choose("row", d),
            lambda: '{"price": %s, "open": %s, "name": %s, "parts": %s}'
            % tuple(e(kind, d) for kind in MEMBERS.values()),
        )

    def table(self, kind, item, d):
        e = self.expression
        keys = self.random.sample(KEYS, self.random.randrange(3))
        return self.among(
            lambda: "{" + ", ".join(f"{json.dumps(key)}: {e(item, d)}" for key in keys) + "}",
            lambda: self.choose(kind, d),
        )

    def stock(self, d):
        return self.table("stock", "number", d)

    def labels(self, d):
        return self.table("labels", "text", d)


class Undecided(Exception):
    pass


def evaluator():
    import cel
    import celpy

    context = cel.Context(variables=NAMES)
    environment = celpy.Environment()
    names = {name: celpy.json_to_cel(value) for name, value in NAMES.items()}

    def evaluate(text):
        try:
            return plain(cel.evaluate(text, context))
        except Exception:
            if ".all(" not in text and ".exists(" not in text:
                return None
        try:
            value = plain(environment.program(environment.compile(text)).evaluate(names))
        except celpy.CELEvalError:
            return None
        except ValueError as error:  # It has no `map` with a condition.
            raise Undecided from error
        if "{" in text:
            raise Undecided
        return value

    return evaluate


def plain(value):
    """Python's own types. None of the expressions is an integer. cel-python may return an error as a value."""
    if isinstance(value, Exception):
        raise value
    if isinstance(value, dict):
        return {key: plain(value[key]) for key in sorted(value)}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, str):
        return str(value)
    if isinstance(value, float):
        return float(value)
    return bool(value)


def main():
    arguments = [int(argument) for argument in sys.argv[1:]]
    seed, count = (arguments + [1, 2000][len(arguments) :])[:2]
    generator = Generator(seed)
    evaluate = evaluator()
    kinds = list(ROOTS)
    cases = {}
    while len(cases) < count:
        text = generator.expression(generator.choice(kinds), generator.random.randrange(1, 5))
        if len(text) <= 1000 and text not in cases:
            with contextlib.suppress(Undecided):
                cases[text] = evaluate(text)
    # A row for each case, to compare tables.
    rows = ",\n".join(json.dumps(row, ensure_ascii=False) for row in cases.items())
    print(f'{{"names": {json.dumps(NAMES, ensure_ascii=False)},\n"cases": [\n{rows}\n]}}')


if __name__ == "__main__":
    main()
