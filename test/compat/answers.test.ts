import { describe, expect, it } from "vitest";
import { exampleOf } from "#contract/example";
import { routes } from "#contract/routes";
import { isObject } from "../../scripts/contract/json.ts";
import {
  alternativesOf,
  propertiesOf,
  requiredOf,
  type Schema,
} from "../../scripts/contract/read-contract.ts";
import { isOfInterface } from "../../scripts/moving/operations-page.ts";
import { interfaceOperations, type Member, type Members } from "./interface-types.ts";
import { readStrictly } from "./strict-reader.ts";

const built = routes.filter(isOfInterface);
const operations = Object.entries(interfaceOperations);
const routeOf = (wanted: string) => built.find(({ name }) => name === wanted);

describe("the operations of the interface", () => {
  it("are the built routes, with their paths and methods", () => {
    const stated = operations.map(([name, { method, path }]) => `${name} ${method} ${path}`);
    const ours = built.map(({ name, method, path }) => `${name} ${method} ${path}`);
    expect(stated.toSorted()).toEqual(ours.toSorted());
  });

  it.each(operations)(
    "require no more than the interface, and take its optional fields: %s",
    (name, operation) => {
      const { required, optional } = operation;
      const request: Schema = JSON.parse(JSON.stringify(routeOf(name)?.request));
      const known: readonly string[] = required;
      for (const field of requiredOf(request)) expect(known, field).toContain(field);
      for (const field of required) expect(propertiesOf(request).has(field), field).toBe(true);
      for (const field of optional) {
        const [outer = "", inner] = field.split(".");
        expect(propertiesOf(request).has(outer), field).toBe(true);
        expect(requiredOf(request), field).not.toContain(outer);
        const part = propertiesOf(request).get(outer) ?? {};
        if (inner === undefined) continue;
        expect(propertiesOf(part).has(inner), field).toBe(true);
        expect(requiredOf(part), field).not.toContain(inner);
      }
    },
  );
});

/** The types that a schema allows. */
const typesOf = (schema: Schema): readonly unknown[] => alternativesOf(schema).map(({ type }) => type);

/**
 * Members whose schema allows another type than the interface's, or may be absent although it always has
 * them.
 */
const widerMembers = (schema: Schema, members: Members, place = ""): readonly string[] =>
  Object.entries(members).flatMap(([name, member]) => {
    const stated = propertiesOf(schema).get(name) ?? {};
    const at = `${place}${name}`;
    const isOptional = typeof member === "object" && "optional" in member;
    const mayBeAbsent = !requiredOf(schema).includes(name) && !isOptional;
    return [...(mayBeAbsent ? [`${at} may be absent`] : []), ...wider(stated, member, at)];
  });

const allowed: Readonly<Record<string, readonly string[]>> = {
  text: ["string", "null"],
  integer: ["integer"],
  "integer or null": ["integer", "null"],
  float: ["number", "integer"],
  any: ["object", "array"],
};

const wider = (schema: Schema, member: Member, at: string): readonly string[] => {
  if (typeof member === "object" && "optional" in member) return wider(schema, member.optional, at);
  if (typeof member === "object" && "object" in member) return widerMembers(schema, member.object, `${at}.`);
  const types = typeof member === "string" ? (allowed[member] ?? []) : ["string"];
  return typesOf(schema)
    .filter((type) => !types.includes(String(type)))
    .map((type) => `${at} may be ${String(type)}`);
};

describe("the answers of the contract", () => {
  it.each(operations)(
    "have the interface's types, and no number that may be null: %s",
    (name, { answer }) => {
      expect(widerMembers(JSON.parse(JSON.stringify(routeOf(name)?.response)), answer)).toEqual([]);
    },
  );

  it.each(operations)("show an example that a strict client reads: %s", (name, { answer }) => {
    expect(readStrictly(answer, exampleOf(routeOf(name)?.response))).toEqual([]);
  });
});

describe("the strict reader", () => {
  const { identity, extractFacial, documentValidationData } = interfaceOperations;
  const example = (name: string) => {
    const value = exampleOf(routeOf(name)?.response);
    return isObject(value) ? value : {};
  };

  it.each([
    ["a similarity that is null", { facialAuthenticationSimilarity: null }],
    ["a similarity as text", { facialAuthenticationSimilarity: "0.5" }],
    ["a result that is no integer", { passiveLivenessResult: 3.5 }],
    ["a time as a number", { serviceTime: 224 }],
    ["a member that is absent", { serviceTransactionId: undefined }],
  ])("refuses %s", (_, change) => {
    expect(readStrictly(identity.answer, { ...example("identity"), ...change })).toHaveLength(1);
  });

  it("takes a text that is null, and a member that it does not know", () => {
    const answer = { ...example("identity"), passiveLivenessLog: null, more: { than: "known" } };
    expect(readStrictly(identity.answer, answer)).toEqual([]);
  });

  it("reads the JSON inside of a text, where a measured number may be absent and never null", () => {
    const faults = (result: object) =>
      readStrictly(extractFacial.answer, {
        ...example("extractFacial"),
        serviceFacialExtractionResult: JSON.stringify(result),
      });
    const without = { glasses: null, gender: "None", faceConfidence: 0 };
    expect(faults(without)).toEqual([]);
    expect(faults({ ...without, age: null })).toHaveLength(1);
    expect(faults({ ...without, gender: "none" })).toHaveLength(1);
    expect(faults([])).toHaveLength(1);
  });

  it("reads nested objects", () => {
    const verification = Object(example("documentValidationData")["verification"]);
    const faults = (change: object) =>
      readStrictly(documentValidationData.answer, {
        ...example("documentValidationData"),
        verification: { ...verification, ...change },
      });
    expect(faults({ reasonCode: 511 })).toEqual([]);
    expect(faults({ code: null })).toHaveLength(1);
    expect(faults({ person: null })).toHaveLength(1);
  });
});
