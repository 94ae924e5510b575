// Errors and warnings: their list, their marks in the text, and the picture that is out of date.

import { receive } from "./connection.js";
import { apply, editor, goTo, isEmpty } from "./editor.js";
import { button, element } from "./elements.js";
import { showSource } from "./layout.js";
import { currentRevision, isSettled } from "./source.js";
import { showErrors } from "./state.js";

let diagnostics = [];
let marks = [];
let shown;

/** The diagnostic at a position or in a line, or undefined. */
export const diagnosticIn = (holds) => diagnostics.find((each) => each.from && holds(each));

/** A button for each fix, whose edits apply to a revision of the text. */
function fixes(diagnostic, revision) {
  return diagnostic.fixes.map(({ title, edits }) => {
    const node = button(title, () => {
      if (revision === currentRevision() && isSettled()) apply(edits);
    });
    node.className = "fix";
    return node;
  });
}

function show(diagnostic) {
  if (!diagnostic.from || !editor) return;
  showSource(true);
  goTo(diagnostic.from);
  editor.focus();
}

const words = (m) => `${m.file ? `${m.file}: ` : ""}line ${m.line}: ${m.message}`;

receive("diagnostics", (message) => {
  const state = JSON.stringify([message, isEmpty()]);
  if (state === shown) return;
  shown = state;
  diagnostics = message.diagnostics;
  // A misspelt key comes before the missing key that it causes.
  const isSpelling = (each) => each.message.includes("did you mean");
  const errors = diagnostics.filter((each) => each.severity === "error").sort((a, b) => isSpelling(b) - isSpelling(a));
  const hasText = !isEmpty();
  element("begin").hidden = hasText;
  element("panel").hidden = !hasText;
  element("lacking").hidden = message.hasPicture || !hasText;
  element("stage").hidden = !message.hasPicture || !hasText;
  showErrors(hasText ? errors.length : 0);
  element("stage").classList.toggle("outdated", message.hasPicture && errors.length > 0);
  element("outdated").hidden = !errors.length || !hasText;
  if (errors.length && hasText) {
    element("outdated").replaceChildren(
      button(words(errors[0]), () => show(errors[0])), ...fixes(errors[0], message.revision));
  }
  editor?.operation(() => {
    marks.forEach((mark) => mark.clear());
    marks = diagnostics.filter((m) => m.from).map((m) => editor.markText(
      m.from, m.to, { className: `${m.severity}-mark`, attributes: { title: m.message } }));
  });
  element("diagnostics").replaceChildren(...diagnostics.map((m) => {
    const item = document.createElement("li");
    item.className = m.severity;
    item.append(button(words(m), () => show(m)), ...fixes(m, message.revision));
    return item;
  }));
});

editor?.on("cursorActivity", () => {
  const { line } = editor.getCursor();
  const near = diagnosticIn((each) => each.from.line === line);
  if (near) element("state").title = near.message;
});
