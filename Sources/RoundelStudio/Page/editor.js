// The text editor: CodeMirror, or a plain field without it.

import { element } from "./elements.js";
import { signal } from "./signal.js";

const area = element("source");
/** The CodeMirror editor, or null without CodeMirror. */
export const editor = window.CodeMirror
  ? window.CodeMirror.fromTextArea(area, {
    mode: "yaml", lineNumbers: true, tabSize: 2, indentWithTabs: false, matchBrackets: true,
    styleActiveLine: true, undoDepth: 1000, inputStyle: "contenteditable",
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

/** Replaces the text. Undo doesn't go back beyond the first text. */
export function setText(text, isFirst) {
  if (!editor) {
    area.value = text;
    return;
  }
  const old = editor.getValue();
  if (old === text) return;
  // Replace only the difference, to keep the cursor and the undo history.
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
 * Applies edits. CodeMirror undoes edits of one gesture together, because their origin begins with a star. Other edits
 * are undone separately.
 */
export function apply(edits, gesture) {
  if (!editor) return;
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
