// This device as the camera: its pictures go to the referee's computer, one after the other.
import { $, el } from "./dom.js";
import { t } from "./texts.js";
import { toldText } from "./tiles.js";

const view = $("#view");
const canvas = document.createElement("canvas");
const token = $('meta[name="csrf"]').content;
let stream = null;
let count = 0;
let lock = null;

function line(text, bad = false) {
  const shown = $("#camera-line");
  shown.hidden = !text;
  shown.className = bad ? "told problem" : "told";
  if (shown.textContent !== text) shown.textContent = text;
}

async function devices() {
  const all = (await navigator.mediaDevices.enumerateDevices()).filter((one) => one.kind === "videoinput");
  const select = $("#device");
  const chosen = select.value;
  select.replaceChildren(...all.map((one, at) => el("option", { value: one.deviceId }, one.label || t("Camera %(number)s", { number: at + 1 }))));
  if (chosen) select.value = chosen;
  select.hidden = all.length < 2;
}

const jpeg = () => new Promise((resolve) => {
  const scale = Math.min(1, 1920 / Math.max(view.videoWidth, view.videoHeight));
  canvas.width = Math.round(view.videoWidth * scale);
  canvas.height = Math.round(view.videoHeight * scale);
  canvas.getContext("2d").drawImage(view, 0, 0, canvas.width, canvas.height);
  canvas.toBlob(resolve, "image/jpeg", 0.88);
});

// One picture at a time: a slow network makes fewer pictures, never a queue.
async function send(mine) {
  let wait = 100;
  while (stream === mine) {
    if (view.videoWidth) {
      try {
        const picture = await jpeg();
        const response = await fetch(`/camera/frame?n=${count}`, { method: "POST", body: picture, headers: { "Content-Type": "image/jpeg", "X-CSRF-Token": token, Accept: "application/json" } });
        const answer = await response.json().catch(() => ({}));
        if (response.ok) {
          count += 1;
          wait = 100;
          line(t("Pictures sent: %(count)s", { count }));
        } else {
          wait = 1500;
          line(answer.error ? toldText(answer.error) : t("The referee does not take pictures now."), true);
        }
      } catch {
        wait = 2000;
        line(t("The referee's computer does not answer."), true);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

async function begin() {
  if (!navigator.mediaDevices?.getUserMedia) {
    return line(t("This browser gives its camera only to a page on the same computer, or over HTTPS."), true);
  }
  end();
  const device = $("#device").value;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: {
      width: { ideal: 1920 }, height: { ideal: 1080 }, ...(device ? { deviceId: { exact: device } } : { facingMode: "environment" }) } });
  } catch (error) {
    return line(error.name === "NotAllowedError" ? t("The camera was not allowed for this page.") : t("No camera could be opened."), true);
  }
  view.srcObject = stream;
  await view.play();
  await devices();
  $("#begin-camera").hidden = true;
  $("#end-camera").hidden = false;
  // A phone that falls asleep is no camera.
  lock = await navigator.wakeLock?.request("screen").catch(() => null);
  send(stream);
}

function end() {
  for (const track of stream?.getTracks() || []) track.stop();
  stream = null;
  lock?.release();
  lock = null;
  view.srcObject = null;
  $("#begin-camera").hidden = false;
  $("#end-camera").hidden = true;
}

$("#begin-camera").addEventListener("click", begin);
$("#end-camera").addEventListener("click", () => { end(); line(""); });
$("#device").addEventListener("change", begin);
