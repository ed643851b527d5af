import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeSessionToken } from "#contract/session-token";
import { makeJudgeCapture } from "#judging/face/challenge/judge-capture";
import { defaultChallengePolicy } from "#judging/face/challenge/policy";
import { defaultFacePolicy } from "#judging/face/policy";
import {
  bankOrigin,
  type CaptureHarness,
  jpeg,
  openCaptureHarness,
  openPageOf,
} from "#support/capture/harness";
import { tokenLimits } from "#support/tokens/open-tokens";
import { makeOpenToken } from "#trust/tokens/open";

/** An engine that finds no face: the reading of containers, signatures and order is the real one. */
const judgeFace = makeJudgeCapture({
  measure: () =>
    Promise.resolve({ best: { kind: "unreadable", code: "image_unreadable" }, steps: [], models: {} }),
  policies: { challenge: defaultChallengePolicy, liveness: defaultFacePolicy.liveness, version: "face-test" },
});

/** Accepts what begins with `good`, and answers a guidance to anything else. */
const judgeDocument = (image: Uint8Array) => {
  const isGood = Buffer.from(image).toString().startsWith("good");
  return Promise.resolve({
    result: isGood ? ("pass" as const) : ("again" as const),
    guidance: isGood ? [] : (["glare"] as const),
    measurements: null,
    models: {},
    policyVersion: "test",
  });
};

let harness: CaptureHarness;
beforeEach(async () => {
  harness = await openCaptureHarness({ judgeFace, judgeDocumentOf: () => judgeDocument });
});
afterEach(() => harness.close());

const document = { steps: ["document"], document: { type: "ID_CARD", country: "CHL" } };

