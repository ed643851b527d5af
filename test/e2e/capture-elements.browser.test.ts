import type { BrowserContext, Locator, Page } from "playwright-core";
import sharp from "sharp";
import { afterEach, describe, expect, it } from "vitest";
import { judgeSequence } from "#judging/face/challenge/judge-sequence";
import { defaultChallengePolicy, type SequencePolicy } from "#judging/face/challenge/policy";
import { writePageDetector } from "#machine/networks/conversion/page-detector";
import { ledger } from "#machine/networks/ledger";
import { readModelFiles } from "#machine/networks/model-files";
import { askPlaceMs } from "../../widget/session/upload.ts";
import { openBrowser } from "../harness/browser.ts";
import { headCamera } from "./head-videos.ts";
import { shoot } from "./page-checks.ts";
import { type Judged, openPageService, type PageService, type Scenario } from "./page-service.ts";
import { cameraFlags } from "./videos.ts";

const detector = writePageDetector(await readModelFiles(ledger.blazeface));
const phone = { width: 390, height: 844 };
/** 200 % zoom of a window of 780 px. */
const zoomed = {
  viewport: { width: 390, height: 422 },
  deviceScaleFactor: 2,
  reducedMotion: "reduce",
} as const;
/** The machine of the tests may be busy. */
const slow = { timeout: 60_000 };
/** A challenge takes 40 s, and a busy machine shows its pages late. */
const patient = { timeout: 300_000 };
const triesOfChallenge = 10;
/** Uploads that the service may refuse: as many as a session has tries (src/features/capture/policy.ts). */
const refusalsMax = 3;

let open: { service: PageService; context: BrowserContext } | undefined;

afterEach(async () => {
  await open?.context.close();
  open?.service.close();
  open = undefined;
});

/** Records what the page asks of the camera. */
const watchCamera = `
window.asked = 0; window.streams = [];
if (navigator.mediaDevices) {
  const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async (wish) => { window.asked += 1; const stream = await ask(wish); window.streams.push(stream); return stream; };
}`;

type Opening = {
  readonly scenario?: Partial<Scenario>;
  readonly html?: string;
  readonly host?: string;
  readonly context?: object;
};

const start = async (
  browser: ReturnType<ReturnType<typeof openBrowser>>,
  { scenario = {}, html = '<idem-face session="session-token"></idem-face>', host, context = {} }: Opening,
) => {
  const service = await openPageService(scenario, detector);
  const opened = await browser.newContext({ viewport: phone, ...context });
  await opened.addInitScript(watchCamera);
  open = { service, context: opened };
  const page = await opened.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) faults.push(message.text());
  });
  await page.goto(service.urlOf(html, host));
  return { service, page, faults };
};

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const press = (page: Page, name: string) => button(page, name).click(slow);
const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true }).waitFor(slow);
const events = async (page: Page): Promise<readonly string[]> =>
  await page.evaluate("window.events.map(([name, detail]) => name + ' ' + JSON.stringify(detail))");
const liveTracks = async (page: Page): Promise<number> =>
  await page.evaluate(
    "window.streams.flatMap((stream) => stream.getTracks()).filter((track) => track.readyState === 'live').length",
  );
/** Buttons that are too small for a finger, and a page that must be moved sideways. */
const layoutFaults = async (page: Page): Promise<readonly string[]> => {
  const width: number = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
  const small = await page
    .locator("button:visible, label:visible")
    .evaluateAll((all) =>
      all
        .filter((one) => one.getBoundingClientRect().height < 44 || one.getBoundingClientRect().width < 44)
        .map((one) => one.textContent),
    );
  return [...(width > 0 ? [`${width} px too wide`] : []), ...small];
};

