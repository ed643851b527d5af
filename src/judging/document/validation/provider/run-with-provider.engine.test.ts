import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { inspect } from "node:util";
import sharp from "sharp";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { afterEach, describe, expect, it } from "vitest";
import { makeEgress } from "#machine/egress/make-egress";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { aLease } from "#support/document/a-lease";
import { type CrossedCard, crossedNameOf } from "#support/document/crossed-readings";
import { photographTwoCards } from "#support/document/photograph-crossed";
import {
  type Step,
  startVeriffSimulator,
  type VeriffSimulator,
} from "#support/document/provider/veriff-simulator";
import { openReader } from "#support/document/reader";
import { openReadings } from "#support/document/recorded-readings";
import { reviewedBy } from "#support/document/reviewing";
import {
  type Harness,
  makeValidationBase,
  openEngine,
  openHarness,
  type ValidationBase,
} from "#support/document/validations";
import { hashOf } from "#support/imaging/hash-of";
import type { LookUpHistory } from "../../decision/history/history.ts";
import { makeVeriff } from "../../provider/veriff/veriff.ts";
import type { DocumentEngine } from "../../reading/engine.ts";
import type { ReadingHints } from "../../reading/reading.ts";
import { makeRunWithProvider, type RunWithProviderDeps } from "./run-with-provider.ts";

const { engine, imageOf } = await openEngine();
const image = imageOf("genuine");
const sha256 = hashOf(Buffer.from(image, "base64"));
const keys = { apiKey: randomUUID(), sharedSecret: randomUUID() };
const minute = 60_000;
const started = Compile(Type.Object({ scanReference: Type.String() }));

const imaging = makeImaging({ limits: defaultImagingLimits });
const { readDocument } = await openReader();
const measured = openReadings(import.meta.url);

/** Two images that are accepted and show nothing. */
const standIns = await Promise.all(
  [90, 200].map((grey) =>
    imaging.encodeJpeg({ width: 640, height: 480, data: new Uint8Array(640 * 480 * 3).fill(grey) }, 90),
  ),
);

/** The front of one person's card and the back of one person's. */
const readCard = (front: CrossedCard, back: CrossedCard, hints: ReadingHints) =>
  measured(`${crossedNameOf("PRT", front, back)}: ${JSON.stringify(hints)}`, async () => {
    const cards = await photographTwoCards(imaging, "PRT");
    return readDocument({ front: cards[front].front, back: cards[back].back }, hints);
  });

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Longer than an answer takes beside much other work; a silent provider costs it four times. */
const timeoutMs = 2_000;

/** Answers to the decision queries, in order. The last one repeats. */
const startProvider = async (...verdicts: readonly (Readonly<Record<string, unknown>> | null)[]) => {
  let asked = 0;
  const simulator = await startVeriffSimulator(keys, (front) =>
    front === sha256 ? (verdicts[Math.min(asked++, verdicts.length - 1)] ?? null) : { code: 9102 },
  );
  closing.push(simulator.close);
  const egress = makeEgress({ allow: ["127.0.0.1"] });
  const options = { egress, baseUrl: simulator.baseUrl, ...keys, timeoutMs };
  return { simulator, options, provider: makeVeriff(options) };
};

type Options = Partial<Parameters<typeof openHarness>[0]>;

const openAt = async (provider: RunWithProviderDeps["provider"], more: Options = {}): Promise<Harness> => {
  const harness = await openHarness({ engine, external: { provider, givenUpAfterMs: 10 * minute }, ...more });
  closing.push(harness.close);
  return harness;
};

const start = async (harness: Harness, more: Readonly<Record<string, unknown>> = {}): Promise<string> => {
  const request = { country: "CHL", idType: "PASSPORT", documentFrontRawImage: image, ...more };
  return started.Parse(await harness.call(harness.start, request)).scanReference;
};

const dataOf = (harness: Harness, scanReference: string) => harness.call(harness.data, { scanReference });

/** The transaction of the decision. */
const decisionIn = async ({ deps, caller }: Harness) => {
  const transactions = await deps.store.listTransactions(caller.tenantId, new Date(0));
  return transactions.find(({ endpoint }) => endpoint === "documentValidation");
};

/** Lets this time pass, then runs the due validations. */
const pass = async (harness: Harness, minutes = 0): Promise<void> => {
  harness.passTime(minutes * minute);
  await harness.workOff();
};

const reported = {
  code: 9001,
  reason: null,
  reasonCode: null,
  person: { firstName: "FRANCO", lastName: "MUÑOZ", gender: "M", dateOfBirth: "1980-03-14", idNumber: "7" },
  document: { type: "PASSPORT", country: "CL", number: "X1", validUntil: "2031-01-01" },
};

