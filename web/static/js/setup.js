// A new match: players, rules with every open question in plain words, time, camera and table area.
import { $, $$, el } from "./dom.js";
import { act, block, follow } from "./api.js";
import { areaPicker } from "./area.js";
import { showLive } from "./picture.js";
import { sentenceParts, t, tn } from "./texts.js";
import { toldText } from "./tiles.js";

const { form, editions, axes, sources } = block("setup");
const plainly = (code, fallback) => sentenceParts(code)?.join("") ?? fallback;
const players = $("#players");
let limit = 4;
let picker = null;
const rules = { ...(form.rules || {}) };

// --- players -----------------------------------------------------------------------------------------------

function playerRow(name) {
  const input = el("input", { type: "text", maxlength: 40, class: "player-name", value: name, autocomplete: "off" });
  const up = el("button", { type: "button", class: "small quiet", "aria-label": t("One seat up"), title: t("One seat up"), onclick: () => { row.previousElementSibling?.before(row); number(); } }, "↑");
  const away = el("button", { type: "button", class: "small quiet", "aria-label": t("Remove this player"), title: t("Remove this player"), onclick: () => { row.remove(); number(); } }, "✕");
  const row = el("div", { class: "row" }, input, up, away);
  return row;
}
function number() {
  const rows = $$(".row", players);
  rows.forEach((row, at) => {
    const input = $("input", row);
    input.placeholder = t("Player %(number)s", { number: at + 1 });
    input.setAttribute("aria-label", t("Player %(number)s", { number: at + 1 }));
    row.lastElementChild.disabled = rows.length <= 2;
    row.children[1].disabled = at === 0;
  });
  $("#add-player").disabled = rows.length >= limit;
}
$("#add-player").addEventListener("click", () => {
  players.append(playerRow(""));
  number();
  $$("input", players).at(-1).focus();
});

// --- rules -------------------------------------------------------------------------------------------------

function axisLabel(axis) { return plainly(`axis-${axis.axis}`, axis.meaning); }
function valueLabel(axis, value) {
  if (value === null || value === undefined) return plainly(`axis-${axis.axis}:null`, t("not fixed"));
  return plainly(`axis-${axis.axis}:${value}`, plainly(`value:${value}`, String(value)));
}

// One question about the rules; `set(value)` gets undefined for "as the sheet says".
function axisField(axis, current, set, sheet) {
  const words = (axis.values || []).filter((value) => axis.low == null || value !== null);
  const name = `axis-${axis.axis}-${Math.random().toString(36).slice(2, 7)}`;
  const options = words.length > 6 ? null : words;
  const body = [];
  if (options?.length || sheet !== undefined) {
    const shown = [...(sheet !== undefined ? [[undefined, t("by the sheet: %(value)s", { value: valueLabel(axis, sheet) })]] : []), ...(options || []).map((value) => [value, valueLabel(axis, value)])];
    const select = el("select", { "aria-label": axisLabel(axis), dataset: { axis: axis.axis } });
    shown.forEach(([value, label], at) => select.append(el("option", { value: at, selected: value === current }, label)));
    if (axis.low != null) select.append(el("option", { value: "number", selected: typeof current === "number" && !words.includes(current) }, t("a number …")));
    const number_ = el("input", { type: "number", min: axis.low, max: axis.high, "aria-label": axisLabel(axis), value: typeof current === "number" ? current : typeof axis.default === "number" ? axis.default : axis.low });
    const update = () => {
      number_.hidden = select.value !== "number";
      set(select.value === "number" ? Number(number_.value) : shown[Number(select.value)][0]);
    };
    select.addEventListener("change", update);
    number_.addEventListener("input", update);
    number_.hidden = select.value !== "number";
    body.push(el("div", { class: "row" }, el("span", { class: "grow" }, select), axis.low != null ? number_ : null));
  } else if (options === null) {
    const select = el("select", { "aria-label": axisLabel(axis) }, words.map((value) => el("option", { value, selected: value === current }, valueLabel(axis, value))));
    select.addEventListener("change", () => set(select.value));
    body.push(select);
  } else {
    const input = el("input", { type: "number", min: axis.low, max: axis.high, id: name, value: current ?? axis.default ?? "", placeholder: plainly(`axis-${axis.axis}:null`, "") });
    input.addEventListener("input", () => set(input.value === "" ? null : Number(input.value)));
    body.push(input);
  }
  return [el("legend", {}, axisLabel(axis)), ...body];
}