describe("with a head before the camera", () => {
  const browser = openBrowser(headCamera({ kind: "head", isStill: true }));

  it("captures a face after consent, shows it, sends it, and keeps no camera open", async () => {
    const { service, page, faults } = await start(browser(), {});
    await heading(page, "Before you begin");
    expect(await page.evaluate("window.asked")).toBe(0);
    expect(service.paths.filter((path) => path.includes("/capture/"))).toEqual([
      "POST /capture/v1/page/open",
    ]);
    await press(page, "I agree, continue");
    await heading(page, "Take a photo of your face");
    expect(await page.evaluate("window.asked")).toBe(0);
    await press(page, "Open the camera");
    await heading(page, "Is the image clear?");
    expect(await liveTracks(page)).toBe(0);
    expect(service.paths.some((path) => path.includes("/uploads"))).toBe(false);
    await press(page, "Use this image");
    await heading(page, "All done");
    const [judged] = service.judged;
    expect(judged).toMatchObject({ step: "face", source: "camera", isSigned: true });
    expect(judged?.container).toMatchObject({
      kind: "container",
      head: { challenge: "", frames: [{ step: -1 }] },
    });
    const names = (await events(page)).map((line) => line.split(" ")[0]);
    expect(names.filter((name) => name !== "guidance")).toEqual([
      "ready",
      "permission",
      "captured",
      "finished",
    ]);
    expect(faults).toEqual([]);
    expect(
      await page.evaluate("JSON.stringify([document.cookie, localStorage.length, sessionStorage.length])"),
    ).toBe('["",0,0]');
  });

  it("stops the camera when the page is hidden and when the element goes, and goes on when asked", async () => {
    const { page } = await start(browser(), {
      html: '<idem-face session="session-token" auto-capture="off"></idem-face>',
    });
    await press(page, "I agree, continue");
    await press(page, "Open the camera");
    await button(page, "Take the photo").waitFor(slow);
    expect(await liveTracks(page)).toBe(1);
    await page.evaluate(
      "Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }); document.dispatchEvent(new Event('visibilitychange'))",
    );
    await heading(page, "Capture paused");
    expect(await liveTracks(page)).toBe(0);
    await page.evaluate("delete document.visibilityState");
    await press(page, "Continue");
    await button(page, "Take the photo").waitFor(slow);
    expect(await liveTracks(page)).toBe(1);
    await page.evaluate("document.querySelector('idem-face').remove()");
    await expect.poll(() => liveTracks(page)).toBe(0);
  });

  it("takes the image by hand, and plays the video muted and inline", async () => {
    const { service, page } = await start(browser(), {
      html: '<idem-face session="session-token" auto-capture="off" preview="off"></idem-face>',
    });
    await press(page, "I agree, continue");
    await press(page, "Open the camera");
    await button(page, "Take the photo").waitFor(slow);
    const [isMuted, isInline, shape] = await page
      .locator("video")
      .evaluate((video) => [
        Reflect.get(video, "muted"),
        Reflect.get(video, "playsInline"),
        getComputedStyle(video.parentElement ?? video).aspectRatio,
      ]);
    // The frame is upright, and so is the layout.
    expect([isMuted, isInline, shape]).toEqual([true, true, "360 / 480"]);
    await press(page, "Take the photo");
    await heading(page, "All done");
    expect(service.judged).toHaveLength(1);
  });

  it("goes on with an upload when the connection is back", async () => {
    const { service, page } = await start(browser(), {});
    await press(page, "I agree, continue");
    await press(page, "Open the camera");
    await button(page, "Use this image").waitFor(slow);
    service.setDown(true);
    await press(page, "Use this image");
    await page.getByText("The connection was lost").waitFor({ state: "attached", timeout: 60_000 });
    service.setDown(false);
    await page.evaluate("window.dispatchEvent(new Event('online'))");
    await heading(page, "All done");
    expect(service.judged).toHaveLength(1);
  });

  it("says what to mend after a refusal, and ends without tries", async () => {
    const { page } = await start(browser(), {
      scenario: { guidance: [["closer"], ["too_dark"]], triesMax: 2 },
    });
    await press(page, "I agree, continue");
    await press(page, "Open the camera");
    await press(page, "Use this image");
    await heading(page, "Let us try again");
    await page.getByText("Move closer").waitFor(slow);
    await page.getByText("Tries left: 1").waitFor(slow);
    await press(page, "Try again");
    await press(page, "Use this image");
    await heading(page, "This could not be completed");
    expect((await events(page)).at(-1)).toContain('"state":"failed"');
  });

  it("works in a page of another origin under a strict policy, and lets a second window take over", async () => {
    const { service, page, faults } = await start(browser(), { host: "localhost" });
    await press(page, "I agree, continue");
    const second = await open!.context.newPage();
    await second.goto(service.urlOf('<idem-face session="session-token"></idem-face>', "localhost"));
    await heading(second, "There is a problem");
    await press(second, "Continue here");
    await press(second, "Open the camera");
    await press(second, "Use this image");
    await heading(second, "All done");
    expect(service.judged[0]?.isSigned).toBe(true);
    expect(faults).toEqual([]);
  });

  it("compares codes on the telephone of a hand-off, then sends from there", async () => {
    const { service, page } = await start(browser(), { scenario: { offeredCode: "4821" } });
    await heading(page, "Matching code");
    await page.getByText("4821").waitFor(slow);
    await shoot(page, "handoff-phone");
    await press(page, "Continue");
    await press(page, "I agree, continue");
    await press(page, "Another way");
    await button(page, "Choose a file").or(page.getByText("Choose a file")).first().waitFor(slow);
    expect(await button(page, "Use my phone").count()).toBe(0);
    await press(page, "Open the camera");
    await press(page, "Use this image");
    await heading(page, "All done");
    expect(service.judged[0]).toMatchObject({ source: "handoff", isSigned: true });
  });

  it("speaks the other vendor's events where asked", async () => {
    const { page } = await start(browser(), {
      html: '<idem-face session="session-token" compatibility="facephi" preview="off"></idem-face>',
    });
    await press(page, "I agree, continue");
    await press(page, "Open the camera");
    await heading(page, "All done");
    const names = (await events(page)).map((line) => line.split(" ")[0]);
    expect(names).toEqual(
      expect.arrayContaining(["facephi:extractionFinish", "facephi:trackStatus", "facephi:emitData"]),
    );
  });

  // The texts of each language where they have the least room, and each look once.
  it.each([
    ["es", "phone", { viewport: phone }],
    ["es", "desktop", { viewport: { width: 1280, height: 800 } }],
    ["es", "zoomed", zoomed],
    ["en", "zoomed", zoomed],
    ["pt-BR", "zoomed", zoomed],
  ] as const)("keeps its layout in %s, %s", async (language, name, context) => {
    const html = `<idem-flow session="session-token" language="${language}" auto-capture="off"></idem-flow>`;
    const { page } = await start(browser(), {
      html,
      context,
      scenario: { steps: [{ name: "face" }, { name: "document" }] },
    });
    const action = (of: string) => page.locator(`[data-action=${of}]`);
    const show = async (screen: string, until: Locator): Promise<void> => {
      await until.waitFor(slow);
      await shoot(page, `${language}-${name}-${screen}`);
      if (name === "phone") {
        await page.emulateMedia({ colorScheme: "dark" });
        await shoot(page, `${language}-dark-${screen}`);
        await page.emulateMedia({ colorScheme: "light" });
      }
      expect([screen, ...(await layoutFaults(page))]).toEqual([screen]);
    };
    await show("1-consent", action("agree"));
    await action("agree").click();
    await show("2-intro", action("openCamera"));
    await action("otherWay").click();
    await show("3-ladder", action("usePhone"));
    await action("usePhone").click();
    await show("4-handoff", page.getByText("4821"));
    await action("back").click();
    await action("openCamera").click(slow);
    await page.locator(".guide.ready").waitFor(slow);
    await show("5-live", action("shutter"));
    await action("shutter").click();
    await show("6-preview", action("use"));
  });
});

