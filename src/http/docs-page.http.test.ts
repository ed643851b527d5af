import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { makeLaterEndpoints } from "#contract/later";
import { routes } from "#contract/routes";
import { startServer } from "./testing/harness.ts";

const whole = () =>
  startServer({
    endpoints: routes.map((route) => ({ route, handle: () => Promise.reject(new Error("unused")) })),
  });

describe("the specification", () => {
  it("is served as JSON and as YAML with the same content, and says 501 where an endpoint comes later", async () => {
    const { server } = startServer({ endpoints: makeLaterEndpoints() });
    const json = (await server.app.inject({ url: "/openapi.json" })).json();
    expect(parse((await server.app.inject({ url: "/openapi.yaml" })).body)).toEqual(json);
    expect(json.paths["/services/digitalSign"].post.responses["501"]).toBeDefined();
  });

  it("is the committed one for the whole interface, but for its version", async () => {
    const { server } = whole();
    const served = (await server.app.inject({ url: "/openapi.json" })).json();
    const operations = Object.values(served.paths).flatMap((path) => Object.keys(Object(path)));
    const beside = ["/.well-known/idem-keys.json", "/sealing.js", "/healthz", "/readyz", "/metrics"];
    expect(operations).toHaveLength(routes.length + beside.length);
    for (const path of beside) {
      expect(served.paths[path].get.responses["200"], path).toBeDefined();
      expect((await server.app.inject({ url: path })).statusCode, path).toBe(200);
    }
  });
});

it("leads from the address alone to the docs page", async () => {
  const answer = await whole().server.app.inject({ url: "/" });
  expect([answer.statusCode, answer.headers["location"]]).toEqual([302, "/docs"]);
});

describe("the docs page in a browser", () => {
  let browser: Browser;
  let scratch: string;

  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), "idem-docs-"));
    browser = await playwright.launch({
      executablePath: await chromium.executablePath(),
      env: { ...process.env, TMPDIR: scratch, HOME: scratch },
      args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    });
  });

  afterAll(async () => {
    await browser.close();
    await rm(scratch, { recursive: true, force: true });
  });

  it("shows the endpoints, and asks no other host for anything", async () => {
    const { server } = whole();
    const address = await server.listen({ host: "127.0.0.1", port: 0 });
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(`${address}/docs`);
    await page.getByText("Passive liveness and comparison of two faces").first().waitFor();
    const text = await page.locator("body").innerText();
    for (const tag of ["Faces", "Documents", "Document validation", "Users"]) expect(text).toContain(tag);
    const picture = process.env["IDEM_DOCS_PICTURE"];
    if (picture !== undefined) await page.screenshot({ path: picture });
    const foreign = asked.filter(
      (url) => !url.startsWith(address) && !url.startsWith("data:") && !url.startsWith("blob:"),
    );
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
    await server.drain();
  });
});