// A question that the sheet leaves open: an answer in plain words for each value.
function openQuestion(axis) {
  const chosen = axis.axis in rules ? rules[axis.axis] : axis.default;
  const words = (axis.values || []).filter((value) => value !== null);
  const box = el("fieldset", { class: "open-question", dataset: { question: axis.axis } }, el("legend", {}, axisLabel(axis)));
  if (words.length) {
    const name = `open-${axis.axis}`;
    box.append(el("div", { class: "segments" }, words.map((value) => el("label", {},
      el("input", { type: "radio", name, checked: value === chosen, onchange: () => { rules[axis.axis] = value; } }), ` ${valueLabel(axis, value)}`))));
    if (!words.includes(chosen)) rules[axis.axis] = undefined;
    else rules[axis.axis] = chosen;
  } else {
    const input = el("input", { type: "number", min: axis.low, max: axis.high, value: chosen ?? "", "aria-label": axisLabel(axis) });
    input.addEventListener("input", () => { rules[axis.axis] = input.value === "" ? undefined : Number(input.value); });
    box.append(input);
    rules[axis.axis] = chosen ?? undefined;
  }
  return box;
}

function drawRules(fresh) {
  const sheet = editions.find((one) => one.code === $("#edition").value) || editions[0];
  if (fresh) for (const key of Object.keys(rules)) delete rules[key];
  const open = (sheet.set_up || []).filter((axis) => axis.axis !== "turn_seconds");
  $("#open-questions").replaceChildren(...(open.length ? [el("p", { class: "small" }, tn("The sheet leaves %(num)s point open. What do you play?", "The sheet leaves %(num)s points open. What do you play?", open.length))] : []), ...open.map(openQuestion));
  $("#limits").replaceChildren(...(sheet.limits || []).map((_, at) => el("li", {}, plainly(`limit-${sheet.code}-${at + 1}`, sheet.limits[at]))));
  const asked = new Set([...open.map((axis) => axis.axis), "turn_seconds"]);
  const count = () => {
    const changed = Object.entries(rules).filter(([name, value]) => value !== undefined && !asked.has(name)).length;
    $("#house-count").hidden = changed === 0;
    $("#house-count").textContent = String(changed);
  };
  $("#all-axes").replaceChildren(...axes.filter((axis) => !asked.has(axis.axis)).map((axis) => el("fieldset", { class: "axis" },
    axisField(axis, rules[axis.axis], (value) => {
      if (value === undefined) delete rules[axis.axis];
      else rules[axis.axis] = value;
      if (axis.axis === "players_max") { limit = Number(value ?? sheet.rules.players_max); number(); }
      count();
    }, sheet.rules?.[axis.axis] ?? axis.default))));
  limit = Number(rules.players_max ?? sheet.rules?.players_max ?? 4);
  drawTimes(sheet);
  count();
  number();
}

function drawTimes(sheet) {
  const select = $("#turn_seconds");
  const chosen = select.value || (form.turn_seconds == null ? "" : String(form.turn_seconds));
  const given = sheet.rules?.turn_seconds;
  const label = (seconds) => (seconds % 60 ? tn("%(num)s second", "%(num)s seconds", seconds) : tn("%(num)s minute", "%(num)s minutes", seconds / 60));
  const times = [30, 45, 60, 90, 120, 180, 300];
  if (chosen && !times.includes(Number(chosen))) times.push(Number(chosen));
  select.replaceChildren(
    el("option", { value: "" }, given ? t("by the sheet: %(value)s", { value: label(given) }) : t("no limit")),
    ...times.sort((a, b) => a - b).map((seconds) => el("option", { value: seconds }, label(seconds))));
  select.value = chosen;
}

// --- camera ------------------------------------------------------------------------------------------------

