// One line of what happened, with the ways to set it right.
import { el } from "./dom.js";
import { act } from "./api.js";
import { t } from "./texts.js";
import { tileRow } from "./tiles.js";

export const KINDS = () => ({
  "start-match": t("The match begins"), "draw-for-start": t("Draw for the start"), deal: t("A game begins"), play: t("Play"),
  draw: t("Draw"), pass: t("Pass"), "time-out": t("Time-out"), declare: "Rummikub!", racks: t("Racks"), count: t("Count"), "take-over": t("Taken over in mid-game"), correct: t("Correction"),
});
const SIGNS = { legal: "✓", illegal: "✕", ask: "?" };
const STATES = () => ({ "taken-back": t("taken back"), changed: t("corrected"), refused: t("does not count") });

/** A list item for one entry of the history. */
export function historyItem(one, state, may) {
  const told = STATES()[one.state];
  const correctable = may.has("correct") && one.kind !== "correct" && one.kind !== "start-match";
  return el("li", { class: `entry ${one.verdict || ""} ${one.state || ""}` },
    el("span", { class: "sign", "aria-hidden": "true" }, SIGNS[one.verdict] || "·"),
    el("span", { class: "grow" },
      el("span", { class: "who" }, one.player ? `${one.player} · ` : "", one.puts_back ? t("the table is put back") : KINDS()[one.kind] || one.kind),
      told ? el("span", { class: "badge" }, told) : null,
      el("span", { class: "small entry-summary" }, one.played?.length ? tileRow(one.played, { inline: true }) : "")),
    el("span", { class: "row" },
      (one.state === "taken-back" || one.state === "changed") && may.has("restore")
        ? el("button", { type: "button", class: "small quiet", "data-focus": `restore-${one.number}`, onclick: () => act("restore", { number: one.number }) }, t("Restore")) : null,
      correctable ? el("a", { class: "button small", href: `/correct/${one.number}` }, t("Correct")) : null));
}
