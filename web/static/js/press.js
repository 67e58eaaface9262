// What ends a turn is pressed once: a second tap was meant for the turn that the first one ended.
import { act } from "./api.js";

const APART_MS = 1000;
const ENDS = new Set(["end-turn", "next-turn", "draw", "pass", "time-out"]);
let at = -Infinity;
let answered = true;

/** Do an action; one that ends `turn` does nothing right after another with nothing done between. */
export async function press(action, turn, body = {}) {
  if (!ENDS.has(action)) {
    at = -Infinity;
    return act(action, body);
  }
  if (!answered || performance.now() - at < APART_MS) return { ok: false };
  at = performance.now();
  answered = false;
  try {
    return await act(action, { ...body, turn: turn?.number });
  } finally {
    answered = true;
  }
}
