import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import type { BrowserContext, Page } from "playwright-core";
import sharp from "sharp";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import { openBrowser } from "../harness/browser.ts";
import { type CaptureService, openCaptureService } from "./capture-service.ts";
import { drawHead, headCamera } from "./head-videos.ts";
import { accessibilityFaults, layoutFaults, shoot } from "./page-checks.ts";

const phone = { width: 390, height: 844 };
/** The machine of the tests may be busy. */
const slow = { timeout: 60_000 };
/** A challenge takes 40 s, and a busy machine shows its pages late. */
const patient = { timeout: 300_000 };

let capture: CaptureService;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  capture = await openCaptureService();
});
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});

type Browser = ReturnType<ReturnType<typeof openBrowser>>;

/** A page in a window of its own, and what its security policy refused. */
const openWindow = async (browser: Browser, url: string, options: object = {}) => {
  const context = await browser.newContext({ viewport: phone, locale: "en-GB", ...options });
  contexts.push(context);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) faults.push(message.text());
  });
  await page.goto(url);
  return { page, faults };
};

const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true }).waitFor(slow);
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click(slow);
const onPage = (page: Page, name: string) => page.locator(`[data-action=${name}]`);

/** Nothing that axe or the layout has to say about this step. */
const check = async (page: Page, name: string): Promise<void> => {
  expect([name, ...(await accessibilityFaults(page)), ...(await layoutFaults(page))]).toEqual([name]);
  await shoot(page, `hosted-${name}`);
};

/**
 * Opens the camera until the challenge is one that the guide can follow on a drawn head: it sees no such head
 * sink.
 */
const openCamera = async (page: Page): Promise<void> => {
  for (let isMet = false; !isMet; ) {
    await onPage(page, "otherWay").waitFor(slow);
    if (!(await onPage(page, "openCamera").isVisible())) await onPage(page, "otherWay").click();
    const asked = page.waitForResponse((answer) => answer.url().endsWith("/challenge"), slow);
    await onPage(page, "openCamera").click();
    isMet = !(await (await asked).text()).includes("down");
  }
};

/** Tries of one session (src/features/capture/policy.ts). */
const triesMax = 3;

/**
 * Takes face after face until one is accepted: a busy machine may show a rotation too few frames. False where
 * the session has no try left.
 */
const takeFace = async (page: Page): Promise<boolean> => {
  const [use, again] = [onPage(page, "use"), onPage(page, "again")];
  for (let tries = 0; tries < triesMax; tries++) {
    await openCamera(page);
    await use.or(again).first().waitFor(patient);
    if (!(await use.isVisible())) continue;
    await check(page, "es-3-preview");
    await use.click();
    const ended = page.getByRole("heading", { name: /^(Listo|Intentemos de nuevo|No se pudo completar)$/ });
    await ended.waitFor(slow);
    if ((await ended.textContent()) === "Listo") return true;
    await shoot(page, "hosted-es-again");
  }
  return false;
};

/** The text of a QR code, as the camera of a telephone reads it. */
const readQr = async (image: Uint8Array): Promise<string> => {
  const path = createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm");
  const wasmBinary = new Uint8Array(await readFile(path)).buffer;
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  const [read] = await readBarcodes(image, { formats: ["QRCode"] });
  return read?.text ?? "";
};

