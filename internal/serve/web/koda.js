// Forms with data-post send their fields as JSON; a page with data-follow shows a project as it
// goes on. The server draws everything: the script only asks for it again.
"use strict";

const main = document.querySelector("main");

function problem(text) {
  const at = document.getElementById("problem");
  if (at) {
    at.textContent = text;
    at.hidden = !text;
  }
}

document.addEventListener("submit", async (e) => {
  const form = e.target;
  if (!form.dataset.post) return;
  e.preventDefault();
  const body = Object.fromEntries(new FormData(form));
  const buttons = form.querySelectorAll("button");
  for (const b of buttons) b.disabled = true;
  problem("");
  try {
    const r = await fetch(form.dataset.post, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const answer = await r.json();
    if (!r.ok) return problem([answer.detail, answer.hint].filter(Boolean).join(". "));
    if (form.dataset.go) location.href = "/projects/" + answer.id;
    else await show();
  } catch {
    problem("The server does not answer.");
  } finally {
    for (const b of buttons) b.disabled = false;
  }
});

// show draws the project again, and keeps what is being typed.
let showing = false, again = false;
async function show() {
  const id = main.dataset.follow;
  if (!id) return;
  if (showing) return void (again = true);
  showing = true;
  try {
    const r = await fetch("/projects/" + id + "?part", { headers: { Accept: "text/html" } });
    if (r.status === 404) return void (location.href = "/");
    if (!r.ok) return;
    const typed = document.activeElement?.name ? { name: document.activeElement.name, value: document.activeElement.value, post: document.activeElement.form?.dataset.post } : null;
    const fresh = await r.text();
    const video = main.querySelector("video");
    const open = main.querySelector("details")?.open;
    main.innerHTML = fresh;
    const same = main.querySelector("video");
    if (video && same && video.src === same.src) same.replaceWith(video);
    if (open) main.querySelector("details").open = true;
    const field = typed && [...main.querySelectorAll("input, textarea")].find((f) => f.name === typed.name && f.form?.dataset.post === typed.post);
    if (field) {
      field.value = typed.value;
      field.focus();
    }
  } finally {
    showing = false;
    if (again) {
      again = false;
      show();
    }
  }
}

if (main.dataset.follow) {
  const events = new EventSource("/api/projects/" + main.dataset.follow + "/events?after=" + main.dataset.seq);
  for (const type of ["STATE_CHANGE", "TODO_UPDATE", "MESSAGE", "PREVIEW_READY", "OUTPUT_READY", "ERROR", "VERSION", "CHECKOUT"]) events.addEventListener(type, show);
  events.addEventListener("THINKING", (e) => {
    const at = document.getElementById("thinking");
    if (at) at.textContent = JSON.parse(e.data).payload.message;
  });
  events.addEventListener("RENDER_PROGRESS", (e) => {
    const p = JSON.parse(e.data).payload, bar = document.getElementById("progress"), at = document.getElementById("thinking");
    if (bar) {
      bar.hidden = false;
      bar.value = p.percent;
    }
    if (at) at.textContent = "Frame " + p.frame + " of " + p.frames;
  });
  for (const li of document.querySelectorAll(".scenes li")) li.style.flexGrow = li.dataset.length;
  // When the work ends, the last event may come before the server is free again.
  setInterval(() => document.getElementById("thinking") && show(), 5000);
}
