// The history: the editor's, with the files that were added in between.

import { ask } from "./connection.js";
import { editor, typed } from "./editor.js";
import { element } from "./elements.js";

// Added and removed files, with the number of the editor's entries before them.
let done = [];
let undone = [];

const size = () => editor.historySize().undo;

/** Adds an entry that isn't an edit of the text: {undo, redo}. */
export function record(entry) {
  // Typing continues in a new entry.
  editor?.changeGeneration(true);
  done.push({ ...entry, at: size() });
  undone = [];
  update();
}

export function undo() {
  const last = done[done.length - 1];
  if (last && last.at >= size()) {
    done.pop();
    undone.push(last);
    last.undo();
  } else {
    editor?.undo();
  }
  update();
}

export function redo() {
  const next = undone[undone.length - 1];
  if (next && next.at <= size()) {
    undone.pop();
    done.push(next);
    next.redo();
  } else {
    editor?.redo();
  }
  update();
}

export function update() {
  const { undo: back, redo: forward } = editor?.historySize() ?? { undo: 0, redo: 0 };
  element("undo").disabled = !back && !done.length;
  element("redo").disabled = !forward && !undone.length;
}

/** Writes a file to the kiosk's folder as an entry of the history. */
export async function addFile(name, bytes) {
  const put = () => ask("put", { name, bytes });
  if (!await put()) return false;
  record({ undo: () => ask("unput", { name }), redo: put });
  return true;
}

typed.listen(() => {
  // A new edit ends the redoing of files, but an edit that was redone doesn't.
  if (!editor?.historySize().redo) undone = undone.filter((each) => each.at > size());
  update();
});

element("undo").onclick = undo;
element("redo").onclick = redo;
if (editor) {
  editor.addKeyMap({
    "Ctrl-Z": undo, "Cmd-Z": undo, "Shift-Ctrl-Z": redo, "Shift-Cmd-Z": redo, "Ctrl-Y": redo,
  });
}

/** Whether a field handles its own typing, such as an undo. */
export function isTyping(target) {
  if (target.closest(".CodeMirror")) return true;
  if (target.matches("textarea, input:is([type=text], [type=datetime-local], :not([type]))")) {
    return target.value !== target.defaultValue || target.matches("#steps, #test, #newname, #copyname");
  }
  return false;
}

document.addEventListener("keydown", (event) => {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.altKey || !["z", "y"].includes(key)) return;
  if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  if (key === "y" || event.shiftKey) redo();
  else undo();
});
