// The start of the page, and buttons without their own module.

import "./completion.js";
import { ask, connect, refused } from "./connection.js";
import { element } from "./elements.js";
import "./panel.js";
import "./arrangement.js";
import "./palette.js";
import "./map.js";
import "./actions.js";
import "./recording.js";
import { change, save } from "./source.js";
import { report } from "./state.js";

refused.listen((text) => report(text));

element("begin").onsubmit = () => {
  const [width, height] = element("newsize").value.split("x").map(Number);
  change("begin", { name: element("newname").value.trim() || "kiosk", width, height });
};

// MARK: Attached files

element("newfile").onclick = () => element("file").click();
element("file").onchange = async () => {
  const [file] = element("file").files;
  if (!file) return;
  // The maximum size of a message, which contains the file in base64.
  if (file.size > 5 << 20) report(`Cannot add ${file.name}: it exceeds 5 MiB. Copy it to the kiosk's folder instead.`);
  else {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
    const answer = await ask("put", { name: file.name, bytes: btoa(text) });
    if (answer) report(`Added ${file.name} to the kiosk's folder.`, false);
  }
  element("file").value = "";
};

// MARK: The page

element("save").onclick = save;
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "s") {
    event.preventDefault();
    save();
  }
});
for (const form of ["keys", "actions", "values", "properties", "recorder", "begin"]) {
  element(form).addEventListener("submit", (event) => event.preventDefault());
}

connect();
