import { setTimeout as sleep } from "node:timers/promises";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { afterAll, afterEach, expect, it } from "vitest";
import { makeLookUpHistory } from "../../people/document-history.ts";
import { pseudonymOf } from "../../people/service.ts";
import {
  makeCaller,
  openPeopleHouse,
  type PeopleHouse,
  portrait,
  selfies,
  stranger,
} from "../../people/testing/people-house.ts";
import type { LookUpHistory } from "../history.ts";
import { type House, openEngine, openHouse } from "../testing/validations.ts";

const { engine, pictureOf } = await openEngine();
const people = await openPeopleHouse();
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

/** Validations of a tenant whose people are in the other house; what is looked up waits until the galleries are filled. */
const open = async ({ duplicates = "off", keepsNumbers = false, reference = "none" }: Setting) => {
  const policy = { duplicates, fpir: { review: 0.1, refusal: 0.01 } };
  const search = people.service.searchBy(policy);
  const numbers: { findClaims?: House["deps"]["store"]["findClaims"] } = {};
  const store = {
    findPerson: people.store.findPerson,
    findClaims: async (...of: Parameters<House["deps"]["store"]["findClaims"]>) =>
      (await numbers.findClaims?.(...of)) ?? [],
  };
  const lookUp = makeLookUpHistory({ ...people.service, ...search, store, policy, keepsNumbers });
  const patiently: LookUpHistory = async (question) => {
    for (;;) {
      const known = await lookUp(question).catch(() => undefined);
      if (known !== undefined) return known;
      await sleep(20);
    }
  };
  const house = await openHouse({ engine, lookUpHistory: patiently, policy: { reference } });
  closing.push(search.close, house.close);
  numbers.findClaims = house.deps.store.findClaims;
  const { tenantId } = house.caller;
  await people.store.createTenant({ id: tenantId, name: tenantId, createdAt: new Date() });
  return house;
};

/** The drawn passport under the caller's reference. */
const send = async (house: House, merchantIdScanReference?: string): Promise<unknown> => {
  const request = {
    country: "CHL",
    idType: "PASSPORT",
    documentFrontRawImage: pictureOf("genuine"),
    ...(merchantIdScanReference !== undefined && { merchantIdScanReference }),
  };
  const { scanReference } = started.Parse(await house.call(house.start, request));
  await house.workOff();
  expect(house.errors).toEqual([]);
  return await house.call(house.data, { scanReference });
};

const enrolHolder = (house: House, userId: string) =>
  makeCaller(people, people.serve(), house.caller.tenantId).enrol(userId, portrait, selfies[1]);

/** Somebody else under this identifier, as an enrolment leaves him. */
const enrolStranger = async ({ store, service, templateOf }: PeopleHouse, house: House, userId: string) => {
  const { tenantId, world } = house.caller;
  const owner = { tenantId, id: service.newId() };
  const sealed = await service.vault.seal(owner, await templateOf(stranger));
  const pseudonym = await pseudonymOf(service.keyring, { tenantId, world }, userId);
  const record = {
    id: service.newId(),
    tenantId,
    keyId: house.caller.keyId,
    world,
    endpoint: "authenticateUser",
    at: new Date(),
    result: null,
    measurements: null,
    policyVersion: "1",
    models: {},
    tokenHashes: [],
  };
  const person = { ...owner, ...sealed, world, pseudonym, enrolledAt: new Date() };
  await store.enrolPerson(person, record, [], { events: [], evidence: [] });
};

const decided = (code: number, reasonCode: number | null) => ({ verification: { code, reasonCode } });

it("declines a holder whose face is blocked (127)", async () => {
  const house = await open({});
  await people.block(house.caller.tenantId, await people.templateOf(portrait));
  expect(await send(house)).toMatchObject(decided(9102, 127));
});

it.each([
  ["flag", 108],
  ["refuse", 124],
] as const)(
  "sends a holder who is registered as another user to a person (%s: %i)",
  async (duplicates, code) => {
    const house = await open({ duplicates });
    await enrolHolder(house, "ana");
    expect(await send(house, "eva")).toMatchObject(decided(9121, code));
    expect(await send(house, "ana")).toMatchObject(decided(9001, null));
  },
);

it("sends a number that another customer's document has to a person (110)", async () => {
  const house = await open({ keepsNumbers: true });
  expect(await send(house, "ana")).toMatchObject(decided(9001, null));
  expect(await send(house, "ana")).toMatchObject(decided(9001, null));
  expect(await send(house, "eva")).toMatchObject(decided(9121, 110));
});

it("compares the holder with the registered user, where the policy asks (120, 121, 122)", async () => {
  const house = await open({ reference: "registeredUser" });
  await enrolHolder(house, "ana");
  await enrolStranger(people, house, "bob");
  expect(await send(house, "ana")).toMatchObject(decided(9001, null));
  expect(await send(house, "bob")).toMatchObject(decided(9121, 120));
  expect(await send(house, "eva")).toMatchObject(decided(9102, 122));
  expect(await send(house)).toMatchObject(decided(9102, 121));
});
