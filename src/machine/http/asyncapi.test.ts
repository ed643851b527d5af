import { Compile } from "typebox/compile";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { eventTopic } from "#contract/event";
import { eventEnvelope, eventNames } from "#contract/event-envelope";
import { exampleEvent, writeAsyncApi } from "./asyncapi.ts";
import { toYaml } from "./to-yaml.ts";

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** The part of the document at a path such as `#/channels/id_captured`; undefined where there is none. */
const partAt = (document: unknown, reference: string): unknown =>
  reference
    .replace(/^#\//u, "")
    .split("/")
    .reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), document);

const referencesIn = (value: unknown): readonly string[] => {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    name === "$ref" ? [String(part)] : referencesIn(part),
  );
};

const document = parse(toYaml(writeAsyncApi("1.2.3", "acme")));

it("describes each event with its topic and type, and refers to nothing that is missing", () => {
  expect(document.asyncapi).toBe("3.0.0");
  for (const name of eventNames) {
    expect(document.channels[name].address).toBe(eventTopic[name]);
    expect(document.components.schemas[name].properties.type.const).toBe(`com.acme.api.workflows.${name}.v1`);
  }
  const references = referencesIn(document);
  expect(references.length).toBeGreaterThan(4 * eventNames.length);
  expect(references.filter((one) => partAt(document, one) === undefined)).toEqual([]);
});

it.each(eventNames)(
  "shows an example of %s that its schema accepts, and holds no mark of a library",
  (name) => {
    expect([...Compile(eventEnvelope(name, "acme")).Errors(exampleEvent(name, "acme"))]).toEqual([]);
    expect(JSON.stringify(document)).not.toContain("~");
  },
);
