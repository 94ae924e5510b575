// Completion, help and mistakes in the text.

import { ask, receive } from "./connection.js";
import { editor, goTo, isEmpty } from "./editor.js";
import { button, element } from "./elements.js";
import { save, settled } from "./source.js";

let mistakes = [];
let marks = [];
let shown;
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
    const mistake = mistakes.find((m) => m.from && before(m.from, at) && before(at, m.to));
    editor.getWrapperElement().title = [mistake?.message, answer.text].filter(Boolean).join("\n\n");
  }, 250);
}

receive("mistakes", (message) => {
  const state = JSON.stringify([message, isEmpty()]);
  if (state === shown) return;
  shown = state;
  mistakes = message.mistakes;
  element("begin").hidden = !isEmpty();
  element("panel").hidden = isEmpty();
  element("lacking").hidden = message.hasPicture || isEmpty();
  element("stage").hidden = !message.hasPicture || isEmpty();
  editor?.operation(() => {
    marks.forEach((mark) => mark.clear());
    marks = mistakes.filter((m) => m.from).map((m) => editor.markText(
      m.from, m.to, { className: `${m.severity}-mark`, attributes: { title: m.message } }));
  });
  element("mistakes").replaceChildren(...mistakes.map((m) => {
    const item = document.createElement("li");
    item.className = m.severity;
    item.append(button(`${m.file ? `${m.file}: ` : ""}line ${m.line}: ${m.message}`, () => {
      if (!m.from || !editor) return;
      goTo(m.from);
      editor.focus();
    }));
    return item;
  }));
});

if (editor) {
  editor.addKeyMap({ "Ctrl-Space": complete, "Ctrl-S": save });
  editor.on("inputRead", (_, change) => {
    if (/^[\p{L}\p{N}_{.$"'/]$/u.test(change.text[0])) complete();
  });
  editor.getWrapperElement().addEventListener("mousemove", hover);
  editor.on("cursorActivity", () => {
    const line = editor.getCursor().line;
    const near = mistakes.find((m) => m.from && m.from.line === line);
    if (near) element("state").title = near.message;
  });
}
