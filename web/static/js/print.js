// The page to print: the sheet as it stands, without a stream.
import { $ } from "./dom.js";
import { block } from "./api.js";
import { drawSheet } from "./sheet.js";
import { when } from "./texts.js";

const state = block("state");
if (state?.players) drawSheet(state);
$("#print-facts").textContent = state?.match?.started_at ? when(state.match.started_at) : "";
$("#print").addEventListener("click", () => print());
