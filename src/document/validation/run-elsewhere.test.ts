import { createHash, randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { inspect } from "node:util";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { afterEach, describe, expect, it } from "vitest";
import { makeEgress } from "../../egress/make-egress.ts";
import type { LookUpHistory } from "../history.ts";
import {
  type Step,
  startVeriffSimulator,
  type VeriffSimulator,
} from "../outside/testing/veriff-simulator.ts";
import { makeVeriff } from "../outside/veriff/veriff.ts";
import { reviewedBy } from "../testing/reviewing.ts";
import { type Ground, type House, makeGround, openEngine, openHouse } from "../testing/validations.ts";
import { makeFailValidation } from "./outcome.ts";
import { makeRunElsewhere, type RunElsewhereDeps } from "./run-elsewhere.ts";

const { engine, pictureOf } = await openEngine();
const picture = pictureOf("genuine");
const sha256 = createHash("sha256").update(Buffer.from(picture, "base64")).digest("hex");
const keys = { apiKey: randomUUID(), sharedSecret: randomUUID() };
const minute = 60_000;
const started = Compile(Type.Object({ scanReference: Type.String() }));

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Verdicts in the order in which decisions are asked for, the last one for good. */
const startProvider = async (...verdicts: readonly (Readonly<Record<string, unknown>> | null)[]) => {
  let asked = 0;
  const simulator = await startVeriffSimulator(keys, (front) =>
    front === sha256 ? (verdicts[Math.min(asked++, verdicts.length - 1)] ?? null) : { code: 9102 },
  );
  closing.push(simulator.close);
  const egress = makeEgress({ allow: ["127.0.0.1"] });
  const options = { egress, baseUrl: simulator.baseUrl, ...keys, timeoutMs: 300 };
  return { simulator, options, provider: makeVeriff(options) };
};

type Options = Partial<Parameters<typeof openHouse>[0]>;

const openAt = async (provider: RunElsewhereDeps["provider"], more: Options = {}): Promise<House> => {
  const house = await openHouse({ engine, elsewhere: { provider, givenUpAfterMs: 10 * minute }, ...more });
  closing.push(house.close);
  return house;
};

const start = async (house: House, more: Readonly<Record<string, unknown>> = {}): Promise<string> => {
  const request = { country: "CHL", idType: "PASSPORT", documentFrontRawImage: picture, ...more };
  return started.Parse(await house.call(house.start, request)).scanReference;
};

const dataOf = (house: House, scanReference: string) => house.call(house.data, { scanReference });

/** The transaction of the decision, as it stands unsealed. */
const decisionIn = async ({ deps, caller }: House) => {
  const transactions = await deps.store.listTransactions(caller.tenantId, new Date(0));
  return transactions.find(({ endpoint }) => endpoint === "documentValidation");
};

/** Works what is due off, and again after each of the minutes. */
const pass = async (house: House, minutes = 0): Promise<void> => {
  house.passTime(minutes * minute);
  await house.workOff();
};

const told = {
  code: 9001,
  reason: null,
  reasonCode: null,
  person: { firstName: "FRANCO", lastName: "MUÑOZ", gender: "M", dateOfBirth: "1980-03-14", idNumber: "7" },
  document: { type: "PASSPORT", country: "CL", number: "X1", validUntil: "2031-01-01" },
};

describe("a provider's decision", () => {
  it("is the validation's, with what the provider read", async () => {
    const { simulator, provider } = await startProvider(told);
    const house = await openAt(provider);
    const scanReference = await start(house, { merchantIdScanReference: "order-1" });
    await pass(house);
    expect(house.errors).toEqual([]);
    expect(await dataOf(house, scanReference)).toMatchObject({
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
    expect(await decisionIn(house)).toMatchObject({
      result: { scanReference, code: 9001 },
      measurements: { provider: { name: "veriff", session: session!.id } },
    });
  });

  it("may rest on a reason that only the provider knows: answered unchanged, and sealed", async () => {
    const { provider } = await startProvider({ ...told, code: 9102, reason: "Odd paper", reasonCode: 4711 });
    const house = await openAt(provider);
    const scanReference = await start(house);
    await pass(house);
    expect(await dataOf(house, scanReference)).toMatchObject({
      verification: { code: 9102, reasonCode: 4711, reason: "Odd paper" },
    });
    expect((await decisionIn(house))?.result).toMatchObject({ code: 9102, reasonCode: null });
  });

  it("is waited for without counting attempts, ever longer", async () => {
    const { simulator, provider } = await startProvider(null, null, null, null, null, told);
    const house = await openAt(provider);
    const scanReference = await start(house);
    for (const minutes of [0, 1, 2, 4, 5]) await pass(house, minutes);
    expect(await dataOf(house, scanReference)).toMatchObject({ verification: { code: 7002 } });
    await pass(house, 5);
    expect(await dataOf(house, scanReference)).toMatchObject({ verification: { code: 9001 } });
    expect(simulator.calls.filter((step) => step !== "decision")).toEqual(["open", "media", "submit"]);
    expect(house.errors).toEqual([]);
  });

  it("may ask for better pictures, for which a new session is opened, until the last attempt (539)", async () => {
    const { simulator, provider } = await startProvider({ code: 9103, reason: "Blurry", reasonCode: 204 });
    const house = await openAt(provider, {
      policy: { resubmission: { attemptsMax: 2, daysMax: 7, countsMerchantReference: false } },
    });
    const scanReference = await start(house);
    await pass(house);
    expect(await dataOf(house, scanReference)).toMatchObject({
      verification: { code: 9103, reasonCode: 204, reason: "Poor image quality" },
    });
    await start(house, { scanReference });
    await pass(house);
    expect(await dataOf(house, scanReference)).toMatchObject({
      verification: { code: 9102, reasonCode: 539, additionalReasonCodes: [204], attempt: 2 },
    });
    expect([...simulator.sessions.values()].map(({ vendorData }) => vendorData)).toEqual([
      scanReference,
      scanReference,
    ]);
  });

  it("may leave it to a person of the operator's own, who decides (9121)", async () => {
    const { provider } = await startProvider({ ...told, code: 9121 });
    const house = await openAt(provider);
    const scanReference = await start(house);
    await pass(house);
    expect(await dataOf(house, scanReference)).toMatchObject({ verification: { code: 9121 } });
    const ana = reviewedBy(house, { keyId: randomUUID() });
    await ana.claim(scanReference);
    await ana.decide(scanReference, { decision: "APPROVE", note: "seen" });
    expect(await dataOf(house, scanReference)).toMatchObject({
      verification: { code: 9001, document: { number: "X1" } },
    });
  });

  it("is made graver by the operator's own lists", async () => {
    const { provider } = await startProvider(told);
    const questions: unknown[] = [];
    const lookUpHistory: LookUpHistory = async ({ number, person, portrait }) => {
      questions.push({ number, person, hasPortrait: portrait !== undefined });
      return { history: { blockedFace: "sure" }, record: [] };
    };
    const house = await openAt(provider, { lookUpHistory });
    const scanReference = await start(house);
    await pass(house);
    expect(await dataOf(house, scanReference)).toMatchObject({
      verification: { code: 9102, reasonCode: 127, document: { number: "X1" } },
    });
    const person = { lastName: "MUÑOZ", firstName: "FRANCO", dateOfBirth: "1980-03-14" };
    expect(questions).toEqual([{ number: ["CHL", "X1"], person, hasPortrait: true }]);
  });
});

describe("a provider that fails", () => {
  const failing = async (fail: (simulator: VeriffSimulator) => void) => {
    const { simulator, provider } = await startProvider(told);
    fail(simulator);
    const house = await openAt(provider);
    return { simulator, house, scanReference: await start(house) };
  };

  it.each([503, "silence", "lost answer"] as const)(
    "with %s at every step is asked again, and its decision counts",
    async (kind) => {
      const steps: readonly Step[] = ["open", "media", "submit", "decision"];
      const { simulator, house, scanReference } = await failing(({ faults }) =>
        faults.push(...steps.map((step) => ({ step, kind }))),
      );
      for (const minutes of [0, 1, 1, 2, 1]) await pass(house, minutes);
      expect(await dataOf(house, scanReference)).toMatchObject({ verification: { code: 9001 } });
      expect(house.errors).toHaveLength(4);
      const submitted = [...simulator.sessions.values()].filter(({ status }) => status === "submitted");
      expect(submitted).toHaveLength(1);
    },
  );

  it("for good ends the validation FAILED (648), and it may be sent again", async () => {
    const { house, scanReference } = await failing(({ faults }) =>
      faults.push(...Array.from({ length: 9 }, () => ({ step: "open", kind: 500 }) as const)),
    );
    for (const minutes of [0, 1, 2, 4]) await pass(house, minutes);
    expect(await dataOf(house, scanReference)).toMatchObject({ verification: { code: 7002 } });
    await pass(house, 8);
    expect(await dataOf(house, scanReference)).toMatchObject({
      status: "Fail",
      verification: { code: 9103, reasonCode: 648 },
    });
  });

  it("because of a wrong secret is told to the operator, without the secret, and goes on when it is mended", async () => {
    const { simulator, options, provider } = await startProvider(told);
    const ground = await makeGround();
    closing.push(() => rm(ground.folder, { recursive: true }));
    const wrong = makeVeriff({ ...options, sharedSecret: "not the secret" });
    const first = await openHouse({ engine, elsewhere: { provider: wrong, givenUpAfterMs: minute }, ground });
    const scanReference = await start(first);
    await pass(first);
    const said = inspect(first.errors, { depth: 9 });
    expect(said).toContain("code 1818");
    for (const secret of ["not the secret", keys.apiKey, picture.slice(0, 40)])
      expect(said).not.toContain(secret);
    await first.close();
    const second = await openAt(provider, { ground });
    await pass(second, 1);
    expect(await dataOf(second, scanReference)).toMatchObject({ verification: { code: 9001 } });
    expect(simulator.sessions.size).toBe(1);
  });

  it.each([
    ["a refused picture", { step: "media", kind: 413 } as const, told],
    ["a session that ended undecided", undefined, { code: 9104 }],
  ])("with %s ends the validation FAILED (648) at once", async (_, fault, verdict) => {
    const { simulator, provider } = await startProvider(verdict);
    if (fault !== undefined) simulator.faults.push(fault);
    const house = await openAt(provider);
    const scanReference = await start(house);
    await pass(house);
    expect(await dataOf(house, scanReference)).toMatchObject({ verification: { reasonCode: 648 } });
  });
});

/** A run that is never heard of again after so many of its steps, calls and writes alike. */
const diesAfter = (deps: RunElsewhereDeps, steps: number) => {
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
  const run = makeRunElsewhere({
    ...deps,
    store: { keepSession: mortal(store.keepSession) },
    provider: {
      ...provider,
      openSession: mortal(provider.openSession),
      sendPicture: mortal(provider.sendPicture),
      submit: mortal(provider.submit),
      findDecision: mortal(provider.findDecision),
    },
  });
  return { run, death };
};

const leaseMs = 30_000;

/** Leases the one validation and lets its worker die on the way; the store is closed behind it. */
const dieOnTheWay = async (ground: Ground, provider: RunElsewhereDeps["provider"], steps: number) => {
  const house = await openHouse({ engine, ground });
  const scanReference = await start(house);
  const { store, clock } = house.deps;
  const [leased] = await store.leaseValidations({ worker: "first", leaseMs, limit: 1, now: clock() });
  const { run, death } = diesAfter(
    {
      ...house.deps,
      provider,
      worker: "first",
      givenUpAfterMs: 10 * minute,
      failValidation: makeFailValidation(house.deps),
      onError: (_, __, error) => house.errors.push(error),
    },
    steps,
  );
  void run(leased!, new AbortController().signal);
  await death;
  await house.close();
  expect(house.errors).toEqual([]);
  return scanReference;
};

describe("a worker that dies", () => {
  it.each([
    [1, "the session was opened", ["open", "open", "media", "submit", "decision"]],
    [2, "its id was kept", ["open", "media", "submit", "decision"]],
    [3, "the picture was sent", ["open", "media", "media", "submit", "decision"]],
    [4, "it was submitted", ["open", "media", "submit", "media", "submit", "decision"]],
    [5, "that was kept", ["open", "media", "submit", "decision"]],
    [6, "the decision was told", ["open", "media", "submit", "decision", "decision"]],
  ] as const)("after step %i, when %s, is followed by one that ends it", async (steps, _, calls) => {
    const { simulator, provider } = await startProvider(told);
    const ground = await makeGround();
    closing.push(() => rm(ground.folder, { recursive: true }));
    const scanReference = await dieOnTheWay(ground, provider, steps);
    const house = await openAt(provider, { ground });
    house.passTime(leaseMs);
    await house.workOff();
    expect(house.errors).toEqual([]);
    expect(await dataOf(house, scanReference)).toMatchObject({ verification: { code: 9001 } });
    expect(simulator.calls).toEqual(calls);
  });
});
