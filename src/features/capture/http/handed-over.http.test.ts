import { afterEach, beforeEach, expect, it } from "vitest";
import { type CaptureHarness, openCaptureHarness, openPageOf } from "#support/capture/harness";
import { hashOf } from "#support/imaging/hash-of";

const own = "https://idem.example";
const document = { steps: ["document"], document: { type: "ID_CARD", country: "CHL" } };

const judgeDocument = () =>
  Promise.resolve({
    result: "pass" as const,
    guidance: [],
    measurements: null,
    models: {},
    policyVersion: "test",
  });

let harness: CaptureHarness;
beforeEach(async () => {
  const judgeFace = () => Promise.reject(new Error("This session takes no face"));
  harness = await openCaptureHarness({ judgeFace, judgeDocumentOf: () => judgeDocument });
});
afterEach(() => harness.close());

type Desktop = Awaited<ReturnType<typeof openPageOf>>;

const newKey = async () => (await openPageOf(harness)).pageKey.publicKey;

/** A telephone that the desktop asked for, and whose person has confirmed. */
const handOver = async ({ token }: Desktop) => {
  const offered = await harness.byPage(token, "POST", "/handoff", {});
  const phone: string = offered.body.url.split("#")[1];
  const pageKey = await newKey();
  await harness.byPage(phone, "POST", "/open", { pageKey }, own);
  const confirmed = await harness.byPage(phone, "POST", "/handoff/confirm", {}, own);
  expect(confirmed.status).toBe(200);
  const call = (path: string, body: unknown) => harness.byPage(phone, "POST", path, body, own);
  return async (side: "front" | "back") => {
    const bytes = Buffer.from(side);
    const sha256 = hashOf(bytes);
    const announced = { step: "document", side, bytes: bytes.length, sha256, source: "camera" };
    const path = `/uploads/${(await call("/uploads", announced)).body.uploadId}`;
    await call(`${path}/pieces`, { offset: 0, data: bytes.toString("base64") });
    return (await call(`${path}/finish`, {})).body;
  };
};

/** A reload: the page has lost its key and opens the session with another. */
const reload = async ({ token }: Desktop, takeOver: boolean) =>
  harness.byPage(token, "POST", "/open", { pageKey: await newKey(), takeOver });

it("refuses a desktop that reloads after its telephone captured a side, while the telephone goes on", async () => {
  const desktop = await openPageOf(harness, document);
  await desktop.consent();
  const capture = await handOver(desktop);
  const free = await reload(desktop, false);
  expect(free).toMatchObject({ status: 409, body: { failure: "capture_open_elsewhere" } });
  expect(await capture("front")).toMatchObject({ result: "accepted", page: { state: "OPEN" } });
  for (const takeOver of [false, true]) {
    const bound = await reload(desktop, takeOver);
    expect(bound).toMatchObject({ status: 409, body: { failure: "capture_bound" } });
  }
  expect(await capture("back")).toMatchObject({ result: "accepted", page: { state: "COMPLETED" } });
});

it("binds the telephone that a page hands over to after a side is accepted, and no page in its place", async () => {
  const desktop = await openPageOf(harness, document);
  await desktop.consent();
  await desktop.upload("document", Buffer.from("front"), "front");
  const capture = await handOver(desktop);
  expect(await reload(desktop, true)).toMatchObject({ body: { failure: "capture_bound" } });
  const former = await desktop.upload("document", Buffer.from("back"), "back");
  expect(former.body.failure).toBe("capture_open_elsewhere");
  expect(await capture("back")).toMatchObject({ result: "accepted", page: { state: "COMPLETED" } });
});
