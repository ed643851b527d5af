import { policyOf, styleSource, writePage } from "./pages/shell.ts";

const style = `
body{margin:0;font:16px/1.5 system-ui,sans-serif;background:var(--surface);color:var(--text)}
main{max-width:64rem;margin:0 auto;padding:1.25rem 1rem 4rem}
h1{font-size:1.6rem;margin:0 0 .25rem}
a{color:var(--accent)}
p{margin:.25rem 0 1rem;color:var(--quiet)}
form{display:grid;grid-template-columns:1fr auto;gap:.5rem;align-items:end;margin:0 0 .75rem}
label{display:block;font-size:.875rem;color:var(--quiet)}
input{width:100%;font:inherit;padding:.5rem .6rem;border:1px solid var(--line);border-radius:6px;background:transparent;color:inherit}
button{font:inherit;padding:.5rem .9rem;border:1px solid var(--accent);border-radius:6px;background:transparent;color:var(--accent);cursor:pointer}
button:disabled{opacity:.5;cursor:default}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
#state{min-height:1.5rem;color:var(--quiet)}#state.bad{color:var(--danger)}
ol{list-style:none;margin:0;padding:0}
li{border-top:1px solid var(--rule);padding:.6rem 0}
summary{display:grid;grid-template-columns:6.5rem minmax(0,1fr) auto;gap:.25rem .75rem;cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
time,.operation{color:var(--quiet);font-size:.875rem}
.name{font-weight:600;overflow-wrap:anywhere}.operation{display:block;font-weight:400;overflow-wrap:anywhere}
.good{color:var(--good)}.bad{color:var(--danger)}
pre{font:.8125rem/1.5 ui-monospace,monospace;background:var(--ground);padding:.75rem;border-radius:6px;overflow:auto;max-height:28rem;margin:.5rem 0 0}
@media(max-width:40rem){form{grid-template-columns:1fr}summary{grid-template-columns:minmax(0,1fr) auto}time{grid-column:1/-1}}
`;

/** One style, which its hash admits, one script, and connections to this service alone. */
export const mailboxPageSecurity = policyOf({
  script: "'self'",
  style: styleSource(style),
  img: "data:",
  connect: "'self'",
});

/** The page of the mailbox. The key stays in the memory of the page. */
export const mailboxPage = writePage({
  title: "Idem mailbox",
  style,
  body: `<main>
<h1>Mailbox</h1>
<p>Events of your test environment, as a receiver gets them, with both signatures checked. This process shows what it delivered since its start. <a href="/docs/events">All events</a></p>
<form id="open"><label>API key of the test environment, with the scope webhook
<input id="key" type="password" autocomplete="off" spellcheck="false" required></label>
<button>Open</button></form>
<form id="narrow"><label>Show only this text, such as an operation
<input id="text" type="search" autocomplete="off" spellcheck="false"></label>
<button id="subscribe" type="button" disabled>Send events here</button></form>
<div id="state" role="status" aria-live="polite"></div>
<ol id="messages" reversed aria-label="Messages, the newest first"></ol>
<noscript>This page needs JavaScript. GET /operator/mailbox answers the same messages.</noscript>
</main>
<script src="/mailbox/page.js"></script>`,
});

