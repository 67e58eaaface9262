// The page at the table: clock, picture, drawn sets, verdict, questions, actions.
import { $, ask, el, replace, say } from "./dom.js";
import { act, block, follow, toast } from "./api.js";
import { pageClock } from "./clock.js";
import { bind, choice } from "./choices.js";
import { askTile, editor } from "./editor.js";
import { historyItem } from "./history.js";
import { closeUp, drawOutlines, showLive } from "./picture.js";
import { minus } from "./sheet.js";
import { press } from "./press.js";
import { drawSets, plainSets } from "./sets.js";
import { startPanel } from "./start.js";
import { clockText, t, tn } from "./texts.js";
import { tileRow, toldText } from "./tiles.js";
import { withFaults } from "./faults.js";
import { questionCard, verdictPanel } from "./verdict.js";
import { announce, speakWhen } from "./voice.js";

let state = null;
let before = false;
let outlines = true;
let close = true;
let noticed = { text: "", at: 0 };
const clock = pageClock({ ticks: () => $("#opt-tick")?.checked });
const role = document.documentElement.dataset.role;
const live = $("#live");

const NOTICE_MS = 10000;
const may = () => new Set(state?.can || []);
const show = (id, shown) => { $(id).hidden = !shown; };

// --- actions -----------------------------------------------------------------------------------------------

const ACTIONS = [
  ["end-turn", "e", () => t("End turn"), "main"],
  ["next-turn", "e", () => t("Next turn"), "main"],
  ["draw", "d", () => (state.pool != null && state.turn ? t("Draw a tile") : t("Draw"))],
  ["pass", "p", () => t("Pass")],
  ["declare", "r", () => "Rummikub!"],
];
const UNDO = ["undo", "u"];

async function run(action) {
  const turn = state.turn;
  const body = {};
  if ((action === "draw" || action === "pass") && state.table?.laid) {
    body.put_back = await mayPutBack(action);
    if (!body.put_back) return;
  }
  if (action === "draw" && state.match?.rules?.river === "yes") {
    body.discard = await askTile({ text: "??", likely: [] });
    if (!body.discard) return;
  }
  const answer = await press(action, turn, body);
  if (answer.waiting) toast(t("Looking at the table …"));
}

const mayPutBack = (action) => ask(t("Put the tiles back?"), (close) => [
  el("p", {}, t("Whoever draws or passes lays nothing: the table will be as it was before this turn.")),
  el("div", { class: "row" },
    el("button", { type: "button", class: "main", onclick: () => close(true) }, ACTIONS.find(([name]) => name === action)[2]()),
    el("button", { type: "button", onclick: () => close(false) }, t("Let them lie")))], t("Close"));

function drawActions() {
  const can = may();
  const shown = ACTIONS.filter(([action]) => can.has(action));
  replace($("#actions"), shown.map(([action, , label]) => action + label()).join(), () =>
    shown.map(([action, key, label, kind]) => el("button", {
      type: "button", class: kind, dataset: { action }, "data-focus": action, onclick: () => run(action),
    }, el("bdi", {}, label()), role === "referee" ? el("kbd", { "aria-hidden": "true" }, key.toUpperCase()) : null)));
  const running = state.turn?.running;
  const extend = state.settings?.extend_seconds || 30;
  const over = state.turn && state.turn.left_s != null && clock.left() !== null && clock.left() <= 0;
  replace($("#clock-actions"), [running, extend, over, can.has("pause"), can.has("resume"), can.has("extend"), can.has("time-out"), can.has("undo")].join(), () => [
    can.has("pause") || can.has("resume") ? el("button", { type: "button", class: "small", "data-focus": "pause", onclick: () => act(state.turn?.running ? "pause" : "resume") },
      running ? t("Pause") : t("Go on"), el("kbd", { "aria-hidden": "true" }, "␣")) : null,
    can.has("extend") ? el("button", { type: "button", class: "small", "data-focus": "extend", "aria-label": tn("+%(num)s second", "+%(num)s seconds", extend), title: tn("+%(num)s second", "+%(num)s seconds", extend), onclick: () => act("extend", { seconds: extend }) },
      el("bdi", { class: "number", dir: "ltr" }, `+${clockText(extend)}`)) : null,
    can.has("time-out") && over ? el("button", { type: "button", class: "small danger", "data-focus": "time-out", onclick: () => run("time-out") }, t("Time-out")) : null,
    role === "referee" ? el("button", { type: "button", class: "small", "data-focus": "undo", dataset: { action: "undo" }, disabled: !can.has("undo"), onclick: () => run("undo") },
      t("Undo"), el("kbd", { "aria-hidden": "true" }, "U")) : null,
  ]);
}

