# SPDX-License-Identifier: MIT
"""Kiosk files of the maximum size that are designed to be slow to read."""

MAXIMUM_FILE_BYTES = 4 << 20
# Slightly fewer than the maximum, because they are counted approximately.
VALUES = 200_000

HEAD = "kiosk: k\npages:\n  - page: a\n    controls:\n"


def repeated(piece, room, first=0):
    """Concatenates `piece(first)`, `piece(first + 1)`, … up to `room` bytes and a corresponding number of values."""
    parts, size, index, values = [], 0, first, VALUES * room // MAXIMUM_FILE_BYTES
    while True:
        part = piece(index)
        size += len(part.encode())
        values -= max(1, sum(map(part.count, ",:[{")) + part.count(":"))
        if size > room or values < 0:
            return "".join(parts)
        parts.append(part)
        index += 1


def files(size=MAXIMUM_FILE_BYTES):
    """Yields the name and text of each file of up to `size` bytes."""
    room = size - 1024
    label = "      - {label: l, at: [9, 9], text: x}\n"
    button = "      - {button: b, at: [9, 9], size: [99, 99], on: {selected: ["
    padding = "x" * 50

    def wheels(count):
        return ("      - picker: p\n        at: [9, 9]\n        size: [99, 99]\n        wheels:\n"
                + "".join(f"          - {{id: w{i}, items: [x]}}\n" for i in range(count)))

    yield "empty directives", repeated(lambda i: f"%TAG !e{i}! t\n", room) + "---\n" + HEAD + label
    yield "directives after the kiosk", HEAD + label + "...\n" + repeated(
        lambda i: f"%TAG !e{i}! t\n", room) + "---\na\n"
    yield "long ids misspelt", HEAD + "".join(
        f"      - {{label: {padding}abcdefg{i:05}, at: [9, 9], text: x}}\n" for i in range(2000)
    ) + button + repeated(lambda i: f"{{set: {{{padding}gfedcba{i:05}.text: 1}}}}, ",
                          room - 300_000) + "]}}\n"
    yield "ids misspelt", HEAD + repeated(
        lambda i: f"      - {{label: label{i}, at: [9, 9], text: x}}\n", room // 2
    ) + button + repeated(lambda i: f"{{set: {{lable{i}.text: 1}}}}, ", room // 2) + "]}}\n"
    yield "nothing can spin", HEAD + repeated(
        lambda i: f"      - {{label: label{i}, at: [9, 9], text: x}}\n", room // 2
    ) + button + repeated(lambda i: f"{{spin: lable{i}}}, ", room // 2) + "]}}\n"
    yield "references to wheels", HEAD + wheels(20_000) + "      - {label: l, at: [9, 9], text: \"" + (
        repeated(lambda i: "{p.w%d.label}" % (i % 20_000), 4 * room)[:room - 800_000].rpartition("{")[0]) + "\"}\n"
    yield "references to some wheels", HEAD + wheels(60) + "      - {label: l, at: [9, 9], text: \"" + (
        repeated(lambda i: f"{{p.w{i % 60}.label}}", room - 8_000)) + "\"}\n"
    yield "settings of wheels", HEAD + wheels(20_000) + button + repeated(
        lambda i: f"{{set: {{p.w{i % 20_000}.index: 0}}}}, ", room - 800_000) + "]}}\n"
    yield "settings of some wheels", HEAD + wheels(60) + button + repeated(
        lambda i: f"{{set: {{p.w{i % 60}.index: 0}}}}, ", room - 8_000) + "]}}\n"
    yield "settings of labels of a dial", (
        HEAD + "      - {dial: d, at: [9, 9], radius: 99, labels: 10000}\n" + button + repeated(
            lambda i: f"{{set: {{d.label: \"{9999 - i % 99}\"}}}}, ", room) + "]}}\n")
    yield "settings of a wheel of a row", (
        HEAD + "      - {picker: p, at: [9, 9], size: [99, 99], wheels: [{id: w, items: [" + repeated(
            lambda i: f"a{i}, ", room // 2) + "]}]}\n" + button + repeated(
            lambda i: f"{{set: {{p.w.label: b{i}}}}}, ", room // 2) + "]}}\n")
    yield "dials of many labels", HEAD + repeated(
        lambda i: f"      - {{dial: d{i}, at: [9, 9], radius: 99, labels: 10000}}\n", room)
    yield "settings at once", HEAD + label + button + "{set: {" + repeated(
        lambda i: f"l.text{' ' * (i % 2)}: 1, ", room) + "}}]}}\n"
    yield "lists in lists", HEAD + "      - " + "[" * room
    yield "maps in maps", repeated(lambda i: "{a: ", room)
    yield "blocks in blocks", repeated(lambda i: "- ", room)
    yield "unknown keys", repeated(lambda i: f"pagse{i}: 1\n", room)
    yield "unknown keys of a control", HEAD + "      - {label: l, at: [9, 9], text: x, " + repeated(
        lambda i: f"txet{i}: 1, ", room) + "}\n"
    yield "unknown tags", HEAD + label + button + repeated(lambda i: f"!a{i} x, ", room) + "]}}\n"
    yield "duplicate keys", repeated(lambda i: "a: 1\n", room)
    yield "duplicate ids", HEAD + repeated(lambda i: label, room)
    yield "anchors", HEAD + label + button + repeated(lambda i: f"&a{i} x, ", room) + "]}}\n"
    yield "aliases", HEAD + "      - &l {label: l, at: [9, 9], text: x}\n" + repeated(
        lambda i: "      - *l\n", room)
    yield "aliases of lists", "a: &a [x]\n" + repeated(
        lambda i: f"b{i}: &b{i} [*{'b%d' % (i - 1) if i % 90 else 'a'}]\n", room)
    yield "aliases of a long text", HEAD + "      - {label: l, at: [9, 9], text: &t \"" + "1" * (
        room // 2) + "\"}\n      - {slots: s, at: [9, 9], size: [*t, " + "*t, " * (
            room // 8) + "]}\n"
    yield "a long plain text", "kiosk: " + "x " * (room // 2) + "\n"
    yield "a long quoted text", "kiosk: \"" + "\\n" * (room // 2) + "\"\n"
    yield "a long number", "kiosk: k\nscreen: {home_after: " + "9" * room + "}\n"
    yield "a long broken number", "kiosk: k\nscreen: {home_after: " + "1e" * (room // 2) + "}\n"
    yield "a long name", "x" * room + ": 1\n"
    yield "a text of combining letters", "kiosk: k\nscreen: {font: \"a" + "\u0301" * (room // 2) + "\"}\n"
    yield "a text of many lines", "kiosk: |\n" + " x\n" * (room // 3)
    yield "comments", "# x\n" * (room // 4) + HEAD + label
    yield "one comment", "#" * room + "\n" + HEAD + label
    yield "empty lines", "\n" * room + HEAD + label
    yield "carriage returns", "\r" * room + HEAD + label
    yield "spaces", " " * room + "\n"
    yield "templates", HEAD + repeated(
        lambda i: f"      - {{label: l{i}, at: [9, 9], text: \"{{l0.text}}{{l{i}.text}}\"}}\n", room)
    yield "one template", HEAD + "      - {label: l, at: [9, 9], text: \"" + "{l.text}" * (
        room // 8) + "\"}\n"
    yield "open braces", HEAD + "      - {label: l, at: [9, 9], text: \"" + "{" * (
        room | 1) + "\"}\n"
    yield "braces and no end", HEAD + "      - {label: l, at: [9, 9], text: \"" + "{l.text} {a" * (
        room // 11) + "\"}\n"
    yield "labels that show each other", HEAD + "".join(
        f"      - {{label: l{i}, at: [9, 9], text: \"{('{l%d.text}' % (i + 1)) * 60}\"}}\n"
        for i in range(room // 800)) + f"      - {{label: l{room // 800}, at: [9, 9], text: x}}\n"
    yield "a long chain of labels", HEAD + repeated(
        lambda i: f"      - {{label: l{i}, at: [9, 9], text: \"{{l{i + 1}.text}}\"}}\n", room
    ) + "      - {label: l0, at: [9, 9], text: x}\n"
    yield "labels", HEAD + repeated(
        lambda i: f"      - {{label: l{i}, at: [9, 9], text: x}}\n", room)
    yield "pages", "kiosk: k\npages:\n" + repeated(
        lambda i: f"  - {{page: p{i}, controls: [{{label: l{i}, at: [9, 9], text: x}}]}}\n", room)
    yield "pages to go to", "kiosk: k\npages:\n" + repeated(
        lambda i: f"  - {{page: p{i}, controls: [{{button: b{i}, at: [9, 9], size: [99, 99],"
        f" on: {{selected: [{{go: q{i}}}]}}}}]}}\n", room)
    yield "wedges", HEAD + "      - pinwheel: w\n        at: [9, 9]\n        radius: 99\n        wedges:\n" + (
        repeated(lambda i: f"        - {{id: a{i}}}\n", room))
    yield "wedges with actions", (
        HEAD + "      - pinwheel: w\n        at: [9, 9]\n        radius: 99\n        wedges:\n" + repeated(
            lambda i: f"        - {{id: a{i}, on: {{selected: [{{go: a}}]}}}}\n", room))
    yield "leaves", HEAD + "      - menu: m\n        at: [9, 9]\n        items:\n" + repeated(
        lambda i: f"        - {{id: a{i}}}\n", room)
    yield "leaves in leaves", HEAD + "      - menu: m\n        at: [9, 9]\n        items:\n" + repeated(
        lambda i: "        - {id: " + ", items: [{id: ".join(f"a{i}.{j}" for j in range(30))
        + "}]" * 29 + "}\n", room)
    yield "items", HEAD + "      - {slots: s, at: [9, 9], size: [99, 99], reels: [{id: r, items: [" + (
        repeated(lambda i: f"a{i}, ", room)) + "]}]}\n"
    yield "reels", HEAD + "      - slots: s\n        at: [9, 9]\n        size: [99, 99]\n        reels:\n" + (
        repeated(lambda i: f"        - {{id: r{i}, items: [x]}}\n", room))
    yield "images", HEAD + repeated(
        lambda i: f"      - {{image: i{i}, at: [9, 9], size: [9, 9], file: f{i}.png}}\n", room)
    yield "fonts", HEAD + repeated(
        lambda i: f"      - {{dial: d{i}, at: [9, 9], radius: 99, labels: [x], font: f{i}}}\n", room)
    yield "a for of all combinations", HEAD + "      - {for: {" + ", ".join(
        f"{name}: [{', '.join(map(str, range(21)))}]" for name in "abc") + (
        "}, label: \"l$a$b$c\", at: [9, 9], text: x}\n")
    yield "a for of many names", HEAD + "      - {for: {" + repeated(
        lambda i: f"a{i}: [x], ", room) + "}, label: l, at: [9, 9], text: x}\n"
    yield "a for of many cases", HEAD + "      - {for: [" + repeated(
        lambda i: f"{{a: {i}}}, ", room) + "], label: l$a, at: [9, 9], text: x}\n"
    yield "a for in a for", HEAD + "      - {for: &f {a: [" + repeated(
        lambda i: f"{i}, ", 40_000) + "]}, menu: m$a, at: [9, 9], items: [{for: *f, id: i$a}]}\n"
    yield "fors in fors", HEAD + "      - {menu: m, at: [9, 9], items: [" + (
        "{for: {a: [1, 2, 3, 4]}, id: i$a, items: [" * 24) + "]}" * 24 + "]}\n"
    yield "a for of long texts", HEAD + "      - {for: {a: [" + "\"" + "x" * 60_000 + "\"" + "], n: [" + (
        repeated(lambda i: f"{i}, ", 40_000)) + "]}, label: l$n, at: [9, 9], text: $a}\n"
    yield "a text of many names", HEAD + "      - {for: [{a: \"" + "x" * 60_000 + "\"}], label: l, at: [9, 9], " + (
        "text: \"" + "$a" * 30_000 + "\"}\n")
    yield "texts of a missing name", HEAD + "      - {for: [{a: 1}], slots: s, at: [9, 9], size: [99, 99], " + (
        "reels: [{id: r, items: [" + repeated(lambda i: f"$b{i}, ", room - 300) + "]}]}\n")
    yield "braces and names", HEAD + "      - {for: [{a: 1}], label: l, at: [9, 9], text: \"" + (
        "{$a ? " * 10_000) + "\"}\n"
    yield "includes of nothing", HEAD + repeated(lambda i: f"      - include: f{i}\n", room)
    yield "brackets without an end", HEAD + repeated(lambda i: f"      - [x{i} # ]\n", room)
    yield "quotes without an end", HEAD + repeated(lambda i: f"      - x{i}: 'a\n", room)
    yield "short lines before a bracket", "#\n" * (room // 2) + "k: [\n"
    yield "short keys before a tab", repeated(lambda i: f"{i}:\n", room) + "\tk\n"
    yield "colours without quotes", HEAD + repeated(
        lambda i: f"      - label: l{i}\n        color: #fff\n", room)
    yield "small targets", HEAD + repeated(
        lambda i: f"      - {{button: b{i}, at: [9, 9], size: [9, 9]}}\n", room)
    yield "colours", HEAD + repeated(
        lambda i: f"      - {{label: l{i}, at: [9, 9], text: x, color: rde{i}}}\n", room)


if __name__ == "__main__":
    import sys
    from pathlib import Path
    for name, text in files():
        Path(sys.argv[1], name.replace(" ", "-") + ".yaml").write_text(text)