describe("with a head that turns before the camera", () => {
  const browser = openBrowser(cameraFlags("turning"));

  /** A challenge of the page service, at any time of its use. */
  const challengeOf = (id: string, now: Date) => ({
    id,
    issuedAt: new Date(now.getTime() - 60_000).toISOString(),
    expiresAt: new Date(now.getTime() + 60_000).toISOString(),
    finishMs: 40_000,
    steps: [{ turn: "left" }, { turn: "right" }] as const,
  });
  const { sequence } = defaultChallengePolicy;
  /** Of a busy machine: a turn with too few frames. */
  const anyPace: SequencePolicy = { ...sequence, intervalMsMax: Number.POSITIVE_INFINITY };
  /** Why the service would refuse the sequence of an upload; undefined where it holds. */
  const faultOf = ({ container }: Judged, policy = sequence): string | undefined => {
    if (container?.kind !== "container") return "The upload is no container";
    const now = new Date();
    const challenge = challengeOf(container.head.challenge, now);
    return judgeSequence(container, challenge, now, policy).reason;
  };

  it("follows the turns of a challenge: thirteen frames in order and at the pace of the service, signed", async () => {
    // As a service answers a sequence that does not hold.
    const refuse = (upload: Judged) => (faultOf(upload) === undefined ? undefined : ["move_slower"]);
    const { service, page } = await start(browser(), {
      scenario: { level: "active-turn", triesMax: triesOfChallenge, refuse },
    });
    await press(page, "I agree, continue");
    await press(page, "Open the camera");
    const [use, again] = [button(page, "Use this image"), button(page, "Try again")];
    const done = page.getByRole("heading", { name: "All done", exact: true });
    for (let tries = 0; tries < triesOfChallenge && !(await done.isVisible()); tries++) {
      await use.or(again).first().waitFor(patient);
      if (!(await use.isVisible())) {
        await again.click();
        continue;
      }
      await use.click();
      await done.or(again).first().waitFor(slow);
    }
    await heading(page, "All done");
    expect(faultOf(service.judged.at(-1)!)).toBeUndefined();
    expect(service.judged.length).toBeLessThanOrEqual(refusalsMax + 1);
    for (const upload of service.judged) {
      expect(faultOf(upload, anyPace)).toBeUndefined();
      expect(upload.isSigned).toBe(true);
      expect(upload.bytes.length).toBeLessThan(2 * 2 ** 20);
      const frames = upload.container?.kind === "container" ? upload.container.frames : [];
      expect(frames).toHaveLength(13);
      const turn = await sharp(frames[1]).metadata();
      expect([turn.width, turn.height]).toEqual([480, 360]);
    }
  });
});