function sourceLabel(one) {
  const camera = /^source-camera-(\d+)$/.exec(one.label_code || "");
  if (camera) return t("Camera %(number)s", { number: Number(camera[1]) });
  return one.label_code ? plainly(one.label_code, one.label) : one.label;
}
function drawSource() {
  const chosen = $("#source").value;
  $("#source-more").replaceChildren(...(chosen === "browser" ? [
    el("p", { class: "small" }, t("Open the camera page on the device whose camera you use:"), " ", el("a", { href: "/camera", target: "_blank" }, t("camera page")))]
    : chosen === ADDRESS ? [el("div", { class: "field" }, el("label", { for: "source-address" }, t("Address of the camera")),
      el("input", { type: "text", inputmode: "url", id: "source-address", dir: "ltr", value: isAddress(form.source) ? form.source : "", placeholder: "rtsp://192.0.2.7/live", onchange: look }))] : []));
}
// Cameras in the network are named by their address.
const ADDRESS = "address";
const isAddress = (source) => /^(https?|rtsps?):\/\/./.test(source || "");
const chosenSource = () => ($("#source").value === ADDRESS ? $("#source-address").value.trim() : $("#source").value) || null;
async function look() {
  await act("camera", { source: chosenSource(), area: null });
}
$("#source").addEventListener("change", () => {
  drawSource();
  if ($("#source").value === ADDRESS) $("#source-address").focus();
  else look();
});
function camera(state) {
  // Without a picture there is nothing to drag corners over, but what is wrong with the camera to say.
  const { live, source, state: now, told } = state.camera || {};
  const url = source === chosenSource() ? live : null;
  const shows = Boolean(url) && now !== "lost" && now !== "starting";
  const note = $("#source-note");
  note.textContent = url && told ? toldText(told) : url && now === "starting" ? t("The camera is starting.") : "";
  note.hidden = !note.textContent;
  $("#area").hidden = !shows;
  showLive($("#area-live"), shows ? url : null);
}

// --- the form ----------------------------------------------------------------------------------------------

const VARIANTS = () => [["", t("none")], ["river", plainly("variant-river", "River")], ["french", plainly("variant-french", "French")]];

function mode() {
  const full = $('input[name="mode"]:checked').value === "full";
  for (const part of $$("[data-full]")) part.hidden = !full;
}

function begin() {
  const wanted = new URLSearchParams(location.search).get("mode") || form.mode || "full";
  for (const name of form.players?.length >= 2 ? form.players : ["", ""]) players.append(playerRow(name));
  $("#edition").replaceChildren(...editions.map((one) => el("option", { value: one.code, selected: one.code === form.edition }, plainly(`edition-${one.code}`, one.title))));
  $("#variant").replaceChildren(...VARIANTS().map(([value, label]) => el("option", { value, selected: value === (form.variant || "") }, label)));
  const named = isAddress(form.source) ? ADDRESS : form.source || "";
  $("#source").replaceChildren(...[...sources, { value: ADDRESS, label: t("A camera in the network") }].map((one) => el("option", { value: one.value, selected: one.value === named }, sourceLabel(one))));
  $(`input[name="mode"][value="${wanted === "clock" ? "clock" : "full"}"]`).checked = true;
  $(`input[name="automatic"][value="${form.automatic ? "yes" : "no"}"]`).checked = true;
  $("#help").checked = form.help !== false;
  $("#games").value = form.games ?? "";
  $("#to_points").value = form.to_points ?? "";
  for (const radio of $$('input[name="mode"]')) radio.addEventListener("change", mode);
  $("#edition").addEventListener("change", () => drawRules(true));
  drawRules(false);
  drawSource();
  mode();
  picker = areaPicker($("#area-stage"), $("#area-frame"), form.area);
  $("#area-all").addEventListener("click", () => picker.reset());
  follow({ state: camera });
}

const numberOf = (input) => (input.value === "" ? null : Number(input.value));

$("#setup-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = $("#begin");
  button.disabled = true;
  const full = $('input[name="mode"]:checked').value === "full";
  const answer = await act("start", {
    players: $$("input.player-name", players).map((input) => input.value.trim() || input.placeholder),
    mode: full ? "full" : "clock",
    edition: $("#edition").value,
    variant: $("#variant").value || null,
    rules: Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined)),
    games: numberOf($("#games")),
    to_points: numberOf($("#to_points")),
    turn_seconds: $("#turn_seconds").value === "" ? null : Number($("#turn_seconds").value),
    automatic: $('input[name="automatic"]:checked').value === "yes",
    help: $("#help").checked,
    source: full ? chosenSource() : null,
    area: full && !$("#area").hidden ? picker.area() : form.area ?? null,
  });
  if (answer.ok) location.assign("/table");
  else button.disabled = false;
});

begin();
