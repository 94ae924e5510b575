// The selection follows the cursor in the source.

import { ask } from "./connection.js";
import { editor } from "./editor.js";
import { kiosk } from "./kiosk.js";
import { chosenControl, chosenItem, reveal } from "./selection.js";
import { isSettled } from "./source.js";

/** Milliseconds until a cursor rests. */
const delay = 150;
let timer;

async function follow() {
  if (!editor.hasFocus() || !isSettled()) return;
  const at = editor.getCursor();
  const found = await ask("locate", { at });
  const isHere = editor.getCursor().line === at.line && editor.hasFocus();
  if (!isHere || !found?.page || !kiosk().pages?.includes(found.page)) return;
  const [control, item] = [found.control ?? null, found.item ?? null];
  const isKnown = found.page === kiosk().page && control === (chosenControl()?.id ?? null) && item === chosenItem();
  if (!isKnown) reveal(found.page, control, item, "source");
}

editor?.on("cursorActivity", () => {
  clearTimeout(timer);
  timer = setTimeout(follow, delay);
});