describe("with a card before the camera", () => {
  const browser = openBrowser(cameraFlags("card"));

  it("captures both sides by itself", async () => {
    const { service, page } = await start(browser(), {
      scenario: { steps: [{ name: "document" }] },
      html: '<idem-document session="session-token"></idem-document>',
    });
    await press(page, "I agree, continue");
    await heading(page, "Front of the document");
    await press(page, "Open the camera");
    await button(page, "Use this image").waitFor(slow);
    await shoot(page, "document-preview");
    await press(page, "Use this image");
    await heading(page, "Back of the document");
    await press(page, "Open the camera");
    await press(page, "Use this image");
    await heading(page, "All done");
    expect(service.judged.map(({ step, side, source }) => [step, side, source])).toEqual([
      ["document", "front", "camera"],
      ["document", "back", "camera"],
    ]);
    expect((await sharp(service.judged[0]!.bytes).metadata()).format).toBe("jpeg");
  });
});

describe("with a camera that shows no colour", () => {
  const browser = openBrowser(cameraFlags("grey"));

  it("refuses it as infrared, and offers other ways", async () => {
    const { page } = await start(browser(), {});
    await press(page, "I agree, continue");
    await press(page, "Open the camera");
    await page.getByText("That camera is an infrared one").first().waitFor(slow);
    expect(await events(page)).toContain('error {"code":"camera_grey"}');
    expect(await liveTracks(page)).toBe(0);
    await button(page, "Another way").waitFor(slow);
  });
});

