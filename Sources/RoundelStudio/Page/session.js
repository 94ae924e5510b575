// The start of the page, and buttons without their own module.

import "./attach.js";
import "./commands.js";
import "./completion.js";
import { connect, refused } from "./connection.js";
import { element } from "./elements.js";
import "./follow.js";
import "./panel.js";
import "./palette.js";
import "./map.js";
import "./actions.js";
import "./recording.js";
import { change, save } from "./source.js";
import { report } from "./state.js";
import "./tree.js";
import "./zoom.js";

refused.listen((text) => report(text));

element("begin").onsubmit = () => {
  const [width, height] = element("newsize").value.split("x").map(Number);
  change("begin", { name: element("newname").value.trim() || "kiosk", width, height });
};

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