describe("a provider's decision", () => {
  it("is asked with a JPEG for an image of another format", async () => {
    const { simulator, provider } = await startProvider(reported);
    const harness = await openAt(provider);
    const webp = await sharp(Buffer.from(image, "base64")).webp().toBuffer();
    await start(harness, { documentFrontRawImage: webp.toString("base64") });
    await pass(harness);
    const jpeg = await engine.cutPart(webp, { x: 0, y: 0, width: 1, height: 1 });
    expect([...jpeg.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    const [session] = simulator.sessions.values();
    expect(session?.media).toMatchObject([{ sha256: hashOf(jpeg) }]);
  });

  it("decides the validation, with the values that the provider read", async () => {
    const { simulator, provider } = await startProvider(reported);
    const harness = await openAt(provider);
    const scanReference = await start(harness, { merchantIdScanReference: "order-1" });
    await pass(harness);
    expect(harness.errors).toEqual([]);
    expect(await dataOf(harness, scanReference)).toMatchObject({
      status: "Success",
      verification: {
        code: 9001,
        reasonCode: null,
        merchantScanReference: "order-1",
        document: { type: "PASSPORT", country: "CHL", number: "X1", validUntil: "2031-01-01" },
        person: { firstName: "FRANCO", lastName: "MUÑOZ", gender: "M", idNumber: "7" },
      },
    });
    const [session, ...others] = simulator.sessions.values();
    expect(others).toEqual([]);
    expect(session).toMatchObject({
      vendorData: scanReference,
      media: [{ context: "document-front", sha256 }],
    });
    expect(await decisionIn(harness)).toMatchObject({
      result: { scanReference, code: 9001 },
      measurements: { provider: { name: "veriff", session: session!.id } },
    });
  });

  it("is no approval where front and back have the names of two persons, and stands with one person's", async () => {
    const simulator = await startVeriffSimulator(keys, () => ({
      ...reported,
      document: { type: "ID_CARD", country: "PT", number: "X1", validUntil: "2031-01-01" },
    }));
    closing.push(simulator.close);
    const egress = makeEgress({ allow: ["127.0.0.1"] });
    const provider = makeVeriff({ egress, baseUrl: simulator.baseUrl, ...keys, timeoutMs });
    // The sent images stand for the drawn cards, whose readings are recorded: the provider looks at none.
    const [first, second] = standIns.map(hashOf);
    const cardOf = (side: Uint8Array | undefined): CrossedCard => {
      const hash = side && hashOf(side);
      if (hash !== first && hash !== second) throw new Error("No stand-in was sent");
      return hash === first ? 0 : 1;
    };
    const read: DocumentEngine["read"] = ({ front, back }, hints) =>
      readCard(cardOf(front), cardOf(back), hints);
    const harness = await openAt(provider, { engine: { ...engine, read } });
    const decide = async (front: Uint8Array, back: Uint8Array) => {
      const [documentFrontRawImage, documentBackRawImage] = [front, back].map((bytes) =>
        Buffer.from(bytes).toString("base64"),
      );
      const sent = { country: "PRT", idType: "ID_CARD", documentFrontRawImage, documentBackRawImage };
      const scanReference = await start(harness, sent);
      await pass(harness);
      return await dataOf(harness, scanReference);
    };
    const [one, other] = standIns;
    expect(await decide(one!, one!)).toMatchObject({ verification: { code: 9001 } });
    expect(await decide(one!, other!)).toMatchObject({
      verification: { code: 9121, reasonCode: 507 },
    });
    expect(harness.errors).toEqual([]);
  });

  it("is an event of the operation of the start, with the values of the provider", async () => {
    const { provider } = await startProvider(reported);
    const harness = await openAt(provider);
    const operationId = randomUUID();
    await start(harness, { tracking: { operationId } });
    await pass(harness);
    const events = await harness.operations.eventsOf(harness.caller.tenantId, operationId);
    expect(events.map(({ name }) => name)).toEqual(["operation_started", "id_captured", "id_validated"]);
    expect(events[2]?.data["validation"]).toMatchObject({ code: 9001, document: { number: "X1" } });
  });

  it("may have a reason code of the provider only: returned unchanged, and kept sealed", async () => {
    const { provider } = await startProvider({
      ...reported,
      code: 9102,
      reason: "Odd paper",
      reasonCode: 4711,
    });
    const harness = await openAt(provider);
    const scanReference = await start(harness);
    await pass(harness);
    expect(await dataOf(harness, scanReference)).toMatchObject({
      verification: { code: 9102, reasonCode: 4711, reason: "Odd paper" },
    });
    expect((await decisionIn(harness))?.result).toMatchObject({ code: 9102, reasonCode: null });
  });

  it("is waited for with growing pauses, and no attempt counts", async () => {
    const { simulator, provider } = await startProvider(null, null, null, null, null, reported);
    const harness = await openAt(provider);
    const scanReference = await start(harness);
    for (const minutes of [0, 1, 2, 4, 5]) await pass(harness, minutes);
    expect(await dataOf(harness, scanReference)).toMatchObject({ verification: { code: 7002 } });
    await pass(harness, 5);
    expect(await dataOf(harness, scanReference)).toMatchObject({ verification: { code: 9001 } });
    expect(simulator.calls.filter((step) => step !== "decision")).toEqual(["open", "media", "submit"]);
    expect(harness.errors).toEqual([]);
  });

  it("may ask for better images, which get a new session, until the last attempt (539)", async () => {
    const { simulator, provider } = await startProvider({ code: 9103, reason: "Blurry", reasonCode: 204 });
    const harness = await openAt(provider, {
      policy: { resubmission: { attemptsMax: 2, daysMax: 7, countsMerchantReference: false } },
    });
    const scanReference = await start(harness);
    await pass(harness);
    expect(await dataOf(harness, scanReference)).toMatchObject({
      verification: { code: 9103, reasonCode: 204, reason: "Poor image quality" },
    });
    await start(harness, { scanReference });
    await pass(harness);
    expect(await dataOf(harness, scanReference)).toMatchObject({
      verification: { code: 9102, reasonCode: 539, additionalReasonCodes: [204], attempt: 2 },
    });
    expect([...simulator.sessions.values()].map(({ vendorData }) => vendorData)).toEqual([
      scanReference,
      scanReference,
    ]);
  });

  it("may be left to a reviewer of the operator (9121)", async () => {
    const { provider } = await startProvider({ ...reported, code: 9121 });
    const harness = await openAt(provider);
    const scanReference = await start(harness);
    await pass(harness);
    expect(await dataOf(harness, scanReference)).toMatchObject({ verification: { code: 9121 } });
    const ana = reviewedBy(harness, { keyId: randomUUID() });
    await ana.claim(scanReference);
    await ana.decide(scanReference, { decision: "APPROVE", note: "seen" });
    expect(await dataOf(harness, scanReference)).toMatchObject({
      verification: { code: 9001, document: { number: "X1" } },
    });
  });

  it("is made stricter by the operator's own lists", async () => {
    const { provider } = await startProvider(reported);
    const questions: unknown[] = [];
    const lookUpHistory: LookUpHistory = async ({ number, person, portrait }) => {
      questions.push({ number, person, hasPortrait: portrait !== undefined });
      return { history: { blockedFace: "sure" }, record: [] };
    };
    const harness = await openAt(provider, { lookUpHistory });
    const scanReference = await start(harness);
    await pass(harness);
    expect(await dataOf(harness, scanReference)).toMatchObject({
      verification: { code: 9102, reasonCode: 127, document: { number: "X1" } },
    });
    const person = { lastName: "MUÑOZ", firstName: "FRANCO", dateOfBirth: "1980-03-14" };
    expect(questions).toEqual([{ number: ["CHL", "X1"], person, hasPortrait: true }]);
  });
});

describe("a provider that fails", () => {
  const failing = async (fail: (simulator: VeriffSimulator) => void) => {
    const { simulator, provider } = await startProvider(reported);
    fail(simulator);
    const harness = await openAt(provider);
    return { simulator, harness, scanReference: await start(harness) };
  };

  it.each([503, "silence", "lost answer"] as const)(
    "with %s at every step is called again, and its decision counts",
    async (kind) => {
      const steps: readonly Step[] = ["open", "media", "submit", "decision"];
      const { simulator, harness, scanReference } = await failing(({ faults }) =>
        faults.push(...steps.map((step) => ({ step, kind }))),
      );
      for (const minutes of [0, 1, 1, 2, 1]) await pass(harness, minutes);
      expect(await dataOf(harness, scanReference)).toMatchObject({ verification: { code: 9001 } });
      expect(harness.errors).toHaveLength(4);
      const submitted = [...simulator.sessions.values()].filter(({ status }) => status === "submitted");
      expect(submitted).toHaveLength(1);
    },
  );

  it("for too long ends the validation FAILED (648)", async () => {
    const { harness, scanReference } = await failing(({ faults }) =>
      faults.push(...Array.from({ length: 9 }, () => ({ step: "open", kind: 500 }) as const)),
    );
    for (const minutes of [0, 1, 2, 4]) await pass(harness, minutes);
    expect(await dataOf(harness, scanReference)).toMatchObject({ verification: { code: 7002 } });
    await pass(harness, 8);
    expect(await dataOf(harness, scanReference)).toMatchObject({
      status: "Fail",
      verification: { code: 9103, reasonCode: 648 },
    });
  });

  it("because of a wrong secret is reported to the operator, without the secret, and continues after the correction", async () => {
    const { simulator, options, provider } = await startProvider(reported);
    const ground = await makeValidationBase();
    closing.push(() => rm(ground.folder, { recursive: true }));
    const wrong = makeVeriff({ ...options, sharedSecret: "not the secret" });
    const first = await openHarness({
      engine,
      external: { provider: wrong, givenUpAfterMs: minute },
      ground,
    });
    const scanReference = await start(first);
    await pass(first);
    const printed = inspect(first.errors, { depth: 9 });
    expect(printed).toContain("code 1818");
    for (const secret of ["not the secret", keys.apiKey, image.slice(0, 40)])
      expect(printed).not.toContain(secret);
    await first.close();
    const second = await openAt(provider, { ground });
    await pass(second, 1);
    expect(await dataOf(second, scanReference)).toMatchObject({ verification: { code: 9001 } });
    expect(simulator.sessions.size).toBe(1);
  });

  it.each([
    ["a refused image", { step: "media", kind: 413 } as const, reported],
    ["a session that ended without a decision", undefined, { code: 9104 }],
  ])("with %s ends the validation FAILED (648) at once", async (_, fault, verdict) => {
    const { simulator, provider } = await startProvider(verdict);
    if (fault !== undefined) simulator.faults.push(fault);
    const harness = await openAt(provider);
    const scanReference = await start(harness);
    await pass(harness);
    expect(await dataOf(harness, scanReference)).toMatchObject({ verification: { reasonCode: 648 } });
  });
});

/** A run that never returns after this number of steps. Calls and writes are steps. */
const diesAfter = (deps: RunWithProviderDeps, steps: number) => {
  let left = steps;
  const { promise: death, resolve: die } = Promise.withResolvers<void>();
  const mortal =
    <Args extends readonly unknown[], Answer>(act: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      const answer = await act(...args);
      if (--left > 0) return answer;
      die();
      return await new Promise<never>(() => undefined);
    };
  const { provider, store } = deps;
  const run = makeRunWithProvider({
    ...deps,
    store: { keepSession: mortal(store.keepSession) },
    provider: {
      ...provider,
      openSession: mortal(provider.openSession),
      sendImage: mortal(provider.sendImage),
      submit: mortal(provider.submit),
      findDecision: mortal(provider.findDecision),
    },
  });
  return { run, death };
};

const leaseMs = 30_000;

/** Leases the validation, stops its run after this number of steps, and closes the store. */
const dieAfterSteps = async (
  ground: ValidationBase,
  provider: RunWithProviderDeps["provider"],
  steps: number,
) => {
  const harness = await openHarness({ engine, ground });
  const scanReference = await start(harness);
  const { store, clock } = harness.deps;
  const { jobs } = await store.leaseValidations(aLease("first", clock(), { leaseMs, limit: 1 }));
  const { run, death } = diesAfter(
    {
      ...harness.deps,
      provider,
      holder: "first",
      givenUpAfterMs: 10 * minute,
      onError: (_, __, error) => harness.errors.push(error),
    },
    steps,
  );
  void run(jobs[0]!, new AbortController().signal);
  await death;
  await harness.close();
  expect(harness.errors).toEqual([]);
  return scanReference;
};

describe("a lease holder that dies", () => {
  it.each([
    [1, "the session was opened", ["open", "open", "media", "submit", "decision"]],
    [2, "its id was kept", ["open", "media", "submit", "decision"]],
    [3, "the image was sent", ["open", "media", "media", "submit", "decision"]],
    [4, "it was submitted", ["open", "media", "submit", "media", "submit", "decision"]],
    [5, "the time of submission was kept", ["open", "media", "submit", "decision"]],
    [6, "the decision was read", ["open", "media", "submit", "decision", "decision"]],
  ] as const)(
    "after step %i, when %s, is followed by another that finishes the validation",
    async (steps, _, calls) => {
      const { simulator, provider } = await startProvider(reported);
      const ground = await makeValidationBase();
      closing.push(() => rm(ground.folder, { recursive: true }));
      const scanReference = await dieAfterSteps(ground, provider, steps);
      const harness = await openAt(provider, { ground });
      harness.passTime(leaseMs);
      await harness.workOff();
      expect(harness.errors).toEqual([]);
      expect(await dataOf(harness, scanReference)).toMatchObject({ verification: { code: 9001 } });
      expect(simulator.calls).toEqual(calls);
    },
  );
});
