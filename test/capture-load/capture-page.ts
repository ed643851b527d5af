import { setTimeout as pause } from "node:timers/promises";
import { Compile } from "typebox/compile";
import { pieceBytesMax } from "#contract/capture";
import { challengeRoute } from "#contract/capture-page.routes";
import { makePageKey } from "#support/face/challenge/captures";
import { hashOf } from "#support/imaging/hash-of";
import { captureMs, captureOf, type TurningHead } from "./turning-heads.ts";

export type Answer = { readonly status: number; readonly body: Record<string, unknown> };

const challenges = Compile(challengeRoute.response);

/** Where a service answers now: its address changes with a restart. */
export type Place = { url: string; readonly apiKey: string };

const origin = "https://bank.example";

/**
 * As the page of a browser (widget/session/upload.ts): a busy service, a judgement of a process that died,
 * and a service that is gone.
 */
const isLater = ({ status, body }: Answer): boolean =>
  [0, 429].includes(status) || status >= 500 || body["failure"] === "capture_judging";

const pauseMs = 500;
const triesMax = 400;

const send = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  fields?: object,
): Promise<Answer> => {
  try {
    const answer = await fetch(url, {
      method: fields === undefined ? "GET" : "POST",
      headers: { ...headers, ...(fields && { "content-type": "application/json" }) },
      ...(fields && { body: JSON.stringify(fields) }),
    });
    return { status: answer.status, body: await answer.json() };
  } catch (error) {
    return { status: 0, body: { error: error instanceof Error ? error.message : String(error) } };
  }
};

/** Sends a call until the service answers it. Throws for a refusal, with its body. */
const insist = async (
  place: Place,
  path: string,
  headers: Readonly<Record<string, string>>,
  fields?: object,
): Promise<Answer["body"]> => {
  for (let n = 0; n < triesMax; n++) {
    const answer = await send(`${place.url}${path}`, headers, fields);
    if (answer.status === 200) return answer.body;
    if (!isLater(answer)) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    await pause(pauseMs);
  }
  throw new Error(`${path}: no answer after ${triesMax} tries`);
};

/** What a page does between its calls: a person reads, and rotations the head. */
export type Tempo = { readonly think: () => Promise<void> };

/**
 * The session of a person from its creation to its last answer. `finishMs` is the time of the judgement as
 * the page sees it.
 */
export type CapturedSession = {
  readonly sessionId: string;
  readonly result: string;
  readonly finishMs: number;
};

/** Captures a face with a challenge, as the page of a browser does. */
export const captureFace = async (
  place: Place,
  head: TurningHead,
  { think }: Tempo,
): Promise<CapturedSession> => {
  const integrator = { "x-api-key": place.apiKey, "idempotency-key": crypto.randomUUID() };
  const asked = { steps: ["face"], level: "active-turn", origin };
  const created = await insist(place, "/capture/v1/sessions", integrator, asked);
  const headers = { authorization: `Bearer ${String(created["token"])}`, origin };
  const call = (path: string, fields: object) => insist(place, `/capture/v1/page${path}`, headers, fields);
  const key = await makePageKey();
  await call("/open", { pageKey: key.publicKey });
  await think();
  await call("/consent", { version: "idem-1", accepted: true });
  const { id, steps } = challenges.Parse(await call("/challenge", {}));
  await Promise.all([think(), pause(captureMs)]);
  const rotations = steps.map(({ turn }) => turn);
  const bytes = await captureOf(head, id, rotations, key);
  const sha256 = hashOf(bytes);
  const announced = { step: "face", bytes: bytes.length, sha256, source: "camera" };
  const uploadId = String((await call("/uploads", announced))["uploadId"]);
  for (let offset = 0; offset < bytes.length; offset += pieceBytesMax) {
    const data = Buffer.from(bytes.subarray(offset, offset + pieceBytesMax)).toString("base64");
    await call(`/uploads/${uploadId}/pieces`, { offset, data });
  }
  const started = performance.now();
  const { result } = await call(`/uploads/${uploadId}/finish`, {});
  const finishMs = performance.now() - started;
  return { sessionId: String(created["sessionId"]), result: String(result), finishMs };
};