/** Texts of messages reach the page as text, never as HTML. */
export const mailboxScript = `"use strict";
const at = (id) => document.getElementById(id);
const shownMax = 300;
let key = "", last = 0, process = "", stream = 0;

const state = (text, isBad = false) => { at("state").textContent = text; at("state").className = isBad ? "bad" : ""; };
const make = (tag, className, text) => {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
};
const parsed = (body) => { try { return JSON.parse(body); } catch { return undefined; } };

const show = (message) => {
  const event = parsed(message.body) || {};
  const name = String(event.type || "unreadable").split(".").slice(-2, -1)[0] || "unreadable";
  const isGood = message.webhook.holds && message.event.holds;
  const summary = document.createElement("summary");
  const time = make("time", "", message.receivedAt.slice(11, 23));
  time.dateTime = message.receivedAt;
  const title = make("span", "name", name);
  title.append(make("span", "operation", String(event.source || "").replace("/operations/", "") + " · " + Number(event.sequence || 0)));
  summary.append(time, title, make("span", isGood ? "good" : "bad", isGood ? "verified" : "not verified"));
  const details = document.createElement("details");
  details.append(summary);
  for (const check of [message.webhook, message.event]) if (check.reason) details.append(make("div", "bad", check.reason));
  const headers = message.headers.map((one) => one.name + ": " + one.value).join("\\n");
  const text = make("pre", "", headers + "\\n\\n" + (event.type ? JSON.stringify(event, null, 2) : message.body));
  text.tabIndex = 0;
  details.append(text);
  const item = document.createElement("li");
  item.append(details);
  item.hidden = !matches(item);
  at("messages").prepend(item);
  while (at("messages").children.length > shownMax) at("messages").lastElementChild.remove();
};

const matches = (item) => item.textContent.toLowerCase().includes(at("text").value.trim().toLowerCase());
at("text").addEventListener("input", () => { for (const item of at("messages").children) item.hidden = !matches(item); });
at("narrow").addEventListener("submit", (event) => event.preventDefault());

const problem = async (response) => {
  const body = await response.json().catch(() => ({}));
  return response.status === 401 ? "This key is not known here." : body.detail || body.title || "Status " + response.status;
};

const startMark = ": process ";

const take = (frame) => {
  if (frame.startsWith(startMark)) {
    // The service started again: its messages have new numbers.
    const started = frame.slice(startMark.length);
    if (started !== process) last = 0;
    process = started;
    return;
  }
  const data = frame.split("\\n").filter((line) => line.startsWith("data: ")).map((line) => line.slice(6)).join("\\n");
  if (data === "") return;
  const message = JSON.parse(data);
  last = message.number;
  show(message);
};

const follow = async (own) => {
  const response = await fetch("/operator/mailbox/stream?after=" + last + (process && "&process=" + process), { headers: { "x-api-key": key } });
  if (!response.ok) { state(await problem(response), true); return false; }
  state("Open. Messages appear as they arrive.");
  at("subscribe").disabled = false;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (own !== stream) { await reader.cancel(); return false; }
    if (done) return true;
    const frames = (rest + value).split("\\n\\n");
    rest = frames.pop();
    frames.forEach(take);
  }
};

const run = async (own) => {
  let goesOn = true;
  while (goesOn && own === stream) {
    goesOn = await follow(own).catch(() => { state("The service does not answer. Trying again.", true); return own === stream; });
    if (goesOn) await new Promise((resolve) => setTimeout(resolve, 1000));
  }
};

at("open").addEventListener("submit", (event) => {
  event.preventDefault();
  key = at("key").value.trim();
  last = 0;
  stream += 1;
  at("messages").replaceChildren();
  state("Opening …");
  void run(stream);
});

at("subscribe").addEventListener("click", async () => {
  at("subscribe").disabled = true;
  await subscribe().catch(() => state("The service does not answer. Press the button again.", true));
  at("subscribe").disabled = false;
});

/** A second destination of the mailbox would show every event twice. */
const subscribe = async () => {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const listed = await fetch("/operator/destinations", { headers });
  if (!listed.ok) return state(await problem(listed), true);
  const { destinations } = await listed.json();
  const known = destinations.find(({ url }) => url === "mailbox:");
  if (known !== undefined) {
    return state("Events are sent here already, by the destination " + known.name + " (" + known.state + ").", known.state !== "active");
  }
  const response = await fetch("/operator/destinations", {
    method: "POST",
    headers,
    body: JSON.stringify({ name: "Mailbox", url: "mailbox:", topics: ["*"] }),
  });
  state(response.ok ? "Every event of the test environment now arrives here." : await problem(response), !response.ok);
};
`;
