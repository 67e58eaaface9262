// The clock of a turn: counts between the server's words, warns, ticks, and announces its thresholds.
import { $, say } from "./dom.js";
import { clockText, t, tn } from "./texts.js";
import { announce, tick } from "./voice.js";

/** Runs the clock's face; `set(turn)` on every snapshot, `beat()` on every beat of the server. */
export class Clock {
  #turn = null;
  #left = null;
  #running = false;
  #told_at = 0;
  #said = new Set();
  #key = "";
  #last = null;
  elapsed = null;

  constructor(roots, options = {}) {
    this.roots = roots;
    this.options = { ticks: () => false, ...options };
    setInterval(() => this.draw(), 200);
  }

  set(turn) {
    const key = turn ? `${turn.number}/${turn.seat}` : "";
    if (key !== this.#key) {
      this.#said = new Set();
      this.#key = key;
      this.#last = null;
    }
    this.#turn = turn;
    this.beat(turn);
  }

  beat(told) {
    if (!told || !this.#turn) return this.draw();
    this.elapsed = told.elapsed_s ?? this.#elapsed();
    this.#left = told.left_s ?? null;
    this.#running = Boolean(told.running);
    this.#told_at = performance.now();
    this.draw();
  }

  /** Seconds left now; null without a limit. */
  left() {
    if (!this.#turn || this.#left === null) return null;
    return this.#left - (this.#running ? (performance.now() - this.#told_at) / 1000 : 0);
  }

  #elapsed() {
    if (this.elapsed == null) return null;
    return this.elapsed + (this.#running ? (performance.now() - this.#told_at) / 1000 : 0);
  }

  draw() {
    const { bar, note, box } = this.roots;
    const left = this.left();
    const turn = this.#turn;
    if (box) box.classList.toggle("paused", Boolean(turn) && !this.#running);
    if (left === null) {
      const since = turn ? this.#elapsed() : null;
      this.#show(since === null ? "–:–" : clockText(Math.floor(since)));
      if (bar) bar.style.inlineSize = "0";
      if (box) box.dataset.level = "";
      say(note, turn && !this.#running ? t("Paused") : "");
      return;
    }
    this.#show((left <= -1 ? "+" : "") + clockText(left < 0 ? -left : left));
    const limit = (turn.seconds || 60) + (turn.extended_s || 0);
    if (bar) bar.style.inlineSize = `${Math.max(0, Math.min(1, left / limit)) * 100}%`;
    const level = left <= 0 ? "over" : left <= 10 ? "last" : left <= 30 && limit > 45 ? "warn" : "";
    if (box) box.dataset.level = level;
    say(note, !this.#running ? t("Paused") : left <= 0 ? t("Time is up") : "");
    if (this.#running) this.#thresholds(left, limit);
  }

  /** Show the face; its letters are as large as so many have room. */
  #show(text) {
    say(this.roots.face, text);
    this.roots.face?.style.setProperty("--letters", text.length);
  }

  #thresholds(left, limit) {
    for (const threshold of this.#turn.thresholds || [30, 10, 0]) {
      const passed = left <= threshold && threshold < limit;
      if (!passed || this.#said.has(threshold)) continue;
      this.#said.add(threshold);
      // A page that was opened late says only where the clock stands now.
      if (left < threshold - 3) continue;
      announce(threshold === 0 ? t("Time is up") : tn("%(num)s second left", "%(num)s seconds left", threshold));
    }
    const whole = Math.ceil(left);
    if (whole !== this.#last && left > 0 && left <= 10 && this.#last !== null && this.options.ticks()) tick(whole <= 3);
    this.#last = whole;
  }
}

/** The clock of a page that has the usual parts. */
export const pageClock = (options) =>
  new Clock({ face: $("#clock-face"), bar: $("#clock-bar"), note: $("#clock-note"), box: $("#clock") }, options);
