import fc from "fast-check";
import { Compile } from "typebox/schema";
import { afterAll, describe, expect, it } from "vitest";
import type { Route } from "#contract/endpoint";
import { routes } from "#contract/routes";
import { isObject, type JsonObject } from "../../scripts/contract/json.ts";
import {
  alternativesOf,
  type Operation,
  propertiesOf,
  requiredOf,
  type Schema,
} from "../../scripts/contract/read-contract.ts";
import { exampleFor, startContract } from "./contract-server.ts";
import { operations } from "./specified-operations.ts";

const { call, close } = startContract();
afterAll(close);

/** The request of each route as JSON carries it. */
const schemas = new Map<Route, Schema>(
  routes.map((route) => [route, JSON.parse(JSON.stringify(route.request))]),
);
const schemaOf = (route: Route): Schema => schemas.get(route)!;

/** Place of a field: names from the outside to the inside. */
type Place = readonly string[];

const placesIn = (schema: Schema, isWanted: (isRequired: boolean) => boolean): readonly Place[] =>
  [...propertiesOf(schema)].flatMap(([name, property]) => [
    ...(isWanted(requiredOf(schema).includes(name)) ? [[name]] : []),
    ...placesIn(property, isWanted).map((inner) => [name, ...inner]),
  ]);

const optionalPlaces = (route: Route) => placesIn(schemaOf(route), (isRequired) => !isRequired);
const requiredPlaces = (route: Route) => placesIn(schemaOf(route), (isRequired) => isRequired);

/**
 * The object with the value at the place; objects on the way to it are made. `undefined` leaves the field
 * out.
 */
const put = (target: JsonObject, [name = "", ...inner]: Place, value: unknown): JsonObject => {
  const part = target[name];
  const changed = inner.length === 0 ? value : put(isObject(part) ? part : {}, inner, value);
  const { [name]: _former, ...rest } = target;
  return changed === undefined ? rest : { ...rest, [name]: changed };
};

/** The answer of the route, without the id of the request. */
const send = async (route: Route, fields: JsonObject) => {
  const { status, body } = await call(route, fields);
  const { requestId: _, ...answer } = JSON.parse(body);
  return { status, answer };
};

const fieldAt = (schema: Schema, [name = "", ...inner]: Place): Schema => {
  const field = propertiesOf(schema).get(name) ?? {};
  return inner.length === 0 ? field : fieldAt(field, inner);
};

/** Whether the field is a text or a choice, or may be one. */
const isText = (route: Route, place: Place): boolean =>
  alternativesOf(fieldAt(schemaOf(route), place)).some(({ type }) => type === "string");

/** The values of a field that count as left out. */
const nothingOf = (route: Route, place: Place): readonly unknown[] =>
  isText(route, place) ? [null, ""] : [null];

describe("a field that is null, or a text that is empty,", () => {
  const withOptional = routes.filter((route) => optionalPlaces(route).length > 0);

  it("is looked for on many routes, and in nested objects", () => {
    expect(withOptional.length).toBeGreaterThanOrEqual(20);
    expect(withOptional.flatMap(optionalPlaces).filter((place) => place.length > 1).length).toBeGreaterThan(
      20,
    );
  });

  it.each(withOptional)("counts as left out where it is optional: $name", async (route) => {
    const example = exampleFor(route);
    for (const place of optionalPlaces(route)) {
      const leftOut = await send(route, put(example, place, undefined));
      for (const value of nothingOf(route, place)) {
        const sent = put(example, place, value);
        expect(await send(route, sent), `${place.join(".")}: ${JSON.stringify(value)}`).toEqual(leftOut);
      }
    }
  });

  it("counts as left out in any number of optional fields, also beside a wrong request", async () => {
    const cases = fc.constantFrom(...withOptional).chain((route) => {
      const places = fc.subarray([...optionalPlaces(route)], { minLength: 1 });
      const withValues = places.chain((some) =>
        fc.tuple(
          ...some.map((place) => fc.tuple(fc.constant(place), fc.constantFrom(...nothingOf(route, place)))),
        ),
      );
      const wrong = fc.option(fc.constantFrom(...requiredPlaces(route), ...optionalPlaces(route)));
      return fc.tuple(fc.constant(route), withValues, wrong);
    });
    await fc.assert(
      fc.asyncProperty(cases, async ([route, changes, wrong]) => {
        const start = wrong === null ? exampleFor(route) : put(exampleFor(route), wrong, { wrong: [1] });
        // The outer fields last: a field inside of an object would make it again.
        const ordered = changes.toSorted(([a], [b]) => b.length - a.length);
        const sent = ordered.reduce((fields, [place, value]) => put(fields, place, value), start);
        const leftOut = ordered.reduce((fields, [place]) => put(fields, place, undefined), start);
        expect(await send(route, sent)).toEqual(await send(route, leftOut));
      }),
      { numRuns: 300 },
    );
  });
});

