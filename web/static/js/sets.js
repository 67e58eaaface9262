// Sets drawn clean on the felt.
import { el } from "./dom.js";
import { t } from "./texts.js";
import { tile, toldText } from "./tiles.js";

const STATES = {
  good: () => ["✓", t("complete")],
  unfinished: () => ["…", t("not finished")],
  doubtful: () => ["?", t("not sure")],
  faulty: () => ["✕", t("not valid")],
};

/** A tile of the notation as the snapshot has tiles. */
export const plain = (text, more = {}) => ({ text, ...more });

/** Sets of texts, such as the table before a turn, as the snapshot has sets. */
export const plainSets = (rows, more = {}) => (rows || []).map((row) => ({ tiles: row.map((text) => plain(text, more)) }));

function drawSet(one, options, at) {
  const state = STATES[one.state]?.();
  const why = (one.told || []).map(toldText).join(" ");
  return el("li", { class: `set ${one.state || ""}` },
    el("span", { class: "tiles", dir: "ltr" }, one.tiles.map((lying, place) => tile(lying.text, {
      new: lying.new, faulty: lying.faulty, hidden: lying.hidden, ghost: options.ghost || lying.ghost, lifted: lying.lifted,
      press: options.press ? () => options.press(lying, one) : null, focus: `t${lying.key ?? `${at}-${place}`}`,
    }))),
    state ? el("span", { class: "state", title: why || null }, el("span", { "aria-hidden": "true" }, state[0]), state[1]) : null);
}

/** Draw sets; `options`: {press(tile, set), ghost, empty: text}. */
export function drawSets(sets, options = {}) {
  if (!sets?.length) return el("p", { class: "empty" }, options.empty || t("The table is empty."));
  return el("ul", { class: "sets" }, sets.map((one, at) => drawSet(one, options, at)));
}
