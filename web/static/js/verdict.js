// The verdict of a turn, the way back as pictures, and questions with their answers.
import { el } from "./dom.js";
import { t } from "./texts.js";
import { act } from "./api.js";
import { drawSets, plainSets } from "./sets.js";
import { sentenceParts } from "./texts.js";
import { parseTile, tileRow, toldNodes } from "./tiles.js";
import { askTile } from "./editor.js";
import { sameTable } from "./faults.js";

const WORDS = () => ({ yes: t("Yes"), no: t("No"), group: t("Group"), run: t("Run"), legal: t("It counts"), illegal: t("It does not count") });

/** What is told, as paragraphs. */
export const toldList = (told) => (told || []).map((one) =>
  el("p", { class: `told ${one.kind === "problem" ? "problem" : one.kind === "question" ? "question" : ""}` }, toldNodes(one)));

const isTiles = (answer) => /^[~RBKOJ?]/.test(answer) && answer.split(/\s+/).every((word) => /^~?(?:[RBKO?](?:\d+|\?)|J)/.test(word));

function answerLabel(question, answer, players) {
  if (question.answers_are === "seats") return players?.[Number(answer)]?.name ?? answer;
  const axis = question.args?.axis;
  const told = axis && sentenceParts(`axis-${axis}:${answer}`);
  if (told) return told.join("");
  const word = axis && sentenceParts(`value:${answer}`);
  if (word) return word.join("");
  if (WORDS()[answer]) return WORDS()[answer];
  return isTiles(answer) ? tileRow(answer.split(/\s+/), { inline: true }) : answer;
}

/** A question with a button for each answer. */
export function questionCard(question, may, players = []) {
  const send = (answer) => act("answer", { id: question.id, answer });
  const kind = question.answers_are;
  const answers = kind === "ruling" && !question.answers?.length ? ["yes", "no"] : question.answers || [];
  const own = async () => {
    const chosen = await askTile({ text: (question.tiles || [])[0] || "??", likely: [] });
    if (chosen) send(chosen);
  };
  return el("div", { class: "told question", role: "group" },
    el("p", {}, toldNodes(question)),
    may ? el("div", { class: "row answers" },
      answers.map((answer) => el("button", { type: "button", "data-focus": `${question.id}-${answer}`, onclick: () => send(answer) }, answerLabel(question, answer, players))),
      kind === "tiles"
        ? el("button", { type: "button", class: "quiet", onclick: own }, t("Another tile")) : null,
      kind === "number" || (kind === "words" && !answers.length) ? numberAnswer(question, send) : null) : null);
}

function numberAnswer(question, send) {
  const input = el("input", { type: "number", min: 0, "aria-label": t("Answer") });
  return [input, el("button", { type: "button", onclick: () => send(input.value) }, t("Answer"))];
}

// What changes from one table to the next, so that a step shows which tile moves.
function marked(rows, step) {
  let left = 1;
  return plainSets(rows).map((one) => ({ tiles: one.tiles.map((lying) => {
    const inPlace = step.goes_to?.includes(lying.text) && one.tiles.some((other) => step.goes_to.includes(other.text));
    const here = left && lying.text === step.tile && inPlace;
    if (here) left = 0;
    return here ? { ...lying, lifted: true } : lying;
  }) }));
}

const TO_RACK = "put-back-to-rack";

// Tiles that go back to the rack one after the other are one step for people. `rows`: the table as it lay, in texts.
function stepsFor(plan, rows) {
  const steps = [];
  for (const [place, step] of plan.entries()) {
    const last = steps.at(-1);
    if (step.told.code !== TO_RACK || last?.told.code !== TO_RACK) {
      const lying = place ? plan[place - 1].table : rows;
      steps.push({ ...step, tiles: [step.tile], from: step.told.code === TO_RACK ? lying.map((row) => row.map((text) => ({ text, lifted: false }))) : null });
    } else Object.assign(last, { table: step.table, tiles: [...last.tiles, step.tile] });
    const from = steps.at(-1).from;
    const key = [...step.lies_in].sort().join(" ");
    const row = from?.find((one) => one.filter((lying) => !lying.lifted).map((lying) => lying.text).sort().join(" ") === key);
    const moved = row?.find((lying) => !lying.lifted && lying.text === step.tile);
    if (moved) moved.lifted = true;
  }
  return steps;
}

