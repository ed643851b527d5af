import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { expect, it } from "vitest";
import { openEngine, openHarness } from "#support/document/validations";
import { readPepList } from "./pep-list.ts";
import type { Watchlists } from "./with-watchlists.ts";
import { withWatchlists } from "./with-watchlists.ts";

const { engine, imageOf } = await openEngine();
const started = Compile(Type.Object({ scanReference: Type.String() }));

/** The drawn passport, decided by a service with watchlists. */
const decideWith = async (watchlists: Watchlists): Promise<unknown> => {
  const lookUpHistory = withWatchlists(async () => ({ history: {}, record: [] }), watchlists);
  const harness = await openHarness({ engine, lookUpHistory });
  try {
    const request = { country: "CHL", idType: "PASSPORT", documentFrontRawImage: imageOf("genuine") };
    const { scanReference } = started.Parse(await harness.call(harness.start, request));
    await harness.workOff();
    expect(harness.errors).toEqual([]);
    return await harness.call(harness.data, { scanReference });
  } finally {
    await harness.close();
  }
};

const listOf = (...people: readonly (readonly [string, string, string | null])[]) =>
  readPepList(
    JSON.stringify({ format: "idem-pep-1", source: "Register", version: "1", importedAt: "", people }),
  );

it("sends only a holder who could be an exposed person to review (126)", async () => {
  const holder = listOf(["Muñoz Prueba", "Franco Andrés", "1980-03-14"]);
  expect(await decideWith({ peps: holder })).toMatchObject({ verification: { code: 9121, reasonCode: 126 } });
  const namesake = listOf(["Muñoz Prueba", "Franco Andrés", "1951-01-01"]);
  expect(await decideWith({ peps: namesake })).toMatchObject({ verification: { code: 9001 } });
});

it("sends a holder without a reported given name to review (126) instead of searching half a name", async () => {
  const peps = listOf(["Muñoz Prueba", "Franco Andrés", "1980-03-14"]);
  const lookUp = withWatchlists(async () => ({ history: {}, record: [] }), { peps });
  const person = { lastName: "MUNOZ PRUEBA", firstName: null, dateOfBirth: "1980-03-14" };
  const owner = { tenantId: "t", environment: "test" } as const;
  const question = {
    owner,
    customer: null,
    civil: { validation: "v", isPassport: true, sex: null, documentCode: null },
    wantsReference: false,
    person,
    signal: new AbortController().signal,
  };
  expect((await lookUp(question)).history.exposed?.matches).toBe("unknown");
  expect(
    (await lookUp({ ...question, person: { ...person, firstName: "FRANCO" } })).history.exposed?.matches,
  ).toEqual({ count: 1 });
});

it("queries a registry with the document's data, and applies its answer (123, 544)", async () => {
  const asked: unknown[] = [];
  const registry = (answer: "differs" | "silent") => async (question: unknown) => {
    asked.push(question);
    return answer;
  };
  expect(await decideWith({ registry: registry("differs") })).toMatchObject({
    verification: { code: 9102, reasonCode: 123 },
  });
  expect(await decideWith({ registry: registry("silent") })).toMatchObject({
    verification: { code: 9121, reasonCode: 544 },
  });
  expect(asked[0]).toEqual({
    owner: { tenantId: expect.any(String), environment: "test" },
    validation: expect.any(String),
    isPassport: true,
    personalNumber: null,
    sex: "M",
    documentCode: null,
    country: "CHL",
    number: "F12345678",
    lastName: expect.stringMatching(/^MU[NÑ]OZ PRUEBA$/),
    firstName: expect.stringMatching(/^FRANCO ANDR[EÉ]S$/),
    dateOfBirth: "1980-03-14",
  });
});
