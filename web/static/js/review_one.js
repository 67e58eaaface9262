// One reviewed recording: progress, a timeline of its turns, and each turn with pictures.
import { $, el, replace, say, svg } from "./dom.js";
import { block, post } from "./api.js";
import { drawOutlines } from "./picture.js";
import { drawSets } from "./sets.js";
import { t } from "./texts.js";
import { parseTable, showFaces, tileRow } from "./tiles.js";
import { toldList } from "./verdict.js";

let review = block("review");
let at = 0;
showFaces(review.edition);
const list = (told) => (Array.isArray(told) ? told : told ? [told] : []);
const sets = (table) => {
  const rows = typeof table === "string" ? parseTable(table) : table?.sets || table || [];
  return rows.map((row) => (Array.isArray(row) ? { tiles: row.map(lying) } : row));
};
// A tile of a review: its marks say what is drawn of it.
function lying(one) {
  if (typeof one === "string") return { text: one };
  const marks = new Set(one.marks || []);
  return { ...one, new: marks.has("new"), faulty: marks.has("fault"), hidden: marks.has("hidden"), gone: marks.has("gone"), corners: one.corners?.length ? one.corners : null };
}
const HEADS = { legal: () => t("legal"), illegal: () => t("not legal"), ask: () => t("a question") };

// A kept picture with what matters outlined: what came, what is at fault, what is in doubt.
function marked(picture, title, rows) {
  const image = el("img", { src: picture, alt: title, loading: "lazy" });
  const marks = svg("svg", { "aria-hidden": "true" });
  const telling = rows.map((one) => ({ ...one, tiles: one.tiles.filter((tile) => tile.new || tile.faulty || tile.gone || tile.marks?.includes("doubt")) }));
  const drawn = () => drawOutlines(marks, image, telling);
  image.addEventListener("load", drawn);
  drawn();
  return el("a", { href: picture, target: "_blank", class: "lens" }, image, marks);
}

function side(title, table, picture) {
  const rows = sets(table);
  return el("figure", { class: "figure" }, el("figcaption", {}, el("strong", {}, title)),
    picture ? marked(picture, title, rows) : null,
    el("div", { class: "felt small-tiles" }, drawSets(rows)));
}

const last = () => (review.turns?.length || 0) - 1;

function show(place) {
  at = Math.max(0, Math.min(last(), place));
  draw();
}

function turnView() {
  const turn = review.turns[at];
  if (!turn) return [];
  return [
    el("div", { class: "row apart" },
      el("h2", {}, t("Turn %(number)s", { number: turn.number }), turn.player ? ` · ${turn.player}` : "", " ",
        el("span", { class: `badge ${turn.verdict === "legal" ? "good" : turn.verdict === "illegal" ? "bad" : "ask"}` }, HEADS[turn.verdict]?.() || turn.verdict), " ",
        el("span", { class: "small muted number", dir: "ltr" }, `${turn.start} – ${turn.end}`)),
      el("div", { class: "row" },
        el("button", { type: "button", "data-focus": "back", disabled: at === 0, onclick: () => show(at - 1) }, t("Back")),
        el("button", { type: "button", "data-focus": "on", class: "main", disabled: at >= last(), onclick: () => show(at + 1) }, t("Next")))),
    turn.played?.length || turn.opening_points != null ? el("p", { class: "row" },
      turn.played?.length ? [t("Laid:"), tileRow(turn.played, { inline: true })] : null,
      turn.opening_points != null ? el("span", { class: "badge" }, t("Opening: %(points)s points", { points: turn.opening_points })) : null) : null,
    toldList(list(turn.told)),
    el("div", { class: "two" }, side(t("Before"), turn.before, turn.picture_before), side(t("After"), turn.after, turn.picture_after)),
  ];
}

function draw() {
  const busy = review.state === "running" || review.state === "waiting";
  $("#review-progress").hidden = !busy;
  $("#review-progress progress").value = review.progress || 0;
  say($("#review-progress p"), t("%(percent)s % watched", { percent: Math.round((review.progress || 0) * 100) }));
  replace($("#review-told"), JSON.stringify(review.told), () => toldList(list(review.told)));
  replace($("#review-actions"), [busy, review.report].join(), () => [
    busy ? el("button", { type: "button", class: "small", onclick: () => post(`/review/${review.id}/stop`) }, t("Stop")) : null,
    review.report ? el("a", { class: "button", href: review.report, download: true }, t("Save the report")) : null]);
  replace($("#timeline"), JSON.stringify([review.turns, at]), () => (review.turns || []).map((turn, place) =>
    el("button", { type: "button", class: turn.verdict, "data-focus": `turn-${place}`, "aria-pressed": place === at, "aria-label": `${t("Turn %(number)s", { number: turn.number })}, ${HEADS[turn.verdict]?.() || ""}`, onclick: () => show(place) },
      String(turn.number), el("span", { "aria-hidden": "true" }, { legal: "✓", illegal: "✕", ask: "?" }[turn.verdict] || "·"))));
  $("#timeline").hidden = !review.turns?.length;
  replace($("#turn-view"), JSON.stringify([review.turns?.[at], at, at < last()]), turnView);
}
addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea")) return;
  if (event.key === "ArrowRight") show(at + 1);
  if (event.key === "ArrowLeft") show(at - 1);
});
setInterval(async () => {
  if (review.state !== "running" && review.state !== "waiting") return;
  const response = await fetch(`/review/${review.id}.json`).catch(() => null);
  if (response?.ok) { review = await response.json(); draw(); }
}, 1500);
draw();
