// The editor of the text: CodeMirror, or a plain field without it.

import { element } from "./elements.js";
import { signal } from "./signal.js";

const area = element("source");
/** CodeMirror, or null without it. */
export const editor = window.CodeMirror
  ? window.CodeMirror.fromTextArea(area, {
    mode: "yaml", lineNumbers: true, tabSize: 2, indentWithTabs: false, matchBrackets: true,
    styleActiveLine: true, undoDepth: 1000, inputStyle: "contenteditable",
    extraKeys: {
      Tab: (cm) => cm.somethingSelected() ? cm.indentSelection("add") : cm.execCommand("insertSoftTab"),
      // People without a mouse can leave the editor.
      "Shift-Tab": false, Esc: () => element("control").focus(),
    },
  })
  : null;

/** Reports the changes that a user or the page has made. */
export const typed = signal();

export const text = () => editor ? editor.getValue() : area.value;
export const isEmpty = () => editor?.getValue().trim() === "";

/** The change of all of the text. */
export const whole = (text) => ({ from: { line: 0, ch: 0 }, to: { line: 1e9, ch: 0 }, text });

/** Replaces the text by another version. Undoing never goes beyond the first. */
export function setText(text, isFirst) {
  if (!editor) {
    area.value = text;
    return;
  }
  const old = editor.getValue();
  if (old === text) return;
  // Only what differs, so that the cursor and the undo stay.
  let start = 0;
  while (start < old.length && start < text.length && old[start] === text[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < text.length - start
    && old[old.length - 1 - end] === text[text.length - 1 - end]) end += 1;
  editor.replaceRange(
    text.slice(start, text.length - end), editor.posFromIndex(start),
    editor.posFromIndex(old.length - end), "studio-file");
  if (isFirst) editor.clearHistory();
}

/**
 * Makes changes. Those of one gesture are undone together: CodeMirror joins changes whose origin begins with a star. All
 * others are undone one by one.
 */
export function apply(edits, gesture) {
  if (!editor) return;
  editor.operation(() => {
    for (const edit of [...edits].sort((a, b) => b.from.line - a.from.line || b.from.ch - a.from.ch)) {
      editor.replaceRange(edit.text, edit.from, edit.to, gesture ? `*${gesture}` : "studio");
    }
  });
}

/** Shows a place of the text. */
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
  // Text that is dragged elsewhere stays here, too: the browser would remove it itself, with styles of its own for the
  // text around it.
  editor.getWrapperElement().addEventListener("dragstart", (event) => { event.dataTransfer.effectAllowed = "copy"; });
} else {
  area.addEventListener("input", () => typed([whole(area.value)]));
}
