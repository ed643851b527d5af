import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { failuresOf } from "#contract/endpoint";
import { exampleAnswers } from "#contract/examples/answers";
import { exampleCalls } from "#contract/examples/calls";
import { exampleImages } from "#contract/examples/images";
import { failureKinds } from "#contract/failure";
import { routes } from "#contract/routes";
import { isObject, type JsonObject, memberOf } from "../../../scripts/contract/json.ts";
import { readContract, readDocument } from "../../../scripts/contract/read-contract.ts";
import { writeOpenApi } from "./openapi.ts";
import { bodySchema, hasBody } from "./openapi-fields.ts";
import { plain } from "./plain-schema.ts";
import { toYaml } from "./to-yaml.ts";

const yaml = toYaml(writeOpenApi(routes, "1.2.3"), exampleImages);
const source: unknown = parse(yaml);
const document = readDocument(yaml);
const { operations } = readContract(yaml);

const objectAt = (root: unknown, ...place: readonly string[]): JsonObject => {
  const value = memberOf(root, ...place);
  return isObject(value) ? value : expect.unreachable(place.join("/"));
};

const operationOf = (name: string) =>
  operations.find(({ id }) => id === name) ?? expect.unreachable(`${name} is not described`);

/** The texts of the schemas below a value that no reference takes the place of. */
const schemaTexts = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(schemaTexts);
  if (!isObject(value)) return [];
  const isSchema = ["type", "anyOf", "enum"].some((keyword) => keyword in value);
  const parts = Object.entries(value).flatMap(([key, part]) => (key === "examples" ? [] : schemaTexts(part)));
  return [...(isSchema ? [JSON.stringify(value)] : []), ...parts];
};

const repeatedIn = (texts: readonly string[]): readonly string[] =>
  texts.filter((text, at) => texts.indexOf(text) < at);

/** Characters as JSON from which a schema that stands twice needs a name (`x-name`). */
const schemaTextMax = 250;

describe("the specification", () => {
  it.each(routes)("has for $name the schemas of its route, behind all references", (route) => {
    const { answers, bodies } = operationOf(route.name);
    expect(answers.get("200")?.contents.get("application/json")).toEqual(plain(route.response));
    const body = hasBody(route) ? plain(bodySchema(route)) : undefined;
    expect(bodies.get("application/json")).toEqual(body);
  });

  it.each(routes)("has for $name the failures of its route", (route) => {
    const { answers } = operationOf(route.name);
    const stated = [...answers.values()].flatMap(({ codes }) => codes);
    // Their answer is a message, or one of the route's own.
    const others = [401, 504, ...Object.values(route.statuses ?? {})];
    const withProblem = failuresOf(route).filter((code) => !others.includes(failureKinds[code].status));
    expect(stated.toSorted()).toEqual([...new Set(withProblem)].toSorted());
  });

  it("has larger schemas once", () => {
    const schemas = schemaTexts([memberOf(source, "components", "schemas"), memberOf(source, "paths")]);
    const larger = schemas.filter(({ length }) => length > schemaTextMax);
    expect(repeatedIn(larger)).toEqual([]);
    expect(larger.length).toBeGreaterThan(100);
  });

  it("has each example and each image once", () => {
    const examples = Object.values(objectAt(source, "components", "examples"));
    expect(repeatedIn(examples.map((one) => JSON.stringify(one)))).toEqual([]);
    for (const image of Object.values(exampleImages)) expect(yaml.split(image)).toHaveLength(2);
    const inPlace = [memberOf(source, "paths"), memberOf(source, "components", "responses")];
    expect(JSON.stringify(inPlace)).not.toContain('"value":');
  });

  it.each(exampleCalls)("shows the call $name and its answer at its operation", ({ name, route, fields }) => {
    const operation = objectAt(document, "paths", route.path, route.method.toLowerCase());
    const media = ["content", "application/json", "examples", name, "value"];
    expect(memberOf(operation, "responses", "200", ...media)).toEqual(exampleAnswers[name]);
    if (hasBody(route)) {
      const body = objectAt(operation, "requestBody", ...media);
      expect(fields).toMatchObject(body);
    }
  });

  it("has no component that nothing refers to", () => {
    const references = new Set(yaml.match(/(?<=\$ref: "#\/components\/)[^"]+/gu));
    const kinds = ["examples", "responses", "schemas"];
    const unused = kinds.flatMap((kind) =>
      Object.keys(objectAt(source, "components", kind)).filter((name) => !references.has(`${kind}/${name}`)),
    );
    expect(unused).toEqual([]);
  });
});