describe("with a head that turns before the camera", () => {
  const browser = openBrowser(headCamera({ kind: "head" }));

  /**
   * Opens sessions until the tries of one suffice: each of its own customer, as failures of a customer pause
   * it.
   */
  const completeSession = async () => {
    for (let number = 1; number <= 4; number++) {
      const wanted = { steps: ["face"], level: "active-turn", customerId: `customer-471${number}` };
      const { id, url } = await capture.openSession(wanted);
      const { page, faults } = await openWindow(browser(), url, { locale: "es-CL" });
      await heading(page, "Antes de comenzar");
      expect(page.url()).not.toContain("#");
      await check(page, "es-1-consent");
      await press(page, "Acepto y continuar");
      await heading(page, "Tome una foto de su rostro");
      await check(page, "es-2-intro");
      const isAccepted = await takeFace(page);
      expect(faults).toEqual([]);
      // A busy machine shows a rotation too few frames, or none with a face.
      for (const reason of await capture.refusalsOf(id)) expect(["sequence", "face_lost"]).toContain(reason);
      if (isAccepted) return { id, page, faults };
    }
    return expect.unreachable("No session was completed");
  };

  it("completes the challenge, and the tokens serve the identity call", async () => {
    const { id, page, faults } = await completeSession();
    await heading(page, "Listo");
    await check(page, "es-4-finished");
    expect(faults).toEqual([]);
    const shown = await capture.show(id);
    expect(shown).toMatchObject({
      state: "COMPLETED",
      steps: [{ name: "face", state: "accepted", level: "active-turn", source: "camera" }],
      consent: { language: "es" },
      results: { bestImageToken: expect.any(String), templateRaw: expect.any(String) },
    });
    const { bestImageToken, extraData } = Object(shown["results"]);
    const { data, width, height } = drawHead();
    const portrait = await sharp(data, { raw: { width, height, channels: 3 } })
      .jpeg()
      .toBuffer();
    const { status, body } = await capture.post("/onboarding/v2/identity", {
      token1: portrait.toString("base64"),
      bestImageToken,
      method: "3",
      tracking: { extraData },
    });
    expect([status, body["facialAuthenticationLog"]]).toEqual([200, "Positive"]);
  });

  it("goes from the language to the way back by keyboard alone", async () => {
    const returnUrl = "https://bank.example/done";
    const { url } = await capture.openSession({ steps: ["face"], level: "passive", returnUrl });
    const { page } = await openWindow(browser(), url, { colorScheme: "dark" });
    const focused = (): Promise<string> =>
      page.evaluate(
        "(() => { const { activeElement } = document; return (activeElement?.shadowRoot?.activeElement ?? activeElement)?.textContent ?? ''; })()",
      );
    const tabTo = async (name: string): Promise<void> => {
      for (let i = 0; i < 12 && (await focused()) !== name; i++) await page.keyboard.press("Tab");
      expect(await focused()).toBe(name);
    };
    const choose = async (name: string): Promise<void> => {
      await tabTo(name);
      await page.keyboard.press("Enter");
    };
    await heading(page, "Before you begin");
    await choose("Português");
    await heading(page, "Antes de começar");
    expect(await page.evaluate("document.documentElement.lang")).toBe("pt-BR");
    expect(await focused()).toBe("Português");
    await choose("Concordo, continuar");
    await heading(page, "Tire uma foto do seu rosto");
    await choose("Abrir a câmera");
    await heading(page, "A imagem está nítida?");
    await choose("Usar esta imagem");
    await heading(page, "Pronto");
    await check(page, "pt-BR-dark-finished");
    await tabTo("Voltar para bank.example");
    expect(await page.getByRole("link").getAttribute("href")).toBe(returnUrl);
  });

  it("shows the story of a captured face, and of a document from a file, at /demo", async () => {
    const { url, apiKey } = capture.service;
    const drawn = await fetch(`${url}/sandbox/v1/personas/operation-onboarding/front`, {
      headers: { "x-api-key": apiKey },
    });
    const buffer = Buffer.from((await drawn.json()).image, "base64");
    const { page, faults } = await openWindow(browser(), `${url}/demo`);
    await page.getByLabel("API key of the test environment").fill(apiKey);
    await page.keyboard.press("Enter");
    await page.getByLabel("Camera").check(slow);
    await check(page, "demo-camera-form");
    await press(page, "Begin");
    await press(page, "I agree, continue");
    await page
      .locator("input[type=file][data-action=upload]")
      .setInputFiles({ name: "passport.png", mimeType: "image/png", buffer }, slow);
    await press(page, "Use this image");
    await heading(page, "Take a photo of your face");
    const asked = page.waitForRequest(
      (request) => request.method() === "POST" && request.url().endsWith("/verify/v1/verifications"),
      slow,
    );
    await press(page, "Open the camera");
    await press(page, "Use this image");
    // The session stands for the images: none leaves this page a second time.
    const { captureSessionId, ...others } = (await asked).postDataJSON();
    expect(others).toEqual({
      flow: "document_and_selfie",
      document: { country: "CHL", type: "PASSPORT" },
    });
    const verdict = page.locator("[data-outcome]");
    await verdict.waitFor(slow);
    // The head of the video is the face of the drawn passport, and one image alone shows its liveness.
    expect(await verdict.getAttribute("data-outcome")).toBe("review");
    const reasons = page.locator("dd", { hasText: "one_image_liveness" });
    expect(await reasons.textContent()).toBe("one_image_liveness");
    const { operationId, state, steps } = await capture.show(captureSessionId);
    expect(await verdict.locator("code").textContent()).toBe(operationId);
    expect(state).toBe("COMPLETED");
    expect(steps).toMatchObject([
      { name: "document", source: "upload" },
      { name: "face", source: "camera" },
    ]);
    expect(faults).toEqual([]);
  });

  it("hands over to a telephone by its code, which both screens show", async () => {
    const { id, url } = await capture.openSession({ steps: ["face"], level: "passive" });
    const desktop = { viewport: { width: 1280, height: 800 } };
    const { page: first } = await openWindow(browser(), url, desktop);
    await press(first, "I agree, continue");
    await press(first, "Another way");
    await press(first, "Use my phone");
    await heading(first, "Continue on your phone");
    await check(first, "en-desktop-handoff");
    const qr = await first.getByRole("img").screenshot();
    const code = await first.locator(".code").textContent();
    const { page } = await openWindow(browser(), await readQr(qr));
    await page.locator(".code").waitFor(slow);
    expect(await page.locator(".code").textContent()).toBe(code);
    expect(page.url()).not.toContain("#");
    await check(page, "en-phone-confirm");
    await press(page, "Continue");
    await press(page, "Open the camera");
    await press(page, "Use this image");
    await heading(page, "All done");
    await heading(first, "All done");
    expect((await capture.show(id))["steps"]).toMatchObject([{ state: "accepted", source: "handoff" }]);
  });
});

