#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the response times of the studio and the language server: medians and 90th percentiles, in milliseconds.

Run manually, with a release build on an idle machine. It has no limits."""

import contextlib
import pathlib
import statistics
import tempfile
import time

from chromium import EDITOR, chromium, until
from live import ROUNDEL
from lsp import Client
from studio import Studio

# Waits for the next update of the picture, or of a position in it, and returns the delay.
WAITING = """
  const context = document.querySelector('#picture').getContext('2d');
  window.painted ??= (() => {
    const own = context.putImageData;
    let waiting;
    context.putImageData = (...all) => { own.apply(context, all); waiting?.(); };
    return () => new Promise((resolve) => { waiting = resolve; });
  })();
  const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const measure = async (change) => {
    const start = performance.now();
    const painting = window.painted();
    change();
    const isSeen = await Promise.race([painting.then(() => true), rest(2000)]);
    return isSeen ? performance.now() - start : null;
  };
"""
HAND = """
  const picture = document.querySelector('#picture');
  const hand = (name, x, y) => {
    const box = picture.getBoundingClientRect();
    const place = [box.left + x * box.width / picture.width, box.top + y * box.height / picture.height];
    picture.dispatchEvent(new PointerEvent(name, {
      bubbles: true, pointerId: 1, isPrimary: true, button: 0, clientX: place[0], clientY: place[1]}));
  };
  picture.setPointerCapture = () => {};
