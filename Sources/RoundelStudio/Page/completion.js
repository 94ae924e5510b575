// Completion and help in the text.

import { ask } from "./connection.js";
import { editor } from "./editor.js";
import { diagnosticIn } from "./diagnostics.js";
import { save, settled } from "./source.js";

let hoverTimer;

function complete() {
  editor.showHint({
    completeSingle: false, closeOnUnfocus: true,
    hint: async () => {
      await settled();
      const answer = await ask("complete", { at: editor.getCursor() });
      if (!answer) return null;
      const typed = editor.getRange(answer.from, editor.getCursor()).toLowerCase();
      const list = answer.items
        .filter((item) => item.label.toLowerCase().includes(typed))
        .sort((a, b) => b.label.toLowerCase().startsWith(typed) - a.label.toLowerCase().startsWith(typed))
        .map((item) => ({ text: item.text, render: (node) => render(node, item) }));
      return { list, from: answer.from, to: answer.to };
    },
  });
}

function render(node, item) {
  const small = document.createElement("small");
  small.textContent = item.detail ?? "";
  node.append(item.label, small);
  node.title = item.about ?? "";
}

const before = (a, b) => a.line < b.line || (a.line === b.line && a.ch <= b.ch);

function hover(event) {
  clearTimeout(hoverTimer);
  hoverTimer = setTimeout(async () => {
    const at = editor.coordsChar({ left: event.clientX, top: event.clientY });
    const answer = await ask("hover", { at });
    if (!answer) return;
    const diagnostic = diagnosticIn((each) => before(each.from, at) && before(at, each.to));
    editor.getWrapperElement().title = [diagnostic?.message, answer.text].filter(Boolean).join("\n\n");
  }, 250);
}

if (editor) {
  editor.addKeyMap({ "Ctrl-Space": complete, "Ctrl-S": save });
  editor.on("inputRead", (_, change) => {
    if (/^[\p{L}\p{N}_{.$"'/]$/u.test(change.text[0])) complete();
  });
  editor.getWrapperElement().addEventListener("mousemove", hover);
}
