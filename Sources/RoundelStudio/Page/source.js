// The text, which the page and the program both have. Drags and other edits in the picture also become changes of the
// text, so that a single undo history contains all edits.

import { ask, closed, isConnected, receive } from "./connection.js";
import * as editor from "./editor.js";
import { download, element, fileName } from "./elements.js";
import { signal } from "./signal.js";
import { report, showSaved } from "./state.js";

let revision = 0;
// The unsent changes, and whether sent changes are waiting for their answer.
let waiting = [];
let isSending = false;
// Whether the connection was lost after the program's last text arrived.
let wasAway = false;
// The last text that both sides had, and that text with the sent changes. Null until the file is open.
let agreed = null;
let sent = null;
let settling = [];
/** The file name for downloads. */
let savedAs = "kiosk.yaml";

/** Reports that the program has accepted all changes. */
export const taken = signal();
/** Reports the selection after a change: {control, item, page}. */
export const renamed = signal();

/** Whether both sides have the same text. */
export const isSettled = () => !isSending && !waiting.length;

/** Waits until the program has the page's text. */
export async function settled() {
  while (!isSettled()) await new Promise((resolve) => settling.push(resolve));
}

function tellSettled() {
  if (!isSettled()) return;
  const all = settling;
  settling = [];
  all.forEach((resolve) => resolve());
}

// Changes wait for the answer to earlier changes, because they must apply to the same text on both sides.
async function sendChanges() {
  if (isSending || !waiting.length || !isConnected()) return;
  isSending = true;
  sent = editor.text();
  const changes = waiting;
  waiting = [];
  const answer = await ask("edit", { revision, changes });
  // Otherwise the program sends its text.
  if (!answer?.revision) return;
  revision = answer.revision;
  isSending = false;
  agreed = sent;
  sendChanges();
  if (!isSending) taken();
  tellSettled();
}

editor.typed.listen((changes) => {
  // Without CodeMirror, a change contains the whole text.
  waiting = editor.editor ? [...waiting, ...changes] : changes;
  showSaved(false);
  sendChanges();
});
closed.listen(() => { wasAway = true; });

/** Adopts the program's text. Returns false if it replaces text typed while the connection was lost. */
function takeText(text) {
  const own = editor.text();
  const isOwnNewer = wasAway && !isSettled() && own !== text;
  const isKept = isOwnNewer && (text === agreed || text === sent);
  // Only this page has changed the text, so send it to the program.
  waiting = isKept ? [editor.whole(own)] : [];
  isSending = false;
  wasAway = false;
  if (!isKept) editor.setText(text, agreed === null);
  agreed = text;
  sent = text;
  return isKept || !isOwnNewer;
}

receive("file", (message) => {
  revision = message.revision;
  // The editor's lines end with a line feed.
  const isKept = takeText(message.text.replace(/\r\n?/g, "\n"));
  sendChanges();
  tellSettled();
  savedAs = fileName(message.path);
  if (!element("newname").value) element("newname").value = savedAs.replace(/\.[^.]*$/, "");
  document.title = `${savedAs} – Roundel Studio`;
  showSaved(message.saved && isSettled());
  if (!isKept) report("The text was changed elsewhere. Press Ctrl-Z in the source to restore yours.");
});
// Unsent changes are newer than the saved text.
receive("saved", ({ saved }) => showSaved(saved && isSettled()));
receive("conflict", ({ text }) => resolveConflict(text));

function resolveConflict(text) {
  if (text && confirm(`${text}.\n\nOverwrite it anyway?`)) write(true);
}

async function write(force) {
  const answer = await ask("save", { force });
  resolveConflict(answer?.conflict);
}

export async function save() {
  if (isConnected() === false) return download(savedAs, editor.text());
  await settled();
  write(false);
}

// MARK: Changes by the program

/**
 * Requests an edit of the text, and applies it. Returns false if the text has changed in the meantime, and undefined if
 * the program refuses the request or isn't connected.
 */
export async function change(method, parameters = {}, gesture) {
  // The revision is valid only afterwards.
  await settled();
  const answer = await ask(method, { revision, ...parameters });
  if (!answer) return undefined;
  const isFresh = answer.revision === revision && isSettled();
  if (!isFresh) return false;
  if (answer.chosen) renamed(answer.chosen);
  editor.apply(answer.edits, gesture);
  return true;
}
