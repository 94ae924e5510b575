// The text editor: CodeMirror, or a plain field without it.

import { element } from "./elements.js";
import { changeOf } from "./merge.js";
import { signal } from "./signal.js";

const area = element("source");
/** The CodeMirror editor, or null without CodeMirror. */
export const editor = window.CodeMirror
  ? window.CodeMirror.fromTextArea(area, {
    mode: "yaml", lineNumbers: true, tabSize: 2, indentWithTabs: false, matchBrackets: true,
    styleActiveLine: true, undoDepth: Infinity, inputStyle: "contenteditable",
    extraKeys: {
      Tab: (cm) => cm.somethingSelected() ? cm.indentSelection("add") : cm.execCommand("insertSoftTab"),
      // Keyboard users can leave the editor.
      "Shift-Tab": false, Esc: () => element("control").focus(),
    },
  })
  : null;

/** Reports changes by the user or the page. */
export const typed = signal();

export const text = () => editor ? editor.getValue() : area.value;
export const isEmpty = () => editor?.getValue().trim() === "";

/** A change that replaces the whole text. */
export const whole = (text) => ({ from: { line: 0, ch: 0 }, to: { line: 1e9, ch: 0 }, text });

/** Shows the first text. Undo doesn't go back beyond it. */
export function open(text) {
  adopt(text);
  editor?.clearHistory();
}

/** Adopts the changes of others, which are no entries of the history. Keeps the cursor. */
export function adopt(text) {
  if (!editor) {
    area.value = text;
    return;
  }
  const old = editor.getValue();
  if (old === text) return;
  const change = changeOf(old, text);
  // A linked document rebases the editor's history on its own changes.
  const others = editor.getDoc().linkedDoc({ sharedHist: false });
  others.replaceRange(change.text, change.from, change.to, "studio-file");
  editor.getDoc().unlinkDoc(others);
}

/** Replaces the text as one entry of the history. */
export function replace(text) {
  const old = editor?.getValue();
  if (editor && old !== text) apply([changeOf(old, text)]);
}

/**
 * Applies edits. CodeMirror undoes edits of one gesture together, because their origin begins with a star. Other edits
 * are undone separately.
 */
export function apply(edits, gesture) {
  if (!editor) return;
  if (!gesture) editor.changeGeneration(true);
  editor.operation(() => {
    for (const edit of [...edits].sort((a, b) => b.from.line - a.from.line || b.from.ch - a.from.ch)) {
      editor.replaceRange(edit.text, edit.from, edit.to, gesture ? `*${gesture}` : "studio");
    }
  });
}

/** Shows a position in the text. */
export function goTo(position) {
  if (!editor) return;
  editor.setCursor(position);
  editor.scrollIntoView(position, 80);
}

if (editor) {
  const field = editor.getInputField();
  for (const [name, value] of [["role", "textbox"], ["aria-multiline", "true"], ["aria-label", "Source"]]) {
    field.setAttribute(name, value);
  }
  editor.on("changes", (_, changes) => {
    const own = changes.filter((change) => change.origin !== "studio-file");
    if (own.length) typed(own.map((change) => ({ from: change.from, to: change.to, text: change.text.join("\n") })));
  });
  // Dragging text elsewhere copies it. If the browser moved it, it would also restyle the surrounding text.
  editor.getWrapperElement().addEventListener("dragstart", (event) => { event.dataTransfer.effectAllowed = "copy"; });
} else {
  area.addEventListener("input", () => typed([whole(area.value)]));
}