describe.each([
  ["a head that stays still", { kind: "head", isStill: true }],
  ["a print that is moved as a head is", { kind: "flat" }],
] as const)("with %s before the camera", (_, video) => {
  const browser = openBrowser(headCamera(video));

  it("asks for a rotation, and sends nothing", async () => {
    const { id, url } = await capture.openSession({ steps: ["face"], level: "active-turn" });
    const { page } = await openWindow(browser(), url);
    const sent: string[] = [];
    page.on("request", (request) => request.url().includes("/uploads") && sent.push(request.url()));
    await press(page, "I agree, continue");
    await openCamera(page);
    await page
      .locator(".plate")
      .getByText(/^(Turn|Lift) your head/)
      .waitFor(slow);
    await page.waitForTimeout(8_000);
    // Also past the ten seconds after which a first image may be taken by hand.
    expect(await onPage(page, "use").isVisible()).toBe(false);
    expect(await onPage(page, "shutter").isVisible()).toBe(false);
    expect([sent, (await capture.show(id))["state"]]).toEqual([[], "OPEN"]);
    await check(page, "en-rotation");
  });
});

describe("without a camera", () => {
  const browser = openBrowser();

  it("says what to do without a link, with a wrong one, and after a reload", async () => {
    const { url, token } = await capture.openSession({ steps: ["face"] });
    const { page } = await openWindow(browser(), url.replace(`#${token}`, ""));
    await page.getByText("This page opens with the link that you received").waitFor(slow);
    await check(page, "en-no-link");
    // The same window gets the link: only the fragment changes.
    await page.goto(url);
    await heading(page, "Before you begin");
    expect(page.url()).not.toContain("#");
    await page.reload();
    await page.getByText("This page opens with the link that you received").waitFor(slow);
    await page.goto(`${url}x`);
    await page.getByText("The link is no longer valid").first().waitFor(slow);
    await check(page, "en-wrong-link");
  });

  it("shows a second window, a cancelled session and its way back, and what a lost connection means", async () => {
    const returnUrl = "http://localhost:3000/done";
    const { id, url } = await capture.openSession({ steps: ["face", "document"], returnUrl });
    const { page: first } = await openWindow(browser(), url);
    await heading(first, "Before you begin");
    const { page } = await openWindow(browser(), url);
    await page.getByText("The capture is open in another window").first().waitFor(slow);
    await check(page, "en-elsewhere");
    await page.context().setOffline(true);
    await press(page, "Continue here");
    await page.getByText("The connection was lost").first().waitFor(slow);
    await check(page, "en-offline");
    await page.context().setOffline(false);
    await press(page, "Continue");
    await press(page, "Continue here");
    await press(page, "I agree, continue");
    await press(page, "Cancel");
    await heading(page, "Capture cancelled");
    await page.getByRole("link", { name: "Return to localhost:3000" }).waitFor(slow);
    await expect.poll(async () => (await capture.show(id))["state"]).toBe("CANCELLED");
    const { page: later } = await openWindow(browser(), url);
    await heading(later, "Capture cancelled");
    await check(later, "en-cancelled");
  });

  it("tells the story of a whole onboarding at /demo, with drawn images and by keyboard alone", async () => {
    const { url, apiKey } = capture.service;
    const { page, faults } = await openWindow(browser(), `${url}/demo`);
    const shootAs = async (name: string): Promise<void> => {
      expect([name, ...(await accessibilityFaults(page)), ...(await layoutFaults(page))]).toEqual([name]);
      await shoot(page, `demo-${name}`);
    };
    await page.getByLabel("API key of the test environment").fill("idem_test_unknown");
    await page.keyboard.press("Enter");
    await page.getByText("The service does not know this key").waitFor(slow);
    await shootAs("wrong-key");
    await page.getByLabel("API key of the test environment").fill(apiKey);
    await page.keyboard.press("Enter");
    await heading(page, "2. Images");
    await shootAs("images");
    // From the heading: the source, the case, the button.
    for (let i = 0; i < 3; i++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await heading(page, "3. Progress");
    await shootAs("progress");
    const verdict = page.locator("[data-outcome]");
    await verdict.waitFor(slow);
    expect(await verdict.getAttribute("data-outcome")).toBe("approved");
    const operationId = (await verdict.locator("code").textContent()) ?? "";
    const answer = await fetch(`${url}/operator/operations/${operationId}`, {
      headers: { "x-api-key": apiKey },
    });
    const { state, steps, events } = await answer.json();
    expect(state).toBe("SUCCEEDED");
    const results = steps.map(({ result }: { result: object }) => result);
    for (const result of [
      { facial: 3, liveness: 3 },
      { code: 9001, reasonCode: null },
      { decision: "approved" },
    ]) {
      expect(results).toContainEqual(expect.objectContaining(result));
    }
    await expect.poll(() => page.locator(".events li").count(), slow).toBe(events.length);
    expect(await page.getByText("signatures valid", { exact: true }).count()).toBe(events.length);
    // The boxes of both faces and the corners of the document, each a line and its shade.
    expect(await page.locator(".picture polygon").count()).toBe(6);
    const meshes = await page
      .locator(".picture .mesh")
      .evaluateAll((all) => all.map((one) => one.getAttribute("d")));
    expect(meshes.map((path) => path?.match(/M/g)?.length)).toEqual([468, 468]);
    await page.getByText("MUÑOZ PRUEBA", { exact: true }).waitFor(slow);
    await shootAs("story");
    const summary = page.locator(".calls summary", { hasText: "GET /verify/v1/verifications/" });
    await summary.click();
    const command = await summary.locator("xpath=..").locator("pre").first().innerText();
    const repeated = await promisify(execFile)("bash", ["-c", command], {
      env: { ...process.env, KEY: apiKey },
    });
    expect(JSON.parse(repeated.stdout)).toMatchObject({ decision: "approved", document: { code: 9001 } });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 1280, height: 800 });
    await press(page, "Español");
    await heading(page, "4. Resultado");
    await shootAs("es-dark-1280-story");
    expect(faults).toEqual([]);
  });

  it.each([
    ["es", "light", phone, 1],
    ["en", "dark", { width: 1280, height: 800 }, 1],
    // 200 % zoom of a window of 780 px.
    ["pt-BR", "light", { width: 390, height: 422 }, 2],
  ] as const)("keeps its layout in %s, %s", async (locale, colorScheme, viewport, deviceScaleFactor) => {
    const { url } = await capture.openSession({ steps: ["face", "document"] });
    const context = { locale, colorScheme, viewport, deviceScaleFactor, reducedMotion: "reduce" };
    const { page, faults } = await openWindow(browser(), url, context);
    for (const [name, action] of [
      ["consent", "agree"],
      ["intro", "otherWay"],
      ["ladder", "openCamera"],
    ] as const) {
      await onPage(page, action).waitFor(slow);
      await check(page, `${locale}-${colorScheme}-${viewport.width}-${name}`);
      await onPage(page, action).click();
    }
    expect(await page.evaluate("document.documentElement.lang")).toBe(locale);
    await onPage(page, "again").waitFor(slow);
    await check(page, `${locale}-${colorScheme}-${viewport.width}-no-camera`);
    expect(faults).toEqual([]);
  });
});
