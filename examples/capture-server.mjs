// A page with the capture elements, and the server behind it: IDEM=http://127.0.0.1:8080 KEY=… node examples/capture-server.mjs
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";

const { IDEM = "http://127.0.0.1:8080", KEY = "", PORT = "3000", STEPS = "face document" } = process.env;

const refuse = (sentence) => {
  console.error(sentence);
  process.exit(1);
};
if (!KEY) refuse("Set KEY to an API key of Idem with the scope capture.");

// The API key stays in this process: the page gets the token of one session.
const idem = async (path, fields) => {
  const body = fields && JSON.stringify(fields);
  const headers = { "x-api-key": KEY, "content-type": "application/json" };
  const answer = await fetch(IDEM + path, { method: body ? "POST" : "GET", headers, body });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return await answer.json();
};

// A strict policy: scripts and calls of Idem, its worker through a blob, the image to check.
const policy = `default-src 'none'; script-src 'self' ${IDEM}; connect-src 'self' ${IDEM}; worker-src blob:; img-src blob: data:`;

const script = `await import("${IDEM}/widget/idem.js");
const { sessionId, token } = await (await fetch("/session", { method: "POST" })).json();
const flow = document.createElement("idem-flow");
flow.setAttribute("session", token);
flow.addEventListener("idem-finished", async () => {
  const answer = await fetch("/result/" + sessionId);
  document.querySelector("#result").textContent = (await answer.json()).state;
});
document.querySelector("#capture").append(flow);`;

const answer = async ({ method, url }) => {
  const path = `${method} ${url}`;
  if (path === "GET /")
    return ["text/html; charset=utf-8", await readFile(new URL("capture.html", import.meta.url))];
  if (path === "GET /page.js") return ["text/javascript", script];
  if (path === "POST /session") {
    const steps = STEPS.split(" ");
    const { sessionId, token } = await idem("/capture/v1/sessions", {
      steps,
      origin: `http://127.0.0.1:${PORT}`,
    });
    return ["application/json", JSON.stringify({ sessionId, token })];
  }
  const [, id] = /^GET \/result\/([\w-]{36})$/.exec(path) ?? [];
  // `results` holds the tokens for your calls: they stay here. Bind the session to your own login before you use them.
  if (id)
    return ["application/json", JSON.stringify({ state: (await idem(`/capture/v1/sessions/${id}`)).state })];
  return ["text/plain", "Not found", 404];
};

createServer(async (request, response) => {
  const [type, body, status = 200] = await answer(request).catch((error) => [
    "text/plain",
    error.message,
    502,
  ]);
  response.writeHead(status, { "content-type": type, "content-security-policy": policy }).end(body);
})
  .on("error", ({ code }) => refuse(`Port ${PORT} cannot be opened (${code}). Set PORT to another one.`))
  .listen(Number(PORT), "127.0.0.1", () => console.log(`http://127.0.0.1:${PORT}`));
