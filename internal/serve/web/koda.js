// Forms with data-post send their fields as JSON. A page with data-follow shows a project as it
// goes on, and a page with data-list the projects. The server draws everything: the script only
// asks for it again, and puts in the parts that changed.
"use strict";

const main = document.querySelector("main"), id = main.dataset.follow;
const at = (name) => document.getElementById(name);

function say(name, text) {
  if (at(name).textContent !== text) at(name).textContent = text;
  at(name).hidden = !text;
}

document.addEventListener("submit", async (e) => {
  const form = e.target;
  if (!form.dataset.post) return;
  e.preventDefault();
  const body = Object.fromEntries(new FormData(form));
  if (form.dataset.seen) body.seen = JSON.parse(form.dataset.seen);
  const buttons = form.querySelectorAll("button");
  for (const b of buttons) b.disabled = true;
  say("problem", "");
  try {
    const r = await fetch(form.dataset.post, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const answer = await r.json();
    if (r.status === 401) return ended();
    if (!r.ok) return say("problem", [answer.detail, answer.hint].filter(Boolean).join(". "));
    form.reset();
    if (form.dataset.go) location.href = "/projects/" + answer.id;
    else await show();
  } catch {
    say("problem", "The server does not answer. Nothing was sent.");
  } finally {
    for (const b of buttons) b.disabled = false;
  }
});

document.addEventListener("keydown", (e) => {
  if (e.key === "Enter" && !e.shiftKey && !e.isComposing && e.target.matches("textarea")) {
    e.preventDefault();
    e.target.form.requestSubmit();
  }
});

// ---- drawing ----

// drawn are the parts of the page as the server drew them, by their ids.
const drawn = new Map();
for (const part of main.children) drawn.set(part.id, part.outerHTML);

// draw puts in the parts that are not as before. What stays keeps its focus, what is typed into
// it, and how far a video has come.
function draw(html) {
  const fresh = [...new DOMParser().parseFromString(html, "text/html").body.children];
  const had = main.contains(document.activeElement);
  for (const old of [...main.children]) if (!fresh.some((part) => part.id === old.id)) old.remove();
  for (const [i, part] of fresh.entries()) {
    const old = main.children[i], same = old?.id === part.id, text = part.outerHTML;
    if (same && drawn.get(part.id) === text) continue;
    drawn.set(part.id, text);
    if (!same) main.insertBefore(part, old ?? null);
    else replace(old, part);
  }
  if (had && !main.contains(document.activeElement)) main.focus({ preventScroll: true });
  dress();
}

const forms = (part) => [...part.querySelectorAll("form")];
const name = (form) => form.dataset.post + [...form.elements].map((field) => field.name + (field.type === "hidden" ? field.value : ""));

// replace puts a part in the place of another one, and takes over what the person typed.
function replace(old, part) {
  const open = old.querySelector("details")?.open, focus = document.activeElement;
  for (const form of forms(old)) {
    const mine = forms(part).find((one) => name(one) === name(form));
    for (const [i, field] of [...form.elements].entries()) {
      const next = mine?.elements[i];
      if (next && field.name && field.type !== "hidden") next.value = field.value;
      if (next && field === focus) queueMicrotask(() => next.focus());
    }
  }
  old.replaceWith(part);
  if (open && part.querySelector("details")) part.querySelector("details").open = true;
}

// dress does what only a script can, for the policy of the page allows no styles in it.
function dress() {
  for (const li of main.querySelectorAll(".scenes li")) li.style.flexGrow = li.dataset.length;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) for (const v of main.querySelectorAll("video[autoplay]")) v.removeAttribute("autoplay"), v.pause();
  if (thought) think(thought);
  const talk = at("talk");
  if (talk && talk.dataset.read !== drawn.get("talk")) {
    talk.dataset.read = drawn.get("talk");
    talk.scrollTop = talk.scrollHeight;
  }
}

// show asks for the page again. It returns false if the server does not answer.
let showing = null, again = false;
function show() {
  if (showing) again = true;
  return (showing ??= ask().finally(() => (showing = null)));
}
async function ask() {
  do {
    again = false;
    const r = await fetch(location.pathname + "?part").catch(() => null);
    if (r?.status === 401) return ended();
    if (r?.status === 404) return void (location.href = "/");
    if (!r?.ok) return false;
    draw(await r.text());
  } while (again);
  return true;
}

// think says what koda does. The server may draw the part anew; the newest word stays.
let thought = null;
function think(now) {
  thought = at("work") ? now : null;
  if (!thought) return;
  at("thinking").textContent = thought.line;
  at("progress").hidden = thought.percent === undefined;
  at("progress").value = thought.percent ?? 0;
}

// ---- following ----

let source = null, over = false;

// ended asks for another token: the one of this page is valid no more.
function ended() {
  if (over) return;
  over = true;
  source?.close();
  say("link", "");
  fetch(location.pathname).then((r) => r.text()).then((html) => {
    document.querySelector("main").replaceWith(new DOMParser().parseFromString(html, "text/html").querySelector("main"));
  }, () => say("problem", "The token is unknown, or it has expired. Load the page again."));
}

function lost() {
  say("link", "The server does not answer. This page goes on when it does.");
}

let seen = Number(main.dataset.seq);
function follow() {
  source = new EventSource("/api/projects/" + id + "/events?after=" + seen);
  source.onopen = () => show().then((there) => there && say("link", ""));
  source.onerror = async () => {
    if (over) return;
    lost();
    if (source.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
    await show(); // it may be the token, or the project
    if (!over) setTimeout(follow, 1000);
  };
  const on = (type, f) => source.addEventListener(type, (e) => {
    if (e.lastEventId) main.dataset.seq = seen = Math.max(seen, Number(e.lastEventId));
    f(e.data && JSON.parse(e.data).payload);
  });
  for (const type of ["FILE_WRITTEN", "CHECKPOINT"]) on(type, () => {});
  for (const type of ["STATE_CHANGE", "TODO_UPDATE", "MESSAGE", "PREVIEW_READY", "OUTPUT_READY", "ERROR", "VERSION", "CHECKOUT"]) on(type, show);
  on("THINKING", (p) => think({ line: p.message + " …" }));
  on("RENDER_PROGRESS", (p) => think({ line: "Frame " + p.frame + " of " + p.frames, percent: p.percent }));
}

dress();
if (id) {
  follow();
  // A browser has few connections to one server: tabs that nobody sees leave theirs to others.
  document.addEventListener("visibilitychange", () => {
    source.close();
    if (!document.hidden && !over) follow();
  });
  // When the work ends, the last event may come before the server is free again.
  setInterval(() => !over && at("work") && show(), 3000);
} else if ("list" in main.dataset) {
  setInterval(async () => {
    if (over || document.hidden) return;
    if (await show()) say("link", "");
    else if (!over) lost();
  }, 3000);
}