"""


def told(name, times):
    times = sorted(1000 * each for each in times)
    slow = times[min(len(times) - 1, len(times) * 9 // 10)]
    print(f"{name:48} {statistics.median(times):7.1f} {slow:7.1f}   of {len(times)}", flush=True)


def kiosk(controls=40, sizes="[1280, 800]"):
    """A kiosk of several pages with `count` buttons on the first."""
    rows = "".join(f"""\
      - button: b{n}
        at: [{80 + n % 10 * 120}, {80 + n // 10 * 100}]
        size: [100, 80]
        text: "{{cups}} no. {n}"
        color: "#c03020"
        on: {{selected: [{{set: {{cups: {n % 9}}}}}]}}
""" for n in range(controls))
    dial = """\
      - dial: d
        at: [300, 600]
        radius: 150
        min: 0
        max: 55
        step: 5
        label_every: 10
"""
    return (f"kiosk: figures\nscreen: {{size: {sizes}}}\nvalues: {{cups: 1}}\npages:\n  - page: first\n"
            f"    controls:\n{rows}{dial}")


def in_page(page, script, *arguments):
    page.set_script_timeout(120)
    answer = page.execute_async_script(
        "const done = arguments[arguments.length - 1]; (async () => {" + WAITING + HAND + EDITOR + script
        + "})().then(done, (error) => done(String(error)))", *arguments)
    assert isinstance(answer, list), answer
    return [each / 1000 for each in answer if each is not None]


def studio_figures(browser, folder):
    times = []
    for _ in range(5):
        start = time.monotonic()
        studio = Studio(folder, kiosk())
        browser.get(studio.address)
        until(lambda: browser.execute_script("return document.querySelector('#picture').width") == 1280)
        times.append(time.monotonic() - start)
        browser.get("about:blank")
        studio.end()
    told("the studio opens, from the command on", times)

    for name, sizes in (("one size", "[1280, 800]"),
                        ("four sizes", "[[1280, 800], [800, 1280], [800, 480], [720, 720]]")):
        studio = Studio(folder, kiosk(sizes=sizes))
        try:
            browser.get(studio.address)
            until(lambda: browser.execute_script("return document.querySelector('#picture').width") == 1280)
            figures_of_page(browser, name)
        finally:
            browser.get("about:blank")
            studio.end()


def figures_of_page(page, name):
    told(f"a touch is seen, {name}", in_page(page, """
      const times = [];
      for (let n = 0; n < 20; n += 1) {
        times.push(await measure(() => hand('pointerdown', 80, 80)));
        hand('pointerup', 80, 80);
        await rest(900);
      }
      return times;"""))
    told(f"an edit is seen, {name}", in_page(page, """
      const times = [];
      for (let n = 0; n < 40; n += 1) {
        const at = editor.getValue().indexOf('color: "#') + 9;
        const digits = (0x100000 + n * 70001).toString(16);
        times.push(await measure(() => editor.replaceRange(
          digits, editor.posFromIndex(at), editor.posFromIndex(at + 6), '+input')));
        await rest(100);
      }
      return times;"""))
    for what, x, y in (("a button's", 680, 180), ("a dial's", 300, 600)):
        page.find_element("id", "arrange").click()
        told(f"{what} drag is seen, {name}", in_page(page, """
          const [x, y] = arguments;
          hand('pointerdown', x, y);
          await rest(300);
          const times = [];
          for (let n = 1; n <= 60; n += 1) {
            times.push(await measure(() => hand('pointermove', x + 7 * n % 97 + 9, y + 3 * n)));
            await rest(16);
          }
          hand('pointerup', x, y);
          return times;""", x, y))
        page.execute_script(EDITOR + "editor.undo()")
        page.find_element("id", "arrange").click()


def motion_figures(page, folder):
    reels = ", ".join(f"{{id: r{n}, items: [A, B, C, D, E, F]}}" for n in range(3))
    studio = Studio(folder, "kiosk: motion\nscreen: {size: [1280, 800]}\npages:\n  - page: reels\n    controls:\n"
                            f"      - {{slots: reels, at: [640, 400], size: [1200, 700], reels: [{reels}]}}\n")
    try:
        page.get(studio.address)
        until(lambda: page.execute_script("return document.querySelector('#picture').width") == 1280)
        frames = 1000 * in_page(page, """
          let frames = 0;
          const own = WebSocket.prototype.send;
          WebSocket.prototype.send = function (data) {
            frames += data.includes('"drawn"');
            own.call(this, data);
          };
          hand('pointerdown', 640, 400);
          await rest(60);
          hand('pointerup', 640, 400);
          await rest(200);
          frames = 0;
          await rest(1000);
          WebSocket.prototype.send = own;
          return [frames];""")[0]
        print(f"{'frames a second, three reels of 1200x700':48} {frames:7.0f}", flush=True)
    finally:
        page.get("about:blank")
        studio.end()


def server_figures(folder):
    page = """\
  - page: p{0}
    controls:
      - button: b{0}
        at: [400, 240]
        size: [200, 100]
        text: "{{cups}} cups"
        on: {{selected: [{{set: {{cups: {1}}}}}, {{go: p{2}}}]}}
"""
    head = "kiosk: long\nscreen: {size: [800, 480]}\nvalues: {cups: 1}\npages:\n"
    count = 285
    text = head + "".join(page.format(n, n % 9, (n + 1) % count) for n in range(count))
    # The same kiosk with long comments.
    remark = "  # " + "A remark that is as long as a line may be. " * 2 + "\n"
    long = text.replace("  - page:", remark * ((4 << 20) // count // len(remark) - 3) + "  - page:")
    for name, text in (("2 000 lines", text), ("4 MiB", long)):
        with Client(ROUNDEL) as client:
            uri = client.open(folder / "long.yaml", text)
            client.diagnostics(uri)
            diagnostics, completions, hovers = [], [], []
            place = text.index("text:", len(text) // 2)
            for _ in range(10):
                start = time.monotonic()
                client.change(uri, place, place, "x")
                client.diagnostics(uri, lambda found: any("xtext" in each["message"] for each in found))
                diagnostics.append(time.monotonic() - start)
                start = time.monotonic()
                client.call("textDocument/completion", client.at(uri, "xtext", 2))
                completions.append(time.monotonic() - start)
                start = time.monotonic()
                client.call("textDocument/hover", client.at(uri, "selected"))
                hovers.append(time.monotonic() - start)
                client.change(uri, place, place + 1, "")
                client.diagnostics(uri, lambda found: not any("xtext" in each["message"] for each in found))
            told(f"diagnostics, {name} ({len(text) >> 10} KiB)", diagnostics)
            told(f"completion, {name}", completions)
            told(f"a hover, {name}", hovers)


def main():
    print(f"{'':48} {'median':>7} {'slow':>7}")
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        browser = chromium()
        stack.callback(browser.quit)
        studio_figures(browser, pathlib.Path(folder))
        motion_figures(browser, pathlib.Path(folder))
        server_figures(pathlib.Path(folder))


if __name__ == "__main__":
    main()
