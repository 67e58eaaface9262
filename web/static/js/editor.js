// Laying tiles by hand: pick from a palette, tap a tile to change it. Also the dialog that corrects one reading.
import { ask, el } from "./dom.js";
import { t } from "./texts.js";
import { parseTable, parseTile, tile } from "./tiles.js";

const COLOURS = ["R", "B", "K", "O"];

/** Every tile of the box, to press; `pick(text)`. */
export function palette(pick) {
  const numbers = Array.from({ length: 13 }, (_, at) => at + 1);
  return el("div", { class: "palette", dir: "ltr", role: "group", "aria-label": t("All tiles") },
    COLOURS.map((colour) => el("div", { class: "palette-row" }, numbers.map((n) => tile(colour + n, { press: () => pick(colour + n) })))),
    el("div", { class: "palette-row" }, tile("J", { press: () => pick("J") })));
}

/** Ask what a tile is: likely readings first, then all tiles. Resolves to a text, "" for no tile, or null. */
export function askTile(lying, options = {}) {
  return ask(t("Which tile is it?"), (close) => {
    // A reading without shares, such as one laid by hand, still says what it may be.
    const known = lying.likely?.length ? lying.likely : (lying.candidates || []).map((one) => ({ tile: one, share: undefined }));
    const likely = known.filter((one) => one.tile !== lying.text).slice(0, 6);
    const shown = parseTile(lying.text).sure ? [{ tile: lying.text, share: null }, ...likely] : likely;
    return [
      shown.length ? el("div", { class: "likely" }, shown.map((one) => el("span", { class: "likely-one" },
        tile(one.tile, { press: () => close(one.tile) }),
        el("span", { class: "small muted number" }, one.share === null ? t("as read") : one.share === undefined ? "" : `${Math.round(one.share * 100)} %`)))) : null,
      el("details", { open: shown.length < 2 }, el("summary", {}, t("Another tile")), palette(close)),
      options.removable ? el("button", { type: "button", class: "danger", onclick: () => close("") }, t("There is no tile here")) : null,
    ];
  }, t("Close"));
}

/**
 * An editor of rows of tiles. `rows`: arrays of tile texts; `options`: {single: one row only, changed(notation)}.
 * The element has `notation()`.
 */
export function editor(rows, options = {}) {
  let sets = rows.map((row) => [...row]);
  let at = null; // {set, place}: the chosen tile; otherwise tiles go to the end of the last set
  const felt = el("div", { class: "felt editor-felt" });
  const typed = el("input", { type: "text", dir: "ltr", spellcheck: "false", autocomplete: "off", "aria-label": t("In letters") });
  const bar = el("div", { class: "row" });
  const notation = () => sets.filter((row) => row.length).map((row) => row.join(" ")).join(" | ");

  function pick(text) {
    if (at) sets[at.set][at.place] = text;
    else if (sets.length) sets[sets.length - 1].push(text);
    else sets.push([text]);
    if (at) at = null;
    draw();
  }
  function remove() {
    if (at) {
      sets[at.set].splice(at.place, 1);
      at = null;
    } else if (sets.length) sets[sets.length - 1].pop();
    sets = sets.filter((row, place) => row.length || place === sets.length - 1);
    draw();
  }
  function draw() {
    felt.replaceChildren(el("ul", { class: "sets" }, sets.map((row, set) => el("li", { class: "set" },
      el("span", { class: "tiles", dir: "ltr" }, row.map((text, place) => tile(text, {
        lifted: at?.set === set && at.place === place,
        focus: `e${set}-${place}`,
        press: () => { at = at?.set === set && at.place === place ? null : { set, place }; draw(); },
      })),
      set === sets.length - 1 && !at ? el("span", { class: "caret", "aria-hidden": "true" }) : null)))));
    if (!sets.some((row) => row.length)) felt.replaceChildren(el("p", { class: "empty" }, t("Press tiles below to lay them here.")));
    bar.replaceChildren(...[
      options.single ? null : el("button", { type: "button", class: "small", onclick: () => { sets.push([]); at = null; draw(); } }, t("New set")),
      el("button", { type: "button", class: "small", onclick: remove }, at ? t("Remove the chosen tile") : t("Remove the last tile")),
      el("button", { type: "button", class: "small danger", onclick: () => { sets = []; at = null; draw(); } }, t("Remove all")),
    ].filter(Boolean));
    if (document.activeElement !== typed) typed.value = notation();
    options.changed?.(notation());
  }
  typed.addEventListener("input", () => {
    sets = parseTable(typed.value.toUpperCase());
    at = null;
    if (sets.flat().every((text) => /^~?(?:[RBKO?](?:\d{1,2}|\?)|J)(?:\/(?:[RBKO?](?:\d{1,2}|\?)|J))*$/.test(text))) draw();
  });
  const box = el("div", { class: "editor" }, felt, bar, palette(pick),
    el("details", {}, el("summary", {}, t("In letters")),
      el("p", { class: "small muted" }, t("R red, B blue, K black, O orange, J joker; a bar between sets, as in: B4 B5 B6 | K8 R8 J")), typed));
  box.notation = notation;
  draw();
  return box;
}