describe("a capture session", () => {
  it("takes both sides of a document, and gives tokens that its tenant alone opens", async () => {
    const page = await openPageOf(harness, document);
    await page.consent();
    const front = await page.upload("document", Buffer.from(`good ${"front".repeat(100_000)}`), "front");
    expect(front.body).toMatchObject({
      result: "accepted",
      page: { state: "OPEN", steps: [{ side: "back" }] },
    });
    const back = await page.upload("document", Buffer.from("good back"), "back");
    expect(back.body).toMatchObject({ result: "accepted", page: { state: "COMPLETED" } });
    const shown = await harness.byKey("GET", `/capture/v1/sessions/${page.sessionId}`);
    const { results, operationId } = shown.body;
    expect(operationId).toBe(page.operationId);
    const openToken = await makeOpenToken({ current: harness.tokenKey }, tokenLimits);
    const reader = (tenantId: string) => ({
      caller: { tenantId, environment: "test" as const },
      receivedAt: new Date(),
    });
    const token = Buffer.from(results.documentBack, "base64");
    const opened = await openToken(token, "document-image", reader(harness.tenantId));
    expect(Buffer.from(opened.payload).toString()).toBe("good back");
    expect(opened.attestation).toMatchObject({ sessionId: page.sessionId, source: "camera" });
    const failure = { code: "token_unreadable" };
    await expect(openToken(token, "document-image", reader(randomUUID()))).rejects.toMatchObject(failure);
    const changed = Buffer.from(token);
    changed[changed.length - 40] = (changed[changed.length - 40] ?? 0) ^ 1;
    await expect(openToken(changed, "document-image", reader(harness.tenantId))).rejects.toMatchObject(
      failure,
    );
    expect(
      (await openToken(Buffer.from(results.tokenOcr, "base64"), "ocr", reader(harness.tenantId))).kind,
    ).toBe("ocr");
  });

  it("answers a repeated finish with the same answer, also after its end", async () => {
    const page = await openPageOf(harness, { ...document, document: { type: "PASSPORT" } });
    await page.consent();
    const first = await page.upload("document", Buffer.from("good page"), "front");
    expect(first.body.page.state).toBe("COMPLETED");
    const { content } = await readContent(harness, page.sessionId);
    const again = await harness.byPage(page.token, "POST", `/uploads/${content}/finish`, {});
    expect(again.body).toEqual(first.body);
  });

  it("fails a step after three refused images", async () => {
    const page = await openPageOf(harness, document);
    await page.consent();
    const answers = [];
    for (const name of ["one", "two", "three"]) {
      const { body } = await page.upload("document", Buffer.from(name), "front");
      answers.push([body.result, body.triesLeft, body.guidance]);
    }
    expect(answers).toEqual([
      ["again", 2, ["glare"]],
      ["again", 1, ["glare"]],
      ["failed", 0, ["glare"]],
    ]);
    const later = await page.upload("document", Buffer.from("good"), "front");
    expect(later).toMatchObject({
      status: 409,
      body: { failure: "capture_ended", facts: { state: "FAILED" } },
    });
  });

  it("takes no image before the consent, and no consent of another version", async () => {
    const page = await openPageOf(harness, document);
    const early = await page.upload("document", Buffer.from("good"), "front");
    expect(early.body.failure).toBe("capture_consent_missing");
    const other = await harness.byPage(page.token, "POST", "/consent", { version: "old", accepted: true });
    expect(other.body).toMatchObject({ failure: "capture_consent_outdated", facts: { version: "idem-1" } });
  });

  it("answers an upload of another session as one that there is not", async () => {
    const [page, other] = [await openPageOf(harness, document), await openPageOf(harness, document)];
    await page.consent();
    await other.consent();
    const announced = { step: "document", side: "front", bytes: 9, sha256: "0".repeat(64), source: "camera" };
    const { uploadId } = (await harness.byPage(page.token, "POST", "/uploads", announced)).body;
    for (const [method, action, body] of [
      ["GET", "", undefined],
      ["POST", "/finish", {}],
    ] as const) {
      const of = (id: string) => harness.byPage(other.token, method, `/uploads/${id}${action}`, body);
      const [foreign, none] = [await of(uploadId), await of(randomUUID())];
      expect([foreign.status, foreign.text]).toEqual([404, none.text]);
    }
  });

  it("goes on with an upload where a lost connection left it", async () => {
    const page = await openPageOf(harness, document);
    await page.consent();
    const announced = { step: "document", side: "front", bytes: 9, sha256: "0".repeat(64), source: "camera" };
    const begun = await harness.byPage(page.token, "POST", "/uploads", announced);
    const pieces = `/uploads/${begun.body.uploadId}/pieces`;
    const data = Buffer.from("good ").toString("base64");
    expect((await harness.byPage(page.token, "POST", pieces, { offset: 0, data })).body).toEqual({
      offset: 5,
    });
    expect((await harness.byPage(page.token, "POST", pieces, { offset: 0, data })).body).toEqual({
      offset: 5,
    });
    expect((await harness.byPage(page.token, "POST", "/uploads", announced)).body).toEqual({
      uploadId: begun.body.uploadId,
      offset: 5,
    });
    const gap = await harness.byPage(page.token, "POST", pieces, { offset: 7, data });
    expect(gap.body).toMatchObject({ failure: "capture_piece_refused", facts: { offset: 5 } });
    const finish = `/uploads/${begun.body.uploadId}/finish`;
    expect((await harness.byPage(page.token, "POST", finish, {})).body.failure).toBe(
      "capture_upload_incomplete",
    );
    const rest = Buffer.from("side").toString("base64");
    await harness.byPage(page.token, "POST", pieces, { offset: 5, data: rest });
    expect((await harness.byPage(page.token, "POST", finish, {})).body.failure).toBe(
      "capture_upload_damaged",
    );
  });

  it("refuses what is no container of version 2, without using up a try", async () => {
    const page = await openPageOf(harness);
    await page.consent();
    const good = await page.container();
    const old = Uint8Array.from(good);
    old[4] = 1;
    const many = Uint8Array.from(good);
    many[5] = 41;
    for (const [bytes, reason] of [
      [old, "version"],
      [many, "count"],
      [await page.container(Buffer.from("no image")), "frame"],
    ] as const) {
      const { body } = await page.upload("face", bytes);
      expect(body).toMatchObject({ failure: "capture_container_unreadable", facts: { reason } });
    }
    const judged = await page.upload("face", good);
    expect(judged.body).toMatchObject({ result: "again", guidance: ["no_face"], triesLeft: 2 });
  });

  it("pauses a person after five containers that another page signed", async () => {
    const customer = { customerId: "customer-4711" };
    for (let tries = 0; tries < 5; ) {
      const [page, other] = [await openPageOf(harness, customer), await openPageOf(harness)];
      await page.consent();
      for (let at = 0; at < 3 && tries < 5; at++, tries++) {
        const { body } = await page.upload("face", await other.container(jpeg(`${tries}`)));
        expect(body).toMatchObject({ guidance: [] });
      }
    }
    const asked = { steps: ["face"], origin: bankOrigin, ...customer };
    const refused = await harness.byKey("POST", "/capture/v1/sessions", asked);
    expect(refused).toMatchObject({ status: 429, body: { failure: "capture_paused" } });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(1_700);
    harness.clock.aheadMs = 1_801_000;
    expect((await harness.byKey("POST", "/capture/v1/sessions", asked)).status).toBe(200);
  });
});

