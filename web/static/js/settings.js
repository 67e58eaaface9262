// Settings of the program; each is written down as soon as it is changed.
import { $, el } from "./dom.js";
import { act, block, toast } from "./api.js";
import { t } from "./texts.js";

const { form } = block("settings-data");
const FIELDS = () => [
  ["help", t("Help before the verdict"), t("Shows while a player works which sets are good and what the opening counts. Tournaments switch it off.")],
  ["automatic", t("Turns end by themselves"), t("Otherwise only by the button.")],
  ["tick", t("Tick in the last seconds"), ""],
  ["speech", t("Speak announcements"), t("With the browser's own voice, where it has one for the language.")],
  ["extend_seconds", t("An extension, in seconds"), ""],
  ["turn_seconds", t("Time for a turn, in seconds"), t("Empty: as the rule sheet says.")],
  ["keep_gb", t("Room for kept pictures, in GB"), t("The oldest go first.")],
  ["keep_days", t("Days that pictures are kept"), ""],
];

async function save(name, value) {
  const answer = await act("settings", { [name]: value });
  if (answer.ok) toast(t("Written down."));
}

for (const [name, label, hint] of FIELDS()) {
  if (!(name in form)) continue;
  const value = form[name];
  const told = hint ? el("span", { class: "hint small muted" }, hint) : null;
  if (typeof value === "boolean") {
    const box = el("input", { type: "checkbox", id: `s-${name}`, checked: value });
    box.addEventListener("change", () => save(name, box.checked));
    $("#settings-form").append(el("label", { class: "check" }, box, el("span", {}, label, told)));
  } else {
    const input = el("input", { type: "number", id: `s-${name}`, value: value ?? "", min: 0, step: "any" });
    input.addEventListener("change", () => save(name, input.value === "" ? null : Number(input.value)));
    $("#settings-form").append(el("div", { class: "field" }, el("label", { for: `s-${name}` }, label), told, input));
  }
}
$("#settings-form").addEventListener("submit", (event) => event.preventDefault());
