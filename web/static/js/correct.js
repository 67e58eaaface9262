// Correct one past event: set it right, see what changes, then decide.
import { $, el, replace } from "./dom.js";
import { act, block, post } from "./api.js";
import { editor } from "./editor.js";
import { KINDS } from "./history.js";
import { t } from "./texts.js";
import { parseTable, withTiles } from "./tiles.js";
import { toldList } from "./verdict.js";

const { entry, event } = block("entry");
const state = block("state");
const draft = structuredClone(event);
const root = $("#edit");

$("#entry-line").textContent = [t("Event %(number)s", { number: entry.number }), entry.player, KINDS()[entry.kind]].filter(Boolean).join(" · ");
if (entry.picture) {
  $("#entry-picture").hidden = false;
  $("#entry-picture img").src = entry.picture;
}

const VERDICTS = () => ({ legal: t("counts"), illegal: t("does not count"), ask: t("asks") });

function changeItem(change) {
  const side = (outcome) => (outcome ? VERDICTS()[outcome.verdict] || outcome.verdict : "–");
  const told = change.after?.told || [...(change.after?.problems || []), ...(change.after?.questions || [])];
  return el("li", { class: "entry" }, el("span", { class: "grow" },
    el("strong", {}, t("Event %(number)s", { number: change.number })), ": ", side(change.before), " → ", side(change.after), toldList(told)));
}

let asked = 0;
async function preview() {
  const mine = ++asked;
  const changed = JSON.stringify(draft) !== JSON.stringify(event);
  $("#apply").disabled = !changed;
  if (!changed) return replace($("#change-list"), "", () => []);
  const answer = await post("/do/preview-correct", { number: entry.number, to: draft });
  if (mine !== asked || !answer.ok) return;
  const changes = answer.changes || [];
  $("#changes-none").hidden = changes.length > 0;
  $("#changes-none").textContent = t("No other judgement changes.");
  replace($("#change-list"), JSON.stringify(changes), () => changes.map(changeItem));
}
let timer = null;
const soon = () => { clearTimeout(timer); timer = setTimeout(preview, 250); };

const field = (label, input) => el("div", { class: "field" }, el("label", { for: input.id }, label), input);
const rows = (text) => parseTable(text || "");

function choose(id, options, value, set) {
  const select = el("select", { id }, options.map(([given, label]) => el("option", { value: given, selected: String(given) === String(value) }, label)));
  select.addEventListener("change", () => { set(select.value); soon(); });
  return select;
}

// Every field of an event that a person may set right.
const FIELDS = {
  seat: () => field(t("Player"), choose("f-seat", state.players.map((player) => [player.seat, player.name]), draft.seat, (value) => { draft.seat = Number(value); })),
  starter: () => field(t("Who starts?"), choose("f-starter", state.players.map((player) => [player.seat, player.name]), draft.starter, (value) => { draft.starter = Number(value); })),
  table: () => el("div", { class: "field" }, el("span", {}, t("The table after it")), editor(rows(draft.table), { changed: (notation) => { if (notation !== draft.table) { draft.table = notation; soon(); } } })),
  rack: () => el("details", { class: "field", open: Boolean(draft.rack) }, el("summary", {}, t("The rack before it")), editor(rows(draft.rack), { single: true, changed: (notation) => { if (notation !== (draft.rack || "")) { draft.rack = notation || undefined; soon(); } } })),
  tiles: () => (typeof draft.tiles === "number" ? field(t("Number of tiles"), numberInput("tiles")) : listOf("tiles", (at) => state.players[draft.seats?.[at] ?? at]?.name)),
  racks: () => listOf("racks", (at) => state.players[at]?.name),
  penalty: () => field(t("Tiles drawn"), numberInput("penalty")),
  ruling: () => field(t("Your ruling"), choose("f-ruling", [["", t("none")], ["legal", t("It counts")], ["illegal", t("It does not count")]], draft.ruling || "", (value) => { draft.ruling = value || undefined; })),
  winner: () => field(t("Winner"), choose("f-winner", [["", t("by the sheet")], ...state.players.map((player) => [player.seat, player.name])], draft.winner ?? "", (value) => { draft.winner = value === "" ? undefined : Number(value); })),
  discard: () => listText("discard", t("Discarded tile")),
};
function numberInput(name) {
  const input = el("input", { type: "number", min: 0, id: `f-${name}`, value: draft[name] ?? "" });
  input.addEventListener("input", () => { draft[name] = input.value === "" ? undefined : Number(input.value); soon(); });
  return input;
}
function listText(name, label) {
  return el("div", { class: "field" }, el("span", {}, label), editor(rows(draft[name]), { single: true, changed: (notation) => { if (notation !== (draft[name] || "")) { draft[name] = notation || undefined; soon(); } } }));
}
function listOf(name, label) {
  return (draft[name] || []).map((text, at) => el("details", { class: "field" }, el("summary", {}, label(at) || String(at + 1), " ", withTiles(text)),
    editor(rows(text), { single: true, changed: (notation) => { if (notation !== draft[name][at]) { draft[name][at] = notation; soon(); } } })));
}
const OF = { play: ["seat", "table", "rack", "ruling"], "time-out": ["seat", "table", "penalty", "ruling"], draw: ["seat", "discard"], pass: ["seat", "ruling"],
  declare: ["seat"], deal: ["starter"], racks: ["racks", "winner"], count: ["tiles"], "draw-for-start": ["tiles"] };

const kinds = ["play", "draw", "pass"];
function draw() {
  const kind = draft.event;
  const fields = (OF[kind] || []).filter((name) => name !== "discard" || draft.discard);
  root.replaceChildren(...[
    kinds.includes(event.event) ? field(t("What happened"), choose("f-kind", kinds.map((one) => [one, KINDS()[one]]), kind, change)) : el("h2", {}, KINDS()[kind] || kind),
    fields.map((name) => FIELDS[name]())].flat(9).filter(Boolean));
}
function change(kind) {
  const { seat, t_s: time, table } = draft;
  for (const key of Object.keys(draft)) delete draft[key];
  Object.assign(draft, { event: kind, seat });
  if (time !== undefined) draft.t_s = time;
  if (kind === "play") draft.table = table ?? event.table ?? "";
  draw();
}

async function apply(to) {
  const answer = await act("correct", { number: entry.number, to });
  if (answer.ok) location.assign("/table");
}
$("#apply").addEventListener("click", () => apply(JSON.parse(JSON.stringify(draft))));
$("#never").addEventListener("click", () => apply(null));
draw();