/** The put-back plan, a picture for each step; its `follow(sets)` goes on as the table is put back. */
export function putBack(plan, rows) {
  const steps = stepsFor(plan, rows);
  let at = 0;
  let done = 0;
  const box = el("div", { class: "put-back" });
  const draw = () => {
    const step = steps[at];
    if (done === steps.length) return box.replaceChildren(el("p", { class: "told good" }, `✓ ${t("The table lies as it has to.")}`));
    const toRack = step.told.code === TO_RACK;
    const many = step.tiles.length > 1;
    const from = toRack ? step.from.filter((row) => row.some((lying) => lying.lifted)).map((tiles) => ({ tiles })) : [{ tiles: lift(step.lies_in, step.tile) }];
    box.replaceChildren(...[
      el("h3", {}, steps.length === 1 ? t("The way back") : t("The way back: step %(at)s of %(all)s", { at: at + 1, all: steps.length })),
      el("p", { class: "step-words", "aria-live": "polite" }, many ? [t("Take these back to the rack:"), " ", tileRow(step.tiles, { inline: true })] : toldNodes(step.told)),
      el("div", { class: "step-picture felt" },
        step.lies_in?.length ? el("div", { class: "step-side" }, el("span", { class: "small" }, t("From")), drawSets(from)) : null,
        el("span", { class: "step-arrow", "aria-hidden": "true" }, "→"),
        el("div", { class: "step-side" }, el("span", { class: "small" }, toRack ? t("To the rack") : t("To the set")),
          drawSets([{ tiles: toRack ? step.tiles.map((text) => ({ text, lifted: true })) : lift(step.goes_to, step.tile) }]))),
      el("details", {}, el("summary", {}, t("The table after this step")), el("div", { class: "felt small-tiles" }, drawSets(marked(step.table, step)))),
      steps.length === 1 ? null : el("div", { class: "row" },
        el("button", { type: "button", "data-focus": "step-back", disabled: at === 0, onclick: () => { at -= 1; draw(); } }, t("Back")),
        el("button", { type: "button", "data-focus": "step-on", disabled: at === steps.length - 1, class: "main", onclick: () => { at += 1; draw(); } }, t("Next step")),
        el("span", { class: "dots", "aria-hidden": "true" }, steps.map((_, place) => el("i", { class: place === at ? "on" : place < at ? "done" : "" }))))].filter(Boolean));
  };
  box.follow = (sets) => {
    const now = sets.map((one) => one.tiles.map((lying) => lying.text));
    // As long as it still lies so, the table below shows it with its faults.
    box.parentElement?.classList.toggle("untouched", sameTable(rows, now));
    const reached = steps.findLastIndex((step) => sameTable(step.table, now)) + 1;
    if (reached === done || (!reached && done < steps.length)) return;
    done = reached;
    at = Math.min(done, steps.length - 1);
    draw();
  };
  draw();
  return box;
}

function lift(texts, moved) {
  let left = 1;
  return texts.map((text) => {
    const here = left && text === moved;
    if (here) left = 0;
    return { text, lifted: here };
  });
}

const HEADS = {
  legal: () => ["✓", t("the turn counts")],
  illegal: () => ["✕", t("the turn does not count")],
  ask: () => ["?", t("a question first")],
};

/** The verdict's panel; `may`: the actions that are allowed. */
export function verdictPanel(last, may) {
  const over = last.event === "time-out" && last.verdict === "legal";
  const [sign, head] = over ? (last.puts_back || last.put_back?.length ? ["↩", t("the table is put back")] : ["✓", t("Time-out")]) : HEADS[last.verdict]?.() || HEADS.ask();
  const faulty = last.verdict === "illegal";
  const doubtful = last.table?.sets?.some((one) => one.tiles.some((lying) => !parseTile(lying.text).sure));
  const ways = may.has("rule") || may.has("correct") ? el("div", { class: "row" },
      may.has("rule") && last.verdict !== "legal" ? el("button", { type: "button", class: "small", "data-focus": "rule-legal",
        onclick: () => act("rule", { number: last.number, ruling: "legal" }) }, t("We rule that it counts")) : null,
      may.has("rule") && last.verdict === "ask" ? el("button", { type: "button", class: "small quiet", "data-focus": "rule-illegal",
        onclick: () => act("rule", { number: last.number, ruling: "illegal" }) }, t("We rule that it does not count")) : null,
      may.has("correct") ? el("a", { class: "button small", href: `/correct/${last.number}` }, doubtful ? t("Correct what was read") : t("Correct this turn")) : null) : null;
  return el("div", { class: `verdict-card card ${last.verdict}` },
    el("div", { class: "verdict-head" },
      el("span", { class: "sign", "aria-hidden": "true" }, sign),
      el("div", { class: "grow" },
        el("h2", {}, `${last.player ?? ""}: ${head}`),
        el("p", { class: "row small" },
          last.played?.length ? [t("Laid:"), tileRow(last.played, { inline: true })] : null,
          last.opening_points != null ? el("span", { class: "badge" }, t("Opening: %(points)s points", { points: last.opening_points })) : null)),
      last.picture ? el("a", { class: "button small", href: last.picture, target: "_blank" }, t("Picture")) : null,
      last.verdict === "legal" ? ways : null),
    toldList((last.told || []).filter((one) => one.kind !== "question")),
    faulty && last.table?.sets?.length && !last.put_back?.length ? el("div", { class: "felt small-tiles" }, drawSets(last.table.sets)) : null,
    last.put_back?.length ? el("div", { class: "two" },
      el("div", {}, el("h3", {}, t("As it lay at the end of the turn")), el("div", { class: "felt small-tiles" }, drawSets(last.table?.sets))),
      putBack(last.put_back, (last.table?.sets || []).map((one) => one.tiles.map((lying) => lying.text)))) : null,
    last.verdict === "legal" ? null : ways);
}