/** The id of the only judged upload. */
const readContent = async ({ store, keyring, tenantId }: CaptureHarness, id: string) => {
  const row = await store.findCapture({ tenantId, environment: "test" }, id);
  if (row === undefined) throw new Error("There is no session");
  const context = { owner: `capture session ${id}`, environment: "test" } as const;
  const plain = await keyring.open(tenantId, "captures", row.sealed, context);
  const { uploads }: { readonly uploads: readonly { readonly id: string }[] } = JSON.parse(
    Buffer.from(plain).toString(),
  );
  return { content: uploads[0]?.id };
};

describe("a page", () => {
  it("is one page at a time; another, such as a reloaded one, takes over before a step is accepted, and none after", async () => {
    const page = await openPageOf(harness, document);
    const other = await openPageOf(harness, document);
    const key = { pageKey: other.pageKey.publicKey };
    const second = await harness.byPage(page.token, "POST", "/open", key);
    expect(second).toMatchObject({ status: 409, body: { failure: "capture_open_elsewhere" } });
    const taken = await harness.byPage(page.token, "POST", "/open", { ...key, takeOver: true });
    expect(taken.status).toBe(200);
    await page.consent();
    await page.upload("document", Buffer.from("good"), "front");
    for (const takeOver of [true, false]) {
      const back = { pageKey: page.pageKey.publicKey, takeOver };
      expect(await harness.byPage(page.token, "POST", "/open", back)).toMatchObject({
        status: 409,
        body: { failure: "capture_bound" },
      });
    }
    expect((await harness.byPage(page.token, "POST", "/open", key)).status).toBe(200);
  });

  it("hands over to a telephone, which captures after its person confirms", async () => {
    const page = await openPageOf(harness, document);
    await page.consent();
    const offered = await harness.byPage(page.token, "POST", "/handoff", {});
    const phone = offered.body.url.split("#")[1];
    const own = "https://idem.example";
    const phoneKey = { pageKey: (await openPageOf(harness)).pageKey.publicKey };
    const opened = await harness.byPage(phone, "POST", "/open", phoneKey, own);
    expect(opened.body.handoff).toEqual({ code: offered.body.code, state: "waiting" });
    await harness.byPage(phone, "POST", "/handoff/confirm", {}, own);
    const shown = await harness.byPage(page.token, "GET", "");
    expect(shown.body.handoff).toEqual({ code: offered.body.code, state: "confirmed" });
    const late = await page.upload("document", Buffer.from("good"), "front");
    expect(late.body.failure).toBe("capture_open_elsewhere");
    const foreign = await harness.byPage(phone, "GET", "");
    expect(foreign.body.failure).toBe("capture_origin_refused");
  });

  it("gets the same 401 for every token that opens nothing, and its origin may read it", async () => {
    const tokens = ["", "x", makeSessionToken((count) => new Uint8Array(count)), "idem_capture_short"];
    const answers = await Promise.all(tokens.map((token) => harness.byPage(token, "GET", "")));
    for (const { status, text, headers } of answers) {
      expect([status, text]).toEqual([401, '{"message":"Unauthorized"}']);
      expect(headers["www-authenticate"]).toBe('Bearer realm="idem"');
      expect(headers["access-control-allow-origin"]).toBe(bankOrigin);
      expect(headers["access-control-allow-credentials"]).toBeUndefined();
      expect(headers["access-control-expose-headers"]).toBe("date, retry-after, x-request-id");
      expect(Math.abs(Date.parse(String(headers["date"])) - Date.now())).toBeLessThan(60_000);
    }
  });

  it("is refused from another origin, and without one where it changes something", async () => {
    const page = await openPageOf(harness);
    const foreign = await harness.byPage(page.token, "GET", "", undefined, "https://evil.example");
    expect(foreign).toMatchObject({ status: 403, body: { failure: "capture_origin_refused" } });
    const { server } = harness.server.app;
    expect(server).toBeDefined();
    const bare = await harness.server.app.inject({
      method: "POST",
      url: "/capture/v1/page/cancel",
      headers: { authorization: `Bearer ${page.token}`, "content-type": "application/json" },
      payload: "{}",
    });
    expect(bare.statusCode).toBe(403);
  });

  it("has its preflight answered without credentials; the integrator's calls have none", async () => {
    const ask = (url: string) =>
      harness.server.app.inject({ method: "OPTIONS", url, headers: { origin: bankOrigin } });
    const page = await ask("/capture/v1/page/uploads/1/pieces");
    expect(page.headers["access-control-allow-methods"]).toBe("POST");
    expect(page.headers["access-control-allow-origin"]).toBe(bankOrigin);
    const backend = await ask("/capture/v1/sessions");
    expect(backend.headers["access-control-allow-origin"]).toBeUndefined();
  });

  it("gets capture_expired after the end of its session; accepted images are kept", async () => {
    const page = await openPageOf(harness, document);
    await page.consent();
    await page.upload("document", Buffer.from("good"), "front");
    harness.clock.aheadMs = 1_800_000;
    const late = await page.upload("document", Buffer.from("good"), "back");
    expect(late.body.failure).toBe("capture_expired");
    expect((await harness.byPage(page.token, "GET", "")).body.state).toBe("EXPIRED");
    const shown = await harness.byKey("GET", `/capture/v1/sessions/${page.sessionId}`);
    expect(shown.body.results.documentFront).toBeTypeOf("string");
  });
});

