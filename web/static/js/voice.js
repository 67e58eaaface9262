// What a page says aloud: to screen readers by a live region, by the browser's speech, and as ticks.
import { $ } from "./dom.js";
import { language } from "./texts.js";

let audio = null;
let spoken = () => false;

const wake = () => {
  if (!("AudioContext" in window)) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
};
// Browsers let a page sound only after it was touched.
for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, wake, { once: true, passive: true });

/** Tell the voice when it may speak aloud. */
export function speakWhen(allowed) { spoken = allowed; }

/** One tick of the clock; the last three are higher. */
export function tick(high) {
  if (!audio || audio.state !== "running") return;
  const at = audio.currentTime;
  const tone = audio.createOscillator();
  const loud = audio.createGain();
  tone.type = "triangle";
  tone.frequency.value = high ? 1320 : 880;
  loud.gain.setValueAtTime(0.0001, at);
  loud.gain.exponentialRampToValueAtTime(0.25, at + 0.005);
  loud.gain.exponentialRampToValueAtTime(0.0001, at + 0.09);
  tone.connect(loud).connect(audio.destination);
  tone.start(at);
  tone.stop(at + 0.1);
}

/** Say something: to screen readers always, aloud where that is switched on. */
export function announce(text) {
  const region = $("#announce");
  if (region) {
    region.textContent = "";
    setTimeout(() => { region.textContent = text; }, 50);
  }
  if (spoken() && "speechSynthesis" in window) {
    const words = new SpeechSynthesisUtterance(text);
    words.lang = language;
    const voice = speechSynthesis.getVoices().find((one) => one.lang.toLowerCase().startsWith(language));
    if (voice) words.voice = voice;
    speechSynthesis.speak(words);
  }
}
