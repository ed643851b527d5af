import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../../../test/harness/browser.ts";
import { createTokenKey, publishKeys } from "./keys.ts";
import { makeOpenToken } from "./open.ts";

const module = new URL("../../../api/sealing.js", import.meta.url);
const page = `<!doctype html><script type="module">
import { sealToken } from "/sealing.js";
const keys = await (await fetch("/.well-known/idem-keys.json")).json();
const payload = Uint8Array.from({ length: 50_000 }, (_, index) => index % 251);
window.token = await sealToken({ keys, kind: "best-image", payload, now: new Date() });
</script>`;

const keys = { current: await createTokenKey(new Date()) };
let server: Server;
const browser = openBrowser();

/** Serves the module as the service does. */
const answer = async (path: string): Promise<readonly [type: string, body: string]> => {
  if (path === "/sealing.js") {
    return ["text/javascript", await readFile(module, "utf8")];
  }
  return path === "/.well-known/idem-keys.json"
    ? ["application/json", JSON.stringify(publishKeys(keys))]
    : ["text/html", page];
};

beforeAll(async () => {
  server = createServer((request, response) => {
    answer(request.url ?? "/").then(
      ([type, body]) => response.setHeader("content-type", type).end(body),
      () => response.writeHead(404).end(),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterAll(() => void server.close());

it("sealed in a browser opens in the service", async () => {
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const tab = await browser().newPage();
  await tab.goto(`http://127.0.0.1:${port}/`);
  await tab.waitForFunction("window.token !== undefined");
  const token = await tab.evaluate("window.token");
  const open = await makeOpenToken(keys, {
    tokenBytesMax: 100_000,
    aheadMsMax: 60_000,
    templateWithoutTenant: "refused",
    openImages: "refused",
    ageMsMax: {
      "best-image": 60_000,
      "face-image": null,
      template: null,
      ocr: null,
      "document-image": null,
      tracking: null,
    },
  });
  const opened = await open(Buffer.from(String(token), "base64"), "best-image", {
    caller: { tenantId: "any", environment: "live" },
    receivedAt: new Date(),
  });
  expect(opened.payload).toEqual(Uint8Array.from({ length: 50_000 }, (_, index) => index % 251));
});
