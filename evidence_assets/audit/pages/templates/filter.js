"use strict";
(() => {
  const form = document.querySelector("form.filter");
  const rows = [...document.querySelectorAll("ol.answers > li")];
  const count = form.querySelector("output");
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const apply = () => {
    const chosen = new FormData(form);
    const words = chosen.get("words").toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, place) => {
      const fits = chosen.get("show") === "all" || row.dataset.show.split(" ").includes(chosen.get("show"));
      row.hidden = !(fits && words.every((word) => texts[place].includes(word)));
      shown += row.hidden ? 0 : 1;
    });
    count.textContent = `${shown} of ${rows.length} shown`;
  };
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  apply();
})();
