// SPDX-License-Identifier: MIT
// Adds a search to the navigation. The pages work without it.
"use strict";
(function () {
  const root = document.currentScript.dataset.root;
  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = "Search";
  field.setAttribute("aria-label", "Search the pages");
  const list = document.createElement("ul");
  list.id = "found";
  list.hidden = true;
  list.setAttribute("aria-live", "polite");
  let loading = null;

  function pages() {
    loading = loading || new Promise(function (done, failed) {
      const script = document.createElement("script");
      script.src = root + "index.js";
      script.onload = function () { done(window.roundelPages); };
      script.onerror = failed;
      document.head.append(script);
    });
    return loading;
  }

  // All words must occur. A word in a title counts more than one in the text.
  function rank(page, words) {
    const title = page[1].toLowerCase(), text = page[2].toLowerCase();
    let sum = 0;
    for (const word of words) {
      const value = (title.includes(word) ? 10 : 0) + (text.includes(word) ? 1 : 0);
      if (!value) return 0;
      sum += value;
    }
    return sum - title.length / 1000;
  }

  function excerpt(text, word) {
    const at = Math.max(text.toLowerCase().indexOf(word) - 40, 0);
    return (at ? "…" : "") + text.slice(at, at + 160);
  }

  async function search() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = words.length === 0 ? [] : (await pages())
      .map(function (page) { return [rank(page, words), page]; })
      .filter(function (each) { return each[0] > 0; })
      .sort(function (a, b) { return b[0] - a[0]; }).slice(0, 20);
    list.replaceChildren(...found.map(function (each) {
      const item = document.createElement("li"), link = document.createElement("a");
      const small = document.createElement("small");
      link.href = root + each[1][0];
      link.textContent = each[1][1];
      small.textContent = excerpt(each[1][2], words[0]);
      item.append(link, small);
      return item;
    }));
    if (words.length > 0 && found.length === 0) list.textContent = "Nothing found.";
    list.hidden = words.length === 0;
  }

  field.addEventListener("input", search);
  window.addEventListener("DOMContentLoaded", function () {
    const navigation = document.querySelector("nav");
    navigation.append(field);
    navigation.after(list);
  });
})();