addEventListener("keydown", (event) => {
  if (!state || event.ctrlKey || event.metaKey || event.altKey || !choice("keys", true) || role !== "referee") return;
  if (event.target.closest("input, select, textarea, dialog") || $("dialog[open]")) return;
  if (event.key === " ") {
    if (event.target.closest("button, a, summary")) return;
    event.preventDefault();
    if (may().has("pause") || may().has("resume")) act(state.turn?.running ? "pause" : "resume");
    return;
  }
  const key = event.key.toLowerCase();
  if (key === "b") return toggleBefore();
  const found = [...ACTIONS, UNDO].find(([action, letter]) => letter === key && may().has(action));
  if (!found) return;
  event.preventDefault();
  if (!event.repeat) run(found[0]);
});

// --- what is drawn -----------------------------------------------------------------------------------------

function drawTurn() {
  const turn = state.turn;
  const player = turn ? state.players[turn.seat] : null;
  say($("#turn-label"), turn ? t("Turn %(number)s", { number: turn.number }) : "");
  say($("#turn-name"), player ? player.name : "");
  const facts = player ? [
    player.rack != null ? tn("%(num)s tile on the rack", "%(num)s tiles on the rack", player.rack) : null,
    state.match.mode === "full" ? (player.opened ? t("has opened") : t("has not opened yet")) : null,
    player.declared ? "Rummikub!" : null].filter(Boolean) : [];
  say($("#turn-facts"), facts.join(" · "));
}

function openingBadge() {
  const badge = $("#opening");
  const opening = state.help?.enabled ? state.help.opening : null;
  badge.hidden = !opening;
  if (!opening) return;
  const enough = opening.points >= opening.needed;
  badge.className = `badge ${enough ? "good" : "ask"}`;
  say(badge, t("Opening: %(points)s of %(needed)s", opening));
}

async function correctReading(lying) {
  if (lying.key == null || !may().has("tile")) return;
  const chosen = await askTile(lying);
  if (chosen) act("tile", { key: lying.key, tile: chosen });
}

/** The sets as they lie, with what the standing verdict faults. */
const lyingNow = () => withFaults(state.table?.sets || [], state.last_turn);

function drawTable() {
  openingBadge();
  const shown = before ? plainSets(state.before?.sets) : lyingNow();
  say($("#drawn-title"), before ? t("Before this turn") : t("On the table"));
  $("#drawn").classList.toggle("is-before", before);
  replace($("#sets"), JSON.stringify([before, shown, may().has("tile")]), () => drawSets(shown, {
    ghost: before, press: !before && may().has("tile") ? correctReading : null,
    empty: before ? t("The table was empty.") : t("The table is empty."),
  }));
  show("#type-table", may().has("table"));
  const river = state.river || [];
  show("#river", river.length > 0);
  replace($("#river"), river.join(), () => [el("h3", {}, t("River")), tileRow(river)]);
  show("#draw-before", Boolean(state.before?.sets) && !state.camera?.live);
  for (const button of ["#see-before", "#draw-before"]) $(button).setAttribute("aria-pressed", String(before));
  drawPicture();
}

