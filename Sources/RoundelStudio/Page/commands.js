// Commands for the selected elements, by buttons and keys: order, copies, removal and the clipboard.

import { moved, boundsOf, nudge } from "./arrangement.js";
import { ask } from "./connection.js";
import { element } from "./elements.js";
import { boxOf } from "./frame.js";
import { isTyping } from "./history.js";
import { changed as kioskChanged, kiosk, showText } from "./kiosk.js";
import { isArranging, resized } from "./picture.js";
import {
  changed as chosenChanged, choose, chooseAll, chosenControls, chosenIDs, chosenItem, isControl, owner,
} from "./selection.js";
import { change, settled } from "./source.js";
import { report } from "./state.js";

/** Moves, copies or removes the selected element. */
const arrange = (method, more = {}) => change(method, { owner: owner(), ...more });
const owners = () => chosenIDs().map((control) => ({ control }));
const isSeveral = () => chosenIDs().length > 1;

function remove() {
  if (isSeveral()) return change("removeAll", { owners: owners() });
  return arrange("remove");
}

function duplicate() {
  if (isSeveral()) return change("duplicateAll", { owners: owners() });
  return arrange("duplicate");
}

element("remove").onclick = remove;
element("duplicate").onclick = duplicate;
element("earlier").onclick = () => arrange("move", { forward: false });
element("later").onclick = () => arrange("move", { forward: true });
element("additem").onclick = () => arrange("addItem");
element("reaction").onchange = () => {
  const command = element("reaction").value;
  element("reaction").value = "";
  if (command) arrange("addReaction", { command });
};
element("newpage").onclick = () => {
  showText();
  change("addPage");
};

// MARK: The clipboard

// The last copied controls, if the browser doesn't allow reading its clipboard.
let held = "";

async function copy() {
  const given = owners();
  if (!given.length) return false;
  await settled();
  const answer = await ask("copy", { owners: given });
  if (!answer) return false;
  held = answer.text;
  navigator.clipboard?.writeText(held).catch(() => {});
  return true;
}

async function cut() {
  if (await copy()) remove();
}

const isFree = (event) => !isTyping(event.target) && !event.target.closest("input, textarea")
  && !document.querySelector("dialog[open]");

document.addEventListener("paste", (event) => {
  if (!isFree(event) || !isArranging()) return;
  const given = event.clipboardData?.getData("text/plain") ?? "";
  const text = /^\s*- \w+:/.test(given) ? given : held;
  if (event.clipboardData?.files.length) return;
  event.preventDefault();
  if (text) change("paste", { text });
  else report("The clipboard has no controls; select controls and press Ctrl-C first.");
});

// MARK: Keys

const commands = { c: copy, x: cut, d: duplicate, a: () => chooseAll(kiosk().controls.map(({ id }) => id)) };

document.addEventListener("keydown", (event) => {
  if (!isFree(event) || !isArranging() || event.target.closest("select")) return;
  const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
  const command = isCommand ? commands[event.key.toLowerCase()] : undefined;
  if (command) {
    // The browser copies selected text of the page.
    if (event.key === "c" && !getSelection().isCollapsed) return;
    event.preventDefault();
    command();
  } else if (event.key === "Escape" && isControl()) {
    choose(chosenItem() ? chosenIDs()[0] : null);
  } else if (["Delete", "Backspace"].includes(event.key) && isControl()) {
    event.preventDefault();
    remove();
  } else if (!event.target.closest("summary, [role=tree]") && nudge(event)) {
    event.preventDefault();
  }
});

// MARK: Alignment

/** The movement of each control, for an edge or the middle of all. */
const alignments = {
  left: (box, all) => [all[0] - box[0], 0],
  center: (box, all) => [(all[0] + all[2] - box[0] - box[2]) / 2, 0],
  right: (box, all) => [all[2] - box[2], 0],
  top: (box, all) => [0, all[1] - box[1]],
  middle: (box, all) => [0, (all[1] + all[3] - box[1] - box[3]) / 2],
  bottom: (box, all) => [0, all[3] - box[3]],
};

function shift(controls, distances) {
  change("setAll", {
    changes: controls.flatMap((control, index) => {
      const { x, y } = boxOf(control);
      return moved([{ id: control.id, x, y }], ...distances[index]);
    }),
  });
}

function align(kind) {
  const controls = chosenControls().filter((each) => each.rect);
  // A single control is aligned with the screen.
  const all = controls.length > 1 ? boundsOf(controls) : kiosk().screen;
  if (all) shift(controls, controls.map(({ rect }) => alignments[kind](rect, all)));
}

/** Makes the gaps between controls equal along an axis. */
function distribute(axis) {
  const controls = chosenControls().filter((each) => each.rect).sort((a, b) => a.rect[axis] - b.rect[axis]);
  if (controls.length < 3) return;
  const all = boundsOf(controls);
  const free = all[axis + 2] - all[axis] - controls.reduce((sum, { rect }) => sum + rect[axis + 2] - rect[axis], 0);
  let place = all[axis];
  shift(controls, controls.map(({ rect }) => {
    const way = place - rect[axis];
    place += rect[axis + 2] - rect[axis] + free / (controls.length - 1);
    return axis === 0 ? [way, 0] : [0, way];
  }));
}

/** Gives all controls the size of the last selected one. */
async function unify() {
  const ids = chosenIDs();
  const answers = await Promise.all(ids.map((control) => ask("select", { owner: { control } })));
  const sizes = answers.map((answer) => new Map(answer?.keys.map((key) => [key.name, key])));
  const last = sizes[sizes.length - 1];
  const changes = ids.slice(0, -1).flatMap((control, index) => ["size", "radius"].flatMap((key) => {
    const written = last.get(key)?.written;
    const numbers = written?.match(/\d+(\.\d+)?/g)?.map(Number);
    if (!numbers || !sizes[index].has(key)) return [];
    return [{ owner: { control }, key, value: key === "radius" ? numbers[0] : numbers }];
  }));
  if (changes.length) change("setAll", { changes });
  else report("The selected controls have no size in common.");
}

for (const node of document.querySelectorAll("#alignment [data-align]")) {
  node.onclick = () => align(node.dataset.align);
}
element("distributex").onclick = () => distribute(0);
element("distributey").onclick = () => distribute(1);
element("samesize").onclick = unify;

function showAlignment() {
  const count = chosenControls().filter((each) => each.rect).length;
  element("alignment").hidden = !count || !isArranging();
  for (const id of ["distributex", "distributey"]) element(id).disabled = count < 3;
  element("samesize").disabled = count < 2;
}
for (const report of [chosenChanged, kioskChanged, resized]) report.listen(showAlignment);
element("play").addEventListener("change", showAlignment);