describe("an integrator", () => {
  it("gets the same answer for another tenant's session and for none", async () => {
    const page = await openPageOf(harness);
    const foreign = harness.makeKey({ tenantId: await harness.newTenant() });
    for (const [method, action, body] of [
      ["GET", "", undefined],
      ["POST", "/cancel", {}],
    ] as const) {
      const of = (id: string) => harness.byKey(method, `/capture/v1/sessions/${id}${action}`, body, foreign);
      const [other, none] = [await of(page.sessionId), await of(randomUUID())];
      expect([other.status, other.text]).toEqual([404, none.text]);
    }
    expect((await harness.byPage(page.token, "GET", "")).body.state).not.toBe("CANCELLED");
  });

  it("cancels a session once and for all", async () => {
    const page = await openPageOf(harness);
    const path = `/capture/v1/sessions/${page.sessionId}/cancel`;
    for (let times = 0; times < 2; times++) {
      expect((await harness.byKey("POST", path, {})).body.state).toBe("CANCELLED");
    }
    expect((await page.consent()).body.failure).toBe("capture_ended");
  });

  it.each([
    { origin: "http://bank.example" },
    { origin: "https://bank.example/path" },
    { origin: bankOrigin, returnUrl: "https://other.example/" },
    { returnUrl: "https://bank.example@evil.example/" },
    { returnUrl: "https://bank.example\\@evil.example/" },
    { origin: bankOrigin, returnUrl: "https://bank.example/\u202E" },
    { origin: bankOrigin, steps: ["face", "face"] },
    { origin: bankOrigin, steps: [] },
  ])("is refused a session with %o", async (wrong) => {
    const { body } = await harness.byKey("POST", "/capture/v1/sessions", { steps: ["face"], ...wrong });
    expect(body.failure).toBe("request_invalid");
  });
});