function drawPicture() {
  const camera = state.camera || {};
  const has = Boolean(camera.live) && role !== "spectator";
  show("#picture", has);
  showLive(live, has ? camera.live : null);
  if (!has) return;
  const told = camera.told ? toldText(camera.told) : "";
  const words = { starting: t("The camera is starting."), moving: t("Hands are over the table."), lost: t("The camera is lost."), ended: t("The recording has ended."), off: t("The camera is off.") };
  say($("#camera-note"), camera.waiting ? t("Looking at the table …") : words[camera.state] || "");
  // A camera that runs again has said its word after a while; what is wrong with it stays.
  if (told !== noticed.text) {
    noticed = { text: told, at: performance.now() };
    setTimeout(() => state && drawPicture(), NOTICE_MS + 50);
  }
  const passing = camera.state === "running" && performance.now() - noticed.at >= NOTICE_MS;
  show("#camera-state", (Boolean(told) && !passing) || camera.state === "lost");
  say($("#camera-state"), told || words.lost);
  // A camera that never gave a picture leaves its place to the sentence that says why.
  $("#stage").classList.toggle("blind", ["lost", "starting"].includes(camera.state) && !live.naturalWidth);
  const lying = lyingNow();
  const left = state.before?.lying || [];
  const gone = missing(left);
  drawOutlines($("#outlines"), live, [
    ...(before ? [{ tiles: left, ghost: true }] : outlines ? lying : []),
    ...(before ? [] : [{ tiles: gone, ghost: true }])]);
  closeUp($("#lens"), close ? [...lying.flatMap((one) => one.tiles), ...left] : [], close ? state.settings?.area : null, `${state.match?.id}/${state.turn?.number}`);
}

/** Of the tiles that lay before, those that the standing verdict misses. */
function missing(left) {
  const last = state.last_turn;
  const wanted = last?.standing && last.verdict === "illegal" ? [...last.gone] : [];
  return left.filter((one) => {
    const at = wanted.indexOf(one.text);
    if (at >= 0) wanted.splice(at, 1);
    return at >= 0;
  });
}

function toggleBefore() {
  before = !before;
  drawTable();
}

function drawVerdict() {
  const last = state.last_turn;
  const shown = last && (last.standing || last.verdict !== "legal") && state.phase !== "no-match";
  show("#verdict", Boolean(shown));
  if (!shown) return;
  replace($("#verdict"), JSON.stringify([last, [...may()].filter((one) => one === "rule" || one === "correct")]), () => verdictPanel(last, may()));
  if (state.table?.source !== "log") $("#verdict .put-back")?.follow(state.table?.sets || []);
}

// While hands are at work a reading may be in doubt for a moment; only a doubt that stays is worth a question.
const DOUBT_STAYS_MS = 3000;
const doubts = new Map();
function staying(questions) {
  if (state.table?.source !== "camera") return questions;
  const now = performance.now();
  const keys = new Set(questions.map((one) => one.key));
  for (const key of doubts.keys()) if (!keys.has(key)) doubts.delete(key);
  return questions.filter((one) => {
    if (one.number != null || one.key == null) return true;
    if (!doubts.has(one.key)) {
      doubts.set(one.key, now);
      setTimeout(() => state && drawQuestions(), DOUBT_STAYS_MS + 50);
    }
    return now - doubts.get(one.key) >= DOUBT_STAYS_MS;
  });
}

function drawQuestions() {
  const open = staying(state.questions || []);
  show("#questions", open.length > 0);
  replace($("#questions"), JSON.stringify([open, may().has("answer")]), () => {
    const card = (one) => questionCard(one, may().has("answer"), state.players);
    // What the sheet leaves open can wait; what keeps the game waiting comes first.
    const sheet = open.filter((one) => one.code === "set-up?");
    return [...open.filter((one) => !sheet.includes(one)).map(card), sheet.length
      ? el("details", { class: "told question" }, el("summary", {}, tn("The rule sheet leaves %(num)s point open", "The rule sheet leaves %(num)s points open", sheet.length)), sheet.map(card)) : null];
  });
}

