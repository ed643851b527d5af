/** examples/capture.html and its server, as an integrator starts them. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../harness/browser.ts";
import { type CaptureService, openCaptureService } from "./capture-service.ts";
import { headCamera } from "./head-videos.ts";

const program = fileURLToPath(new URL("../../examples/capture-server.mjs", import.meta.url));

const freePort = async (): Promise<string> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? String(address.port) : "";
};

let capture: CaptureService;
let example: ChildProcess | undefined;
let site = "";
const browser = openBrowser(headCamera({ kind: "head", isStill: true }));

beforeAll(async () => {
  capture = await openCaptureService();
  const PORT = await freePort();
  const { url: IDEM, apiKey: KEY } = capture.service;
  const env = { ...process.env, IDEM, KEY, PORT, STEPS: "face" };
  example = spawn(process.execPath, [program], { env, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(example.stdout ?? example, "data");
  site = String(line).trim();
});
afterAll(() => void example?.kill("SIGTERM"));

it("captures in the integrator's page, whose server alone holds key and tokens", async () => {
  const context = await browser().newContext({ locale: "en" });
  const page = await context.newPage();
  const faults: string[] = [];
  const answers: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) faults.push(message.text());
  });
  page.on("response", async (answer) => {
    if (answer.url().startsWith(site)) answers.push(await answer.text().catch(() => ""));
  });
  await page.goto(site);
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click({ timeout: 60_000 });
  await press("I agree, continue");
  await press("Open the camera");
  await press("Use this image");
  await page.getByText("COMPLETED").waitFor({ timeout: 60_000 });
  expect(faults).toEqual([]);
  expect(answers.join()).not.toContain(capture.service.apiKey);
  expect(answers.join()).not.toContain("bestImageToken");
  await context.close();
});
