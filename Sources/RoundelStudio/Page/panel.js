// The panel of the kiosk: its size in pixels, theme, language and clock.

import { ask } from "./connection.js";
import { element, fill } from "./elements.js";
import { changed as kioskChanged, kiosk, passed } from "./kiosk.js";

const sizes = ["480x320", "800x480", "1024x600", "1280x800", "1920x1080", "600x1024", "720x720"];
fill(element("size"), [["as designed", "design"], ...sizes], "design");
fill(element("newsize"), sizes, "800x480");
fill(element("rotation"), [["none", "0"], ["90°", "90"], ["180°", "180"], ["270°", "270"]], "0");
fill(element("depth"), [["from the file", ""], ["24 bits", "24"], ["18 bits", "18"], ["16 bits", "16"]], "");
fill(element("shape"), [["from the file", ""], ["rectangular", "rectangle"], "round"], "");
fill(element("speed"), [["stopped", "0"], ["¼ ×", "0.25"], ["normal", "1"], ["4 ×", "4"]], "1");

kioskChanged.listen(({ panel, themes, theme, languages, language, speed }) => {
  element("size").value = panel.size;
  element("shape").value = panel.shape;
  element("rotation").value = panel.rotation;
  element("depth").value = panel.depth ?? "";
  fill(element("theme"), themes, theme);
  element("languages").hidden = languages.length < 2;
  fill(element("language"), languages, language);
  element("speed").value = speed;
  showClock();
});

// The clock continues from its last reported time.
function showClock() {
  const { clock } = kiosk();
  if (!clock || document.activeElement === element("clock")) return;
  element("clock").value = new Date(Date.parse(`${clock}Z`) + passed()).toISOString().slice(0, 16);
}
setInterval(showClock, 1000);

// Send each setting separately, because the other fields may be out of date.
element("size").onchange = () => {
  const [width, height] = element("size").value.split("x").map(Number);
  ask("panel", { width: width || 0, height: height || 0 });
};
element("shape").onchange = () => ask("panel", { shape: element("shape").value });
for (const id of ["rotation", "depth"]) element(id).onchange = () => ask("panel", { [id]: Number(element(id).value) });
element("speed").onchange = () => ask("speed", { speed: Number(element("speed").value) });
element("theme").onchange = () => ask("theme", { theme: element("theme").value });
element("clock").onchange = () => ask("clock", { clock: element("clock").value });
element("language").onchange = () => ask("value", { name: "language", text: element("language").value });
