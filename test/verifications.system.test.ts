import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { exampleImages } from "#contract/examples/images";
import { writeContainer } from "#judging/face/challenge/write-container";
import { makePageKey } from "#support/face/challenge/captures";
import { hashOf } from "#support/imaging/hash-of";
import { makeHarness } from "./harness/service.ts";
import { countRows } from "./harness/store-rows.ts";
import { openTenant, type Tenant } from "./harness/tenant.ts";

const { passport, contradictoryPassport, portrait, selfie, laterSelfie } = exampleImages;
const document = { country: "CHL", type: "PASSPORT" };
const path = "/verify/v1/verifications";
const whole = { flow: "document_and_selfie", document, selfie, documentFront: passport };
/**
 * What the tests call: a tenant of the service of all tests, and a service of its own for a test that kills
 * it.
 */
let service: Pick<Tenant, "url" | "apiKey">;
let tenant: Tenant;
beforeAll(async () => {
  tenant = await openTenant();
  service = tenant;
});

const call = async (
  method: "GET" | "POST",
  to: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = { "x-api-key": service.apiKey },
) => {
  const answer = await fetch(service.url + to, {
    method,
    headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, text, body: JSON.parse(text) };
};

const create = async (request: unknown) => {
  const { status, body } = await call("POST", path, request);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

/** The verification, once its next step is none of these. */
const settled = async (id: string, ...while_: readonly string[]) => {
  for (;;) {
    const { status, body } = await call("GET", `${path}/${id}`);
    expect(status, JSON.stringify(body)).toBe(200);
    if (!["wait", ...while_].includes(body.nextStep)) return body;
    await sleep(100);
  }
};

const verify = async (request: unknown) => await settled((await create(request)).verificationId);

const eventsOf = async (operationId: string): Promise<readonly string[]> => {
  const { body } = await call("GET", `/operator/operations/${operationId}`);
  return body.events.map(({ name }: { readonly name: string }) => name);
};

/** Rows of the tenant in a table. */
const countIn = (table: string, which = "true"): number =>
  countRows(tenant.directory, `select count(*) n from ${table} where tenant_id = ? and ${which}`, tenant.id);

it("approves a person by document and selfie, with the events of the three calls in its operation", async () => {
  const done = await verify({ ...whole, customerId: "customer-4711" });
  expect(done).toMatchObject({
    flow: "document_and_selfie",
    state: "COMPLETED",
    decision: "approved",
    reasons: [],
    nextStep: "none",
    customerId: "customer-4711",
    identity: { outcome: "approved", comparison: { result: "Positive" }, liveness: { result: "Live" } },
    document: { code: 9001, status: "Approved", person: { dateOfBirth: "1990-03-14" } },
  });
  // The document is read beside the face: id_validated comes before or after the events of the face.
  expect((await eventsOf(done.operationId)).toSorted()).toEqual([
    "facial_authentication_evaluated",
    "id_captured",
    "id_validated",
    "operation_started",
    "passive_liveness_evaluated",
    "selfie_captured",
  ]);
  const data = await call("POST", "/verify/documentValidation/v2/data", {
    scanReference: done.document.scanReference,
  });
  expect(data.body.verification).toMatchObject({
    code: 9001,
    merchantScanReference: "customer-4711",
    person: done.document.person,
    portraitEvidence: done.document.portraitEvidence,
  });
  expect(done.document.portraitEvidence).toBe("print-consistent");
  expect(countIn("blobs", "kind = 'verification'")).toBe(0);
});

it("answers an age without the birth date, also in its events", async () => {
  const asked = { flow: "age_over", document, documentFront: passport };
  const adult = await verify({ ...asked, age: 18 });
  expect(adult).toMatchObject({
    decision: "approved",
    age: { over: 18, answer: "yes", evidence: { birth: "date", isApproved: true } },
  });
  expect(Object.keys(adult.document).toSorted()).toEqual(["code", "reason", "reasonCode", "status"]);
  expect(JSON.stringify(adult)).not.toContain("1990");
  expect(await eventsOf(adult.operationId)).toEqual(["operation_started"]);
  expect(await verify({ ...asked, age: 90 })).toMatchObject({
    decision: "rejected",
    reasons: ["under_age"],
    age: { answer: "no" },
  });
});

it("waits for a reviewer, and ends with the reviewer's decision", async () => {
  const { verificationId } = await create({ ...whole, documentFront: contradictoryPassport });
  const waiting = await settled(verificationId);
  expect(waiting).toMatchObject({ state: "IN_REVIEW", decision: null, nextStep: "wait_for_review" });
  const review = `/operator/reviews/${waiting.document.scanReference}`;
  expect((await call("POST", `${review}/claim`, {})).status).toBe(200);
  expect((await call("POST", `${review}/decide`, { decision: "APPROVE" })).status).toBe(200);
  const done = await settled(verificationId, "wait_for_review");
  expect(done).toMatchObject({ state: "COMPLETED", decision: "approved", document: { code: 9001 } });
});

it("verifies a selfie of a registered user, and enrols no one", async () => {
  const userId = "user-4711";
  const asked = { flow: "selfie_of_user", userId, selfie: laterSelfie };
  expect((await call("POST", path, asked)).body).toMatchObject({ status: 409, failure: "user_unknown" });
  const enrolment = { userId, image: portrait, bestImageToken: selfie, merchantReferenceId: "enrol" };
  const enrolled = await call("POST", "/services/authenticateUser", enrolment);
  expect(enrolled.body.serviceResultCode).toBe(0);
  const done = await verify(asked);
  expect(done).toMatchObject({ decision: "approved", identity: { comparison: { result: "Positive" } } });
  expect(done.document).toBeUndefined();
  // Without a face in the image.
  expect(await verify({ ...asked, selfie: contradictoryPassport })).toMatchObject({ state: "COMPLETED" });
  const level = await call("POST", path, { ...asked, level: "active-turn" });
  expect(level.body).toMatchObject({ status: 409, failure: "liveness_level_too_low" });
});

it("refuses images that are none with the field's name, and stores nothing", async () => {
  const before = countIn("verifications");
  const none = Buffer.from("no image at all").toString("base64");
  expect((await call("POST", path, { ...whole, documentFront: none })).body).toMatchObject({
    failure: "image_unsupported",
    facts: { field: "documentFront" },
  });
  expect((await call("POST", path, { ...whole, selfie: none })).body).toMatchObject({
    failure: "token_unreadable",
    facts: { field: "selfie" },
  });
  expect(countIn("verifications")).toBe(before);
});

it("approves no token of a capture session that rests on one image, whatever way it comes", async () => {
  const { body: session } = await call("POST", "/capture/v1/sessions", {
    steps: ["document", "face"],
    document,
  });
  await capture(session.token);
  const { body: captured } = await call("GET", `/capture/v1/sessions/${session.sessionId}`);
  const sent = { ...whole, selfie: captured.results.bestImageToken };
  expect(await verify({ ...sent, operationId: captured.operationId })).toMatchObject({
    decision: "review",
    reasons: ["one_image_liveness"],
    nextStep: "review_selfie",
    identity: { liveness: { level: "advisory" } },
  });
});

/** Captures what the page of a session asks for, as a page does. */
const capture = async (token: string): Promise<void> => {
  const page = (method: "GET" | "POST", to: string, body?: unknown) =>
    call(method, `/capture/v1/page${to}`, body, { authorization: `Bearer ${token}`, origin: service.url });
  const key = await makePageKey();
  const { body: opened } = await page("POST", "/open", { pageKey: key.publicKey });
  await page("POST", "/consent", { version: opened.consent.version, accepted: true });
  const upload = async (step: string, bytes: Uint8Array, side?: string): Promise<void> => {
    const sha256 = hashOf(bytes);
    const announced = { step, bytes: bytes.length, sha256, source: "camera", ...(side && { side }) };
    const { body: begun } = await page("POST", "/uploads", announced);
    const data = Buffer.from(bytes).toString("base64");
    await page("POST", `/uploads/${begun.uploadId}/pieces`, { offset: 0, data });
    const { body } = await page("POST", `/uploads/${begun.uploadId}/finish`, {});
    expect(body).toMatchObject({ result: "accepted" });
  };
  await upload("document", Buffer.from(passport, "base64"), "front");
  const frame = { step: -1, index: 0, capturedMs: 0, jpeg: Buffer.from(selfie, "base64") };
  await upload("face", await writeContainer({ challenge: "", key, frames: [frame] }));
};

it("opens a capture session, and ends when its person has captured", async () => {
  const asked = { flow: "document_and_selfie", document, capture: {} };
  const created = await create(asked);
  expect(created).toMatchObject({ state: "AWAITING_CAPTURE", nextStep: "open_capture" });
  expect(created.capture.url).toBe(
    `${service.url}/capture/${created.capture.sessionId}#${created.capture.token}`,
  );
  await capture(created.capture.token);
  const done = await settled(created.verificationId, "open_capture");
  // The session could have asked for a challenge, and its selfie is one image.
  expect(done).toMatchObject({
    state: "COMPLETED",
    decision: "review",
    reasons: ["one_image_liveness"],
    nextStep: "review_selfie",
    capture: { state: "COMPLETED" },
    identity: { outcome: "approved", liveness: { result: "Live", level: "advisory" } },
    document: { code: 9001 },
  });
  expect(done.capture.token).toBeUndefined();

  const { sessionId } = done.capture;
  const again = await verify({ flow: "document", document, captureSessionId: sessionId });
  expect(again).toMatchObject({ decision: "approved", operationId: done.operationId });
  const used = await verify({ flow: "document_and_selfie", document, captureSessionId: sessionId });
  expect(used).toMatchObject({ decision: "retry", reasons: ["selfie_used"], nextStep: "try_again_selfie" });

  const cancelled = await create(asked);
  await call("POST", `/capture/v1/sessions/${cancelled.capture.sessionId}/cancel`, {});
  expect(await settled(cancelled.verificationId, "open_capture")).toMatchObject({
    state: "FAILED",
    decision: "error",
    reasons: ["capture_cancelled"],
    nextStep: "try_again",
  });
  const refused = { flow: "document", document, captureSessionId: cancelled.capture.sessionId };
  expect((await call("POST", path, refused)).body).toMatchObject({ failure: "capture_ended" });
});

it("goes on after a SIGKILL, judges each step once, and takes a capture whose token is too old by then", async () => {
  const harness = await makeHarness();
  onTestFinished(harness.clear);
  const accepting = { IDEM_LEASE_MS: "2000", IDEM_ONE_IMAGE_LIVENESS: "accepted" };
  const first = await harness.start(accepting);
  service = first;
  const asked = await create({ flow: "document_and_selfie", document, capture: {} });
  await capture(asked.capture.token);
  const { verificationId, operationId } = await create(whole);
  await sleep(400);
  first.kill("SIGKILL");
  await first.ended;
  service = await harness.start({ ...accepting, IDEM_TOKEN_AGE_SECONDS: "2" });

  const done = await settled(verificationId);
  expect(done).toMatchObject({ state: "COMPLETED", decision: "approved" });
  expect(await eventsOf(operationId)).toHaveLength(6);
  const captured = await settled(asked.verificationId, "open_capture");
  expect(captured).toMatchObject({ state: "COMPLETED", decision: "approved" });
  const since = `at >= ${Date.parse(asked.createdAt)}`;
  const count = (table: string, which: string): number =>
    countRows(harness.directory, `select count(*) n from ${table} where ${which} and ${since}`);
  for (const endpoint of ["createVerification", "startDocumentValidation", "identity", "verification"])
    expect(count("transactions", `endpoint = '${endpoint}'`), endpoint).toBe(2);
  expect(count("evidence", "kind = 'verification_decided'")).toBe(2);

  const { sessionId } = captured.capture;
  const late = await call("POST", path, {
    flow: "document_and_selfie",
    document,
    captureSessionId: sessionId,
  });
  expect(late.body).toMatchObject({ failure: "token_expired", facts: { field: "captureSessionId" } });
  expect(await verify({ flow: "document", document, captureSessionId: sessionId })).toMatchObject({
    decision: "approved",
  });
});
