// The dialog for two versions of the text.

import { element } from "./elements.js";
import { compared } from "./merge.js";

const dialog = element("conflict");
let current = null;

/** Shows a conflict with its differences, or closes the dialog for null. */
export function compare(conflict) {
  current = conflict;
  if (!conflict) {
    if (dialog.open) dialog.close();
    return;
  }
  const { reason, theirs, mine } = conflict;
  element("reason").textContent = reason;
  element("theirs").hidden = theirs === null;
  element("mine").textContent = theirs === null ? "Write mine again" : "Keep mine";
  const lines = theirs === null ? [] : compared(mine, theirs).slice(0, 400);
  element("versions").hidden = !lines.length;
  element("versions").replaceChildren(...lines.map(([sign, text]) => {
    const line = document.createElement("div");
    line.className = { "-": "mine", "+": "theirs", " ": "" }[sign];
    line.textContent = `${sign} ${text}`;
    return line;
  }));
  if (!dialog.open) dialog.showModal();
}

async function decide(action) {
  const chosen = current;
  compare(null);
  await action(chosen);
}

element("theirs").onclick = () => decide((chosen) => chosen.takeTheirs());
element("mine").onclick = () => decide((chosen) => chosen.keepMine());
element("decidelater").onclick = () => decide(() => {});
element("saveas").onsubmit = async (event) => {
  event.preventDefault();
  const chosen = current;
  if (await chosen.saveAs(element("copyname").value.trim())) compare(null);
};