function drawPlayers() {
  replace($("#player-list"), JSON.stringify([state.players, state.score?.totals]), () => state.players.map((player) =>
    el("li", { class: player.is_turn ? "now" : "" },
      el("span", { class: "seat", "aria-hidden": "true" }, String(player.seat + 1)),
      el("span", { class: "grow name" }, player.name, player.is_turn ? el("span", { class: "only-read" }, ` (${t("to move")})`) : null),
      player.out ? el("span", { class: "badge good" }, t("out")) : player.rack != null ? el("span", { class: "badge number on-rack", title: t("Tiles on the rack") }, String(player.rack)) : null,
      el("span", { class: "number points", title: t("Points"), dir: "ltr" }, minus(player.points ?? 0)))));
  const stock = state.phase === "playing" && state.match?.mode === "full" ? tn("%(num)s tile in the pool", "%(num)s tiles in the pool", state.pool) : "";
  say($("#stock"), stock);
}

function draw(next) {
  state = next;
  const match = state.match;
  const playing = state.phase === "playing";
  const full = match?.mode === "full";
  document.body.dataset.phase = state.phase;
  document.body.dataset.mode = match?.mode || "";
  show("#no-match", !match);
  show("#turn", playing);
  show("#drawn", Boolean(match) && full && (playing || state.phase === "ended"));
  show("#players", Boolean(match));
  show("#history", Boolean(match) && role === "referee" && (state.history || []).length > 0);
  show("#options", Boolean(match));
  if (!match) { show("#verdict", false); show("#questions", false); show("#picture", false); show("#start-panel", false); return; }
  clock.set(state.turn);
  drawTurn();
  drawActions();
  drawVerdict();
  drawQuestions();
  drawTable();
  drawPlayers();
  startPanel($("#start-panel"), state, may());
  replace($("#history-list"), JSON.stringify((state.history || []).slice(0, 12)), () => (state.history || []).slice(0, 12).map((one) => historyItem(one, state, may())));
}

// --- controls ----------------------------------------------------------------------------------------------

$("#see-before").addEventListener("click", toggleBefore);
$("#draw-before").addEventListener("click", toggleBefore);
$("#see-outlines").addEventListener("click", (event) => {
  outlines = !outlines;
  event.currentTarget.setAttribute("aria-pressed", String(outlines));
  drawPicture();
});
$("#see-close").addEventListener("click", (event) => {
  close = !close;
  event.currentTarget.setAttribute("aria-pressed", String(close));
  drawPicture();
});
live.addEventListener("load", () => state && drawPicture());
$("#type-table").addEventListener("click", () => ask(t("Lay tiles by hand"), (close) => {
  const rows = (state.table?.sets || []).map((one) => one.tiles.map((lying) => lying.text));
  const box = editor(rows);
  return [box, el("div", { class: "row" }, el("button", { type: "button", class: "main", onclick: async () => {
    const answer = await press("table", state.turn, { table: box.notation() });
    if (answer.ok) close();
  } }, t("So it lies")))];
}, t("Close")));

// What the settings say holds until someone chose otherwise at this screen.
const asSet = block("state")?.settings || {};
bind($("#opt-speech"), "speech", asSet.speech === true);
bind($("#opt-tick"), "tick", asSet.tick !== false);
bind($("#opt-keys"), "keys", true, (on) => document.body.classList.toggle("no-keys", !on));
bind($("#opt-big"), "big", false, (on) => document.body.classList.toggle("big", on));
bind($("#opt-letters"), "letters", document.documentElement.dataset.mark === "letter", (on) => {
  document.documentElement.dataset.mark = on ? "letter" : "shape";
  document.cookie = `mark=${on ? "letter" : "shape"}; path=/; max-age=31536000; samesite=strict`;
  for (const root of [$("#sets"), $("#verdict"), $("#questions")]) delete root.dataset.key;
  if (state) draw(state);
});
speakWhen(() => $("#opt-speech").checked);

let overNow = false;
setInterval(() => {
  const over = state?.turn && clock.left() !== null && clock.left() <= 0;
  if (state && Boolean(over) !== overNow) { overNow = Boolean(over); drawActions(); }
}, 500);

follow({
  state: draw,
  beat: (told) => clock.beat({ ...told, elapsed_s: told.elapsed_s ?? null }),
  said: (told) => announce(told.text || toldText(told)),
});
