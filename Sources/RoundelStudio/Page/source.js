// The text, which the page and the program both have. Drags and other edits in the picture also become changes of the
// text, so that a single undo history contains all edits.

import { compare } from "./conflict.js";
import { ask, closed, isConnected, receive } from "./connection.js";
import { draft, forgetDraft, keepDraft } from "./drafts.js";
import * as editor from "./editor.js";
import { download, element, fileName } from "./elements.js";
import { changeOf, merge } from "./merge.js";
import { signal } from "./signal.js";
import { report, showDeleted, showSaved } from "./state.js";

let revision = 0;
// The unsent changes, and whether sent changes are waiting for their answer.
let waiting = [];
let isSending = false;
// Whether the connection was lost after the program's last text arrived.
let wasAway = false;
// The last text that both sides had, and that text with the sent changes. Null until the file is open.
let agreed = null;
let sent = null;
// The last text known to be saved, or null.
let saved = null;
let settling = [];
/** The file name for downloads. */
let savedAs = "kiosk.yaml";

/** Reports that the program has accepted all changes. */
export const taken = signal();
/** Reports the selection after a change: {control, item, page, controls}. */
export const renamed = signal();

/** Whether both sides have the same text. */
export const isSettled = () => !isSending && !waiting.length;

/** The program's revision of the text. */
export const currentRevision = () => revision;

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
  if (!answer && isConnected()) return refuse();
  // Otherwise the program sends its text.
  if (!answer?.revision) return;
  revision = answer.revision;
  isSending = false;
  agreed = sent;
  tellSaved(answer.saved);
  sendChanges();
  if (!isSending) taken();
  tellSettled();
}

/** Reverts changes that the program refuses, such as a text that is too large. */
function refuse() {
  isSending = false;
  waiting = [];
  editor.adopt(agreed);
  tellSettled();
}

function tellSaved(isSaved) {
  const isWhole = isSaved && isSettled();
  showSaved(isWhole);
  if (!isWhole) return;
  saved = editor.text();
  forgetDraft();
}

editor.typed.listen((changes) => {
  // Without CodeMirror, a change contains the whole text.
  waiting = editor.editor ? [...waiting, ...changes] : changes;
  showSaved(false);
  keepDraft(editor.text, saved);
  sendChanges();
});
closed.listen(() => { wasAway = true; });

/** Merges the program's text with the page's. */
function takeText(theirs, isRestarted) {
  const own = editor.text();
  const base = theirs === sent ? sent : isRestarted && saved !== null ? saved : agreed;
  const hasOwn = !isSettled() || (isRestarted && own !== base);
  const { text, isClean } = hasOwn ? merge(base, own, theirs) : { text: theirs, isClean: true };
  // Long texts that both sides have changed are compared by the user.
  const isConflict = !isClean && wasAway;
  const merged = isConflict ? own : text;
  isSending = false;
  wasAway = false;
  agreed = theirs;
  sent = theirs;
  editor.adopt(merged);
  waiting = merged === theirs ? [] : [changeOf(theirs, merged)];
  if (isConflict) {
    showConflict("The text was changed elsewhere while the page was not connected.", theirs, own, false);
  }
}

receive("file", (message) => {
  const isFirst = agreed === null;
  const isRestarted = wasAway && message.revision < revision;
  revision = message.revision;
  savedAs = fileName(message.path);
  // The editor's lines end with a line feed.
  const theirs = message.text.replace(/\r\n?/g, "\n");
  if (isFirst) {
    agreed = theirs;
    editor.open(theirs);
    wasAway = false;
  } else {
    takeText(theirs, isRestarted);
  }
  sendChanges();
  tellSettled();
  if (isSettled()) taken();
  if (!element("newname").value) element("newname").value = savedAs.replace(/\.[^.]*$/, "");
  document.title = `${savedAs} – Roundel Studio`;
  const old = isFirst && message.saved ? draft() : null;
  tellSaved(message.saved);
  if (old && old.text !== theirs) restore(old, theirs);
});

/** Restores the text of a former page whose program has ended. */
function restore(old, theirs) {
  if (old.base !== theirs) {
    return showConflict("The file has changed since your unsaved text.", theirs, old.text, false);
  }
  editor.replace(old.text);
  report("Your unsaved text was restored.", false);
}

// Unsent changes are newer than the saved text.
receive("saved", (message) => {
  tellSaved(message.saved);
  if (message.deleted) showDeleted();
});
receive("conflict", ({ text, theirs }) => {
  if (!text) compare(null);
  else if (unified(theirs) === editor.text()) ask("resolve");
  else showConflict(text, theirs, editor.text(), true);
});

const unified = (text) => text?.replace(/\r\n?/g, "\n") ?? null;

/**
 * Lets the user decide. `isOnDisk` says that the other version is in the file. Equal texts may name different images.
 */
function showConflict(reason, theirs, mine, isOnDisk) {
  const other = unified(theirs);
  const set = async (text) => {
    editor.replace(text);
    await settled();
  };
  const takeTheirs = async () => {
    if (isOnDisk) await ask("resolve");
    await set(other);
  };
  return compare({
    reason, theirs: other, mine,
    takeTheirs,
    keepMine: async () => {
      await set(mine);
      if (isOnDisk) write(true);
    },
    saveAs: async (name) => {
      await set(mine);
      if (!await ask("saveCopy", { name })) return false;
      if (other !== null) await takeTheirs();
      return true;
    },
  });
}

async function write(force) {
  const answer = await ask("save", { force });
  if (answer?.conflict) showConflict(answer.conflict.text, answer.conflict.theirs, editor.text(), true);
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