it("does not take an empty text for another type, so that the specification can state what is accepted", async () => {
  const others = routes.flatMap((route) =>
    optionalPlaces(route)
      .filter((place) => !isText(route, place))
      .map((place) => ({ route, place })),
  );
  expect(others.length).toBeGreaterThan(10);
  for (const { route, place } of others) {
    const { status, answer } = await send(route, put(exampleFor(route), place, ""));
    const field = place.join(".");
    const own = answer.errors?.filter((fault: string) => fault.startsWith(`${field}: `));
    expect([status, own?.length], `${route.name} ${field}`).toEqual([400, 1]);
  }
});

describe("a required field", () => {
  const ofBodies = routes.filter(({ method }) => method !== "GET");

  it.each(ofBodies)("that is null is missing, and never accepted: $name", async (route) => {
    for (const place of requiredPlaces(route)) {
      if (route.path.includes(`{${place[0]}}`)) continue;
      const missing = await send(route, put(exampleFor(route), place, undefined));
      expect(missing.status, place.join(".")).toBe(400);
      expect(missing.answer.errors).toContain(`${place.join(".")}: is required`);
      expect(await send(route, put(exampleFor(route), place, null))).toEqual(missing);
    }
  });
});

it("does not accept null and empty texts inside of a list", async () => {
  const route = routes.find(({ name }) => name === "deleteUsers")!;
  for (const value of [null, ""]) {
    expect(await send(route, { userIds: ["user-4711", value] })).toMatchObject({ status: 400 });
  }
});

describe("the specification", () => {
  const bodyOf = ({ bodies }: Operation): Schema => bodies.get("application/json") ?? {};
  const routeOf = ({ id }: Operation): Route | undefined => routes.find(({ name }) => name === id);

  it("states what is accepted: null in an optional field, the empty text in an optional text, null in no required field", () => {
    let [optional, required] = [0, 0];
    for (const operation of operations) {
      const route = routeOf(operation);
      const schema = bodyOf(operation);
      if (route === undefined || propertiesOf(schema).size === 0) continue;
      const check = Compile(schema);
      const example = exampleFor(route);
      for (const place of optionalPlaces(route)) {
        const takesEmpty = isText(route, place);
        expect(check.Check(put(example, place, null)), `${route.name} ${place.join(".")}`).toBe(true);
        expect(check.Check(put(example, place, "")), `${route.name} ${place.join(".")}`).toBe(takesEmpty);
        optional += takesEmpty ? 1 : 0;
      }
      for (const place of requiredPlaces(route)) {
        if (fieldAt(schema, place)["type"] === undefined) continue;
        expect(check.Check(put(example, place, null)), `${route.name} ${place.join(".")}`).toBe(false);
        required += 1;
      }
    }
    expect(optional).toBeGreaterThan(50);
    expect(required).toBeGreaterThan(40);
  });
});
