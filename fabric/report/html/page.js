// Adds to each table a filter and sorting, and to the drawing that a click on a node filters for it.
"use strict";

(() => {
  const FEW = 5; // rows that are seen at a glance
  const natural = new Intl.Collator("en", { numeric: true });

  function element(name, properties, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  function textOf(row) {
    return Array.from(row.cells, (cell) => cell.textContent).join(" ").toLowerCase();
  }

  // Returns a function that filters the rows of a table by a text and says how many are left.
  function filterable(table) {
    const rows = Array.from(table.tBodies[0].rows, (row) => [row, textOf(row)]);
    if (rows.length <= FEW) return undefined;
    const box = element("input", { type: "search", spellcheck: false, autocomplete: "off" });
    const shown = element("span");
    shown.setAttribute("role", "status");
    function apply() {
      const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
      let left = 0;
      for (const [row, text] of rows) {
        row.hidden = !words.every((word) => text.includes(word));
        if (!row.hidden) left += 1;
      }
      shown.textContent = words.length ? `${left} of ${rows.length} rows` : "";
      return left;
    }
    box.addEventListener("input", apply);
    const bar = element("div", { className: "filter" }, element("label", {}, "Filter ", box), shown);
    table.parentElement.before(bar);
    return (text) => {
      box.value = text;
      return apply();
    };
  }

  function sortable(table) {
    const heads = Array.from(table.tHead.rows[0].cells);
    const body = table.tBodies[0];
    const given = Array.from(body.rows);
    if (given.length < 2) return;
    heads.forEach((head, column) => {
      const button = element("button", { type: "button" }, ...head.childNodes);
      button.addEventListener("click", () => {
        const before = head.getAttribute("aria-sort");
        for (const other of heads) other.removeAttribute("aria-sort");
        const rows = [...given];
        if (before !== "descending") {
          const key = (row) => row.cells[column].textContent;
          rows.sort((a, b) => natural.compare(key(a), key(b)));
          if (before === "ascending") rows.reverse();
          head.setAttribute("aria-sort", before === "ascending" ? "descending" : "ascending");
        }
        body.append(...rows);
      });
      head.append(button);
    });
  }

  const filters = [];
  for (const table of document.querySelectorAll("table")) {
    const filter = filterable(table);
    if (filter) filters.push([table, filter]);
    sortable(table);
  }

  const drawing = document.querySelector("svg.drawing");
  if (drawing && filters.length) {
    drawing.classList.add("live");
    document.querySelector("figcaption .hint").append(" A click on a node filters the tables for it.");
    drawing.addEventListener("click", (event) => {
      const cell = event.target.closest("[data-node]");
      if (!cell) return;
      const found = filters.filter(([, filter]) => filter(cell.dataset.node) > 0);
      const [table] = found[0] ?? filters[0];
      table.closest("section").scrollIntoView();
    });
  }
})();