describe("without a camera", () => {
  const browser = openBrowser();
  const photograph = (): Promise<Buffer> =>
    sharp({ create: { width: 900, height: 700, channels: 3, background: "#887766" } })
      .jpeg()
      .toBuffer();

  it("says so, and takes a file, all by keyboard", async () => {
    const { service, page } = await start(browser(), {});
    const focused = (): Promise<string> =>
      page.evaluate("document.activeElement?.shadowRoot?.activeElement?.textContent ?? ''");
    const tabTo = async (name: string): Promise<void> => {
      for (let i = 0; i < 12 && (await focused()) !== name; i++) await page.keyboard.press("Tab");
      expect(await focused()).toBe(name);
      await page.keyboard.press("Enter");
    };
    await heading(page, "Before you begin");
    await tabTo("I agree, continue");
    await heading(page, "Take a photo of your face");
    expect(await focused()).toBe("Take a photo of your face");
    await tabTo("Open the camera");
    await heading(page, "There is a problem");
    expect(await page.getByRole("alert").textContent()).toContain("camera");
    expect((await events(page)).join("\n")).toMatch(/permission \{"state":"(unavailable|denied)"\}/);
    await shoot(page, "problem-no-camera");
    await tabTo("Another way");
    await heading(page, "Another way to continue");
    const buffer = await photograph();
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "face.jpg", mimeType: "image/jpeg", buffer });
    await heading(page, "Is the image clear?");
    await tabTo("Use this image");
    await heading(page, "All done");
    expect(service.judged[0]).toMatchObject({ source: "upload", isSigned: true });
  });

  it("shows how many images are checked before one that waits", async () => {
    const { page } = await start(browser(), { scenario: { ahead: [3, 1] } });
    await page.clock.install();
    await press(page, "I agree, continue");
    await press(page, "Another way");
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "face.jpg", mimeType: "image/jpeg", buffer: await photograph() });
    await press(page, "Use this image");
    const spoken = page.getByRole("status");
    await expect.poll(() => spoken.textContent(), slow).toBe("Your image is being checked");
    await page.clock.fastForward(askPlaceMs);
    await expect.poll(() => spoken.textContent(), slow).toBe("Images that are checked before yours: 3");
    await shoot(page, "waiting");
    await page.clock.fastForward(askPlaceMs);
    await heading(page, "All done");
  });

  it("refuses a file that is no image or no good one, and takes another one at once", async () => {
    const { page, service } = await start(browser(), { scenario: { guidance: [["closer"]] } });
    const choose = (buffer: Buffer) =>
      page.locator("input[type=file]").setInputFiles({ name: "face.jpg", mimeType: "image/jpeg", buffer });
    const buffer = await photograph();
    await press(page, "I agree, continue");
    await press(page, "Another way");
    await choose(Buffer.from("no image"));
    await page.getByText("The file is no JPEG or PNG image").first().waitFor(slow);
    await choose(buffer);
    await heading(page, "Is the image clear?");
    await choose(buffer);
    await press(page, "Use this image");
    await heading(page, "Let us try again");
    await page.getByText("Move closer").waitFor(slow);
    await shoot(page, "file-again");
    await choose(buffer);
    await press(page, "Use this image");
    await heading(page, "All done");
    expect(service.judged).toHaveLength(2);
    expect(await page.evaluate("window.asked")).toBe(0);
  });

  it("hands over to a telephone, and ends when that is done", async () => {
    const { service, page } = await start(browser(), {});
    await press(page, "I agree, continue");
    await press(page, "Another way");
    await press(page, "Use my phone");
    await page.getByText("4821").waitFor(slow);
    await page.getByRole("img", { name: "QR code to open on your phone" }).waitFor(slow);
    service.finishOnPhone();
    await heading(page, "All done");
  });

  it("shows the same code after a change of language, and goes on here after a reload", async () => {
    const { page } = await start(browser(), {});
    await press(page, "I agree, continue");
    await press(page, "Another way");
    await press(page, "Use my phone");
    await page.getByText("4821").waitFor(slow);
    await page.evaluate("document.querySelector('idem-face').setAttribute('language', 'es')");
    await heading(page, "Continúe en su teléfono");
    await page.getByText("4821").waitFor(slow);
    await page.reload();
    await heading(page, "There is a problem");
    await press(page, "Continue here");
    await heading(page, "Take a photo of your face");
  });

  it("leaves a computer the telephone alone where the integrator forces it", async () => {
    const html = '<idem-face session="session-token" handoff="force" upload="never"></idem-face>';
    const { page } = await start(browser(), { html });
    await press(page, "I agree, continue");
    await button(page, "Use my phone").waitFor(slow);
    await shoot(page, "forced-phone");
    await press(page, "Another way");
    await button(page, "Use my phone").waitFor(slow);
    expect(await button(page, "Open the camera").count()).toBe(0);
    expect(await page.locator("input[type=file]").count()).toBe(0);
    await press(page, "Use my phone");
    await page.getByText("4821").waitFor(slow);
    expect(await page.evaluate("window.asked")).toBe(0);
  });

  it("offers a file where the integrator wants it, never for turns of the head; a reload after that ends the page", async () => {
    const html = '<idem-flow session="session-token" upload="always"></idem-flow>';
    const steps = [{ name: "document", sides: 1 }, { name: "face" }] as const;
    const returnUrl = "https://bank.example/done";
    const scenario = { steps, level: "active-turn", returnUrl } as const;
    const { page, service } = await start(browser(), { html, scenario });
    await press(page, "I agree, continue");
    await heading(page, "Front of the document");
    const buffer = await photograph();
    await page.locator("input[type=file]").setInputFiles({ name: "id.jpg", mimeType: "image/jpeg", buffer });
    await press(page, "Use this image");
    await heading(page, "Take a photo of your face");
    await page.getByText("Then move your head as the arrow shows").waitFor(slow);
    expect(service.judged[0]).toMatchObject({ step: "document", source: "upload" });
    expect(await page.locator("input[type=file]").count()).toBe(0);
    await press(page, "Another way");
    await button(page, "Use my phone").waitFor(slow);
    expect(await page.locator("input[type=file]").count()).toBe(0);
    // A reload loses the key of the page, and the accepted document is bound to it.
    await page.reload();
    await page.getByText("The capture can only go on in the window where it began").first().waitFor(slow);
    expect(await page.getByRole("button").count()).toBe(0);
    await page.getByRole("link", { name: "Return to bank.example" }).waitFor(slow);
    await shoot(page, "bound");
    expect(await events(page)).toContain('error {"code":"capture_bound"}');
  });

  it("announces the end of the session, then shows it", async () => {
    const { page } = await start(browser(), { scenario: { endsInMs: 8_000 } });
    const notice = page.getByText("The session ends in less than a minute").first();
    await notice.waitFor(slow);
    await shoot(page, "session-ends");
    const [line, element] = [await notice.boundingBox(), await page.locator("idem-face").boundingBox()];
    expect((line?.y ?? 0) - (element?.y ?? 0)).toBeGreaterThanOrEqual(16);
    const end = page.getByText("The session has ended").first();
    await end.waitFor(slow);
    expect(await notice.isVisible()).toBe(false);
    // A page that opens after the end shows it once, and moves no focus.
    await page.reload();
    await end.waitFor(slow);
    await page.waitForTimeout(300);
    expect(await page.evaluate("document.activeElement === document.body")).toBe(true);
  });

  it("takes no image without consent, and leaves when cancelled", async () => {
    const { service, page } = await start(browser(), {});
    await press(page, "I do not agree");
    await page.getByText("Without your agreement no image is taken").first().waitFor(slow);
    await press(page, "Go back");
    await press(page, "I agree, continue");
    await press(page, "Cancel");
    await heading(page, "Capture cancelled");
    await expect.poll(() => service.paths.at(-1)).toBe("POST /capture/v1/page/cancel");
    expect(await page.evaluate("window.asked")).toBe(0);
  });

  it("says that a page is not secure", async () => {
    const { page } = await start(browser(), { host: "insecure.test" });
    await page.getByText("on secure pages (https) only").first().waitFor(slow);
    expect(await events(page)).toContain('error {"code":"camera_insecure"}');
  });

  it("says that a link is no longer valid", async () => {
    const { page } = await start(browser(), { html: '<idem-face session="of-yesterday"></idem-face>' });
    await page.getByText("The link is no longer valid").first().waitFor(slow);
    expect(await events(page)).toContain('error {"code":"unauthorized"}');
  });

  it("offers the browser in an app's own window", async () => {
    const context = { userAgent: "Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Mobile/15E148 Instagram 350.0" };
    const { page } = await start(browser(), { context });
    await press(page, "I agree, continue");
    await page.getByText("This page is open inside another app").waitFor(slow);
  });
});
