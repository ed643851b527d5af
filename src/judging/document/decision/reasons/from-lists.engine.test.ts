import { setTimeout as sleep } from "node:timers/promises";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { afterAll, afterEach, expect, it } from "vitest";
import { makeLookUpHistory } from "#features/users/document-history";
import { pseudonymOf } from "#features/users/service";
import { codesOf, decideTogether } from "#support/document/decide-together";
import { type Harness, openEngine, openHarness } from "#support/document/validations";
import {
  impostor,
  makeCaller,
  openUserHarness,
  portrait,
  selfies,
  type UserHarness,
} from "#support/users/harness";
import type { LookUpHistory } from "../history/history.ts";

const { engine, imageOf } = await openEngine();
const people = await openUserHarness();
afterAll(() => people.close());
const started = Compile(Type.Object({ scanReference: Type.String() }));

type Setting = {
  readonly duplicates?: "off" | "flag" | "refuse";
  readonly keepsNumbers?: boolean;
  readonly reference?: "none" | "registeredUser";
};

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/**
 * Validations of a tenant whose users are in the other harness. History checks wait until the galleries are
 * filled.
 */
const open = async ({ duplicates = "off", keepsNumbers = false, reference = "none" }: Setting) => {
  const policy = { duplicates, fpir: { review: 0.1, refusal: 0.01 } };
  const search = people.service.searchBy(policy);
  const numbers: { findClaims?: Harness["deps"]["store"]["findClaims"] } = {};
  const store = {
    findUser: people.store.findUser,
    findClaims: async (...of: Parameters<Harness["deps"]["store"]["findClaims"]>) =>
      (await numbers.findClaims?.(...of)) ?? [],
  };
  const lookUp = makeLookUpHistory({ ...people.service, ...search, store, policy, keepsNumbers });
  const retryingLookUp: LookUpHistory = async (question) => {
    for (;;) {
      const known = await lookUp(question).catch(() => undefined);
      if (known !== undefined) return known;
      await sleep(20);
    }
  };
  const harness = await openHarness({ engine, lookUpHistory: retryingLookUp, policy: { reference } });
  closing.push(search.close, harness.close);
  numbers.findClaims = harness.deps.store.findClaims;
  const { tenantId } = harness.caller;
  await people.store.createTenant({ id: tenantId, name: tenantId, createdAt: new Date() });
  return harness;
};

/** Starts a validation of the drawn passport under the caller's reference. */
const start = async (harness: Harness, merchantIdScanReference?: string): Promise<string> => {
  const request = {
    country: "CHL",
    idType: "PASSPORT",
    documentFrontRawImage: imageOf("genuine"),
    ...(merchantIdScanReference !== undefined && { merchantIdScanReference }),
  };
  return started.Parse(await harness.call(harness.start, request)).scanReference;
};

const send = async (harness: Harness, merchantIdScanReference?: string): Promise<unknown> => {
  const scanReference = await start(harness, merchantIdScanReference);
  await harness.workOff();
  expect(harness.errors).toEqual([]);
  return await harness.call(harness.data, { scanReference });
};

const enrolHolder = (harness: Harness, userId: string) =>
  makeCaller(people, people.serve(), harness.caller.tenantId).enrol(userId, portrait, selfies[1]);

/** Another person under this identifier, as after an enrolment. */
const enrolImpostor = async (
  { store, service, templateOf }: UserHarness,
  harness: Harness,
  userId: string,
) => {
  const { tenantId, environment } = harness.caller;
  const owner = { tenantId, environment, id: service.newId() };
  const sealed = await service.vault.seal(owner, await templateOf(impostor));
  const pseudonym = await pseudonymOf(service.keyring, { tenantId, environment }, userId);
  const record = {
    id: service.newId(),
    tenantId,
    keyId: harness.caller.keyId,
    environment,
    endpoint: "authenticateUser",
    at: new Date(),
    result: null,
    measurements: null,
    policyVersion: "1",
    models: {},
    tokenHashes: [],
  };
  const person = { ...owner, ...sealed, environment, pseudonym, enrolledAt: new Date() };
  await store.enrolUser(person, record, [], { evidence: [] });
};

const decided = (code: number, reasonCode: number | null) => ({ verification: { code, reasonCode } });

it("declines a holder whose face is blocked (127)", async () => {
  const harness = await open({});
  await people.block(harness.caller.tenantId, await people.templateOf(portrait));
  expect(await send(harness)).toMatchObject(decided(9102, 127));
});

it.each([
  ["flag", 108],
  ["refuse", 124],
] as const)(
  "sends a holder who is registered as another user to review (%s: %i)",
  async (duplicates, code) => {
    const harness = await open({ duplicates });
    await enrolHolder(harness, "ana");
    expect(await send(harness, "eva")).toMatchObject(decided(9121, code));
    expect(await send(harness, "ana")).toMatchObject(decided(9001, null));
  },
);

it("sends a number of another customer's document to review (110)", async () => {
  const harness = await open({ keepsNumbers: true });
  expect(await send(harness, "ana")).toMatchObject(decided(9001, null));
  expect(await send(harness, "ana")).toMatchObject(decided(9001, null));
  expect(await send(harness, "eva")).toMatchObject(decided(9121, 110));
});

it("approves one of two customers whose documents two processes decide at the same time (110)", async () => {
  const harness = await open({ keepsNumbers: true });
  const references = [await start(harness, "ana"), await start(harness, "eva")];
  expect((await decideTogether(harness)).toSorted()).toStrictEqual(["finished", "outdated"]);
  harness.passTime(60_000);
  await harness.workOff();
  const codes = await Promise.all(references.map((scanReference) => codesOf(harness, scanReference)));
  expect(codes.toSorted(([a], [b]) => a - b)).toEqual([
    [9001, null],
    [9121, 110],
  ]);
});

it("compares the holder with the registered user, where the policy asks (120, 121, 122)", async () => {
  const harness = await open({ reference: "registeredUser" });
  await enrolHolder(harness, "ana");
  await enrolImpostor(people, harness, "bob");
  expect(await send(harness, "ana")).toMatchObject(decided(9001, null));
  expect(await send(harness, "bob")).toMatchObject(decided(9121, 120));
  expect(await send(harness, "eva")).toMatchObject(decided(9102, 122));
  expect(await send(harness)).toMatchObject(decided(9102, 121));
});
