import { setTimeout as sleep } from "node:timers/promises";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Client, makeClient } from "#cli/kit/service/client";
import { drawCases, toBase64 } from "./harness/images.ts";
import { type Harness, makeHarness } from "./harness/service.ts";
import { countRows } from "./harness/store-rows.ts";

const documents = 5;
const started = Compile(Type.Object({ scanReference: Type.String() }));
const answered = Compile(
  Type.Object({
    verification: Type.Object({
      code: Type.Integer(),
      reasonCode: Type.Union([Type.Integer(), Type.Null()]),
    }),
  }),
);
const listed = Compile(Type.Object({ reviews: Type.Array(Type.Object({ scanReference: Type.String() })) }));
let harness: Harness;

beforeAll(async () => {
  harness = await makeHarness();
});
afterAll(() => harness.clear());

const base = "/verify/documentValidation/v2";
const codeOf = async (client: Client, scanReference: string): Promise<number> => {
  const { body } = await client.post(`${base}/data`, { scanReference });
  return answered.Parse(body).verification.code;
};
const openReviews = async (client: Client): Promise<readonly string[]> => {
  const { body } = await client.get("/operator/reviews");
  return listed.Parse(body).reviews.map(({ scanReference }) => scanReference);
};

const startReviews = async (client: Client): Promise<readonly string[]> => {
  const doubtful = (await drawCases())["broken-check-digit"];
  const documentFrontRawImage = toBase64(doubtful?.document ?? new Uint8Array());
  const request = { country: "CHL", idType: "PASSPORT", documentFrontRawImage };
  const references: string[] = [];
  for (let n = 0; n < documents; n++) {
    const { body } = await client.post(`${base}/start`, request);
    references.push(started.Parse(body).scanReference);
  }
  while ((await openReviews(client)).length < documents) await sleep(60);
  return references;
};

it("a reviewer's decision is stored completely or not at all, even if the process is killed in between", async () => {
  const first = await harness.start({ IDEM_REQUEST_TIMEOUT_MS: "600000" });
  const client = makeClient(first.url, first.apiKey);
  const references = await startReviews(client);
  const acknowledged = new Set<string>();
  const { promise: enough, resolve } = Promise.withResolvers<void>();
  const review = async (scanReference: string): Promise<void> => {
    const path = `/operator/reviews/${scanReference}`;
    await client.post(`${path}/claim`, {});
    const { status } = await client.post(`${path}/decide`, { decision: "APPROVE" });
    if (status === 200) acknowledged.add(scanReference);
    if (acknowledged.size >= 3) resolve();
  };
  const reviews = references.map((reference, n) =>
    sleep(n * 25)
      .then(() => review(reference))
      .catch(() => undefined),
  );
  await enough;
  first.kill("SIGKILL");
  await first.ended;
  await Promise.all(reviews);

  const second = await harness.start();
  const again = makeClient(second.url, second.apiKey);
  const open = await openReviews(again);
  for (const reference of references) {
    const isOpen = open.includes(reference);
    expect(await codeOf(again, reference)).toBe(isOpen ? 9121 : 9001);
    if (acknowledged.has(reference)) expect(isOpen).toBe(false);
  }
  expect(await second.stop()).toBe(0);
  const decided = references.length - open.length;
  expect(countProof()).toEqual({ evidence: decided, transactions: decided });
});

/** Each decision wrote one entry of evidence and one transaction. */
const countProof = () => ({
  evidence: countRows(harness.directory, "select count(*) n from evidence where kind = 'review_decided'"),
  transactions: countRows(
    harness.directory,
    "select count(*) n from transactions where endpoint = 'documentReview'",
  ),
});
