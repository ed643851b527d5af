import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { expect, it } from "vitest";
import { openEngine, openHouse } from "../testing/validations.ts";
import { readPepList } from "./pep-list.ts";
import type { Outside } from "./with-outside.ts";
import { withOutside } from "./with-outside.ts";

const { engine, pictureOf } = await openEngine();
const started = Compile(Type.Object({ scanReference: Type.String() }));

/** The drawn passport, decided by a service that asks outside. */
const decideWith = async (outside: Outside): Promise<unknown> => {
  const lookUpHistory = withOutside(async () => ({ history: {}, record: [] }), outside);
  const house = await openHouse({ engine, lookUpHistory });
  try {
    const request = { country: "CHL", idType: "PASSPORT", documentFrontRawImage: pictureOf("genuine") };
    const { scanReference } = started.Parse(await house.call(house.start, request));
    await house.workOff();
    expect(house.errors).toEqual([]);
    return await house.call(house.data, { scanReference });
  } finally {
    await house.close();
  }
};

const listOf = (...people: readonly (readonly [string, string, string | null])[]) =>
  readPepList(
    JSON.stringify({ format: "idem-pep-1", source: "Register", version: "1", importedAt: "", people }),
  );

it("sends a holder who could be an exposed person to a person (126), and nobody else", async () => {
  const holder = listOf(["Muñoz Prueba", "Franco Andrés", "1980-03-14"]);
  expect(await decideWith({ peps: holder })).toMatchObject({ verification: { code: 9121, reasonCode: 126 } });
  const namesake = listOf(["Muñoz Prueba", "Franco Andrés", "1951-01-01"]);
  expect(await decideWith({ peps: namesake })).toMatchObject({ verification: { code: 9001 } });
});

it("sends a holder without a sure given name to a person (126) instead of looking half a name up", async () => {
  const peps = listOf(["Muñoz Prueba", "Franco Andrés", "1980-03-14"]);
  const lookUp = withOutside(async () => ({ history: {}, record: [] }), { peps });
  const person = { lastName: "MUNOZ PRUEBA", firstName: null, dateOfBirth: "1980-03-14" };
  const owner = { tenantId: "t", world: "test" } as const;
  const question = {
    owner,
    customer: null,
    wantsReference: false,
    person,
    signal: new AbortController().signal,
  };
  expect((await lookUp(question)).history.exposed?.matches).toBe("unknown");
  expect(
    (await lookUp({ ...question, person: { ...person, firstName: "FRANCO" } })).history.exposed?.matches,
  ).toEqual({ count: 1 });
});

it("asks a registry for what the document says, and heeds what it answers (123, 544)", async () => {
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
    country: "CHL",
    number: "F12345678",
    lastName: expect.stringMatching(/^MU[NÑ]OZ PRUEBA$/),
    firstName: expect.stringMatching(/^FRANCO ANDR[EÉ]S$/),
    dateOfBirth: "1980-03-14",
  });
});
