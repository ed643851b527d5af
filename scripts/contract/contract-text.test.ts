import { type TSchema, Type } from "typebox";
import { describe, expect, it } from "vitest";
import { type Route, route } from "#contract/endpoint";
import { routes } from "#contract/routes";
import { writeContractText } from "./contract-text.ts";

const size = Type.Integer({ minimum: 1, maximum: 9, description: "Size of the thing.", examples: [3] });
const placeWith = (fields: Readonly<Record<string, TSchema>>) => Type.Object(fields, { "x-name": "Place" });
const place = placeWith({ city: Type.String() });
const colours = Array.from({ length: 9 }, (_, at) => `colour-${at}`);

const requestWith = (shared: TSchema) => ({
  thingId: Type.String({ maxLength: 64 }),
  name: Type.String({ minLength: 1 }),
  kind: Type.Optional(Type.Enum(["one", "two"])),
  places: Type.Optional(Type.Array(shared, { maxItems: 5 })),
});
const responseWith = (shared: TSchema) => ({
  size,
  note: Type.Union([Type.String(), Type.Null()]),
  colour: Type.Enum(colours),
  parts: Type.Array(Type.Object({ score: Type.Number(), place: Type.Optional(shared) })),
});
const request = requestWith(place);
const response = responseWith(place);

const thing = route({
  name: "changeThing",
  method: "POST",
  path: "/things/{thingId}",
  scope: "document",
  tag: "Things",
  cost: 2,
  summary: "Changes a thing",
  request: Type.Object(request),
  response: Type.Object(response),
  failures: ["not_found"],
});

const linesOf = (one: Route): readonly string[] => writeContractText([one]).split("\n");

const text = `POST /things/{thingId} changeThing, scope document, tag Things, cost 2
  path thingId: string maxLength=64
  body name: string minLength=1
  body kind?: "one" | "two"
  body places?: array maxItems=5
  body places[]: Place
  answer size: integer minimum=1 maximum=9
  answer note: string | null
  answer colour: one of
  answer colour = "colour-0"
  answer colour = "colour-1"
  answer colour = "colour-2"
  answer colour = "colour-3"
  answer colour = "colour-4"
  answer colour = "colour-5"
  answer colour = "colour-6"
  answer colour = "colour-7"
  answer colour = "colour-8"
  answer parts: array
  answer parts[]: object
  answer parts[].score: number
  answer parts[].place?: Place
  failure 404 not_found
  failure 409 idempotency_answer_lost
  failure 409 idempotency_call_running
  failure 409 idempotency_key_reused
  failure 409 idempotency_key_taken
  failure 422 persona_refused

schemas with a name
  Place: object
  Place.city: string
`;

const withRequest = (change: object): Route => ({
  ...thing,
  request: Type.Object({ ...request, ...change }),
});
const withResponse = (change: object): Route => ({
  ...thing,
  response: Type.Object({ ...response, ...change }),
});

const withPlace = (shared: TSchema): Route => ({
  ...thing,
  request: Type.Object(requestWith(shared)),
  response: Type.Object(responseWith(shared)),
});

type Change = readonly [title: string, changed: Route, removed: readonly string[], added: readonly string[]];

const changes: readonly Change[] = [
  ["a text", { ...thing, summary: "Another", description: "More" }, [], []],
  [
    "the texts and examples of a field",
    withResponse({ size: Type.Integer({ minimum: 1, maximum: 9, description: "Other.", examples: [4] }) }),
    [],
    [],
  ],
  [
    "a bound",
    withRequest({ name: Type.String({ minLength: 2 }) }),
    ["  body name: string minLength=1"],
    ["  body name: string minLength=2"],
  ],
  [
    "a field that need not be sent any more",
    withRequest({ name: Type.Optional(Type.String({ minLength: 1 })) }),
    ["  body name: string minLength=1"],
    ["  body name?: string minLength=1"],
  ],
  [
    "a new field of the answer",
    withResponse({ weight: Type.Optional(Type.Number()) }),
    [],
    ["  answer weight?: number"],
  ],
  [
    "a field that may be null",
    withResponse({ size: Type.Union([size, Type.Null()]) }),
    ["  answer size: integer minimum=1 maximum=9"],
    ["  answer size: integer minimum=1 maximum=9 | null"],
  ],
  [
    "a value of a long list",
    withResponse({ colour: Type.Enum([...colours, "grey"]) }),
    [],
    ['  answer colour = "grey"'],
  ],
  [
    "a value of a short list",
    withRequest({ kind: Type.Optional(Type.Enum(["one", "two", "three"])) }),
    ['  body kind?: "one" | "two"'],
    ['  body kind?: "one" | "two" | "three"'],
  ],
  [
    "a failure",
    { ...thing, failures: ["not_found", "image_too_large"] },
    [],
    ["  failure 422 image_too_large"],
  ],
  [
    "the end of a route",
    { ...thing, deprecated: true },
    ["POST /things/{thingId} changeThing, scope document, tag Things, cost 2"],
    ["POST /things/{thingId} changeThing, scope document, tag Things, cost 2, deprecated"],
  ],
  ["a form of the answer", { ...thing, files: ["application/pdf"] }, [], ["  answer as application/pdf"]],
  [
    "a secret that is shown once",
    { ...thing, shownOnce: { secrets: ["note"], names: ["size"], next: "Ask again." } },
    [],
    ["  shown once: note", "  failure 409 idempotency_secret_shown"],
  ],
  [
    "a status of an answer",
    { ...thing, statuses: { "-100": 401 } },
    [],
    ["  answer 401 at serviceResultCode -100"],
  ],
  [
    "a shared schema, which stands in a request and an answer",
    withPlace(placeWith({ city: Type.String(), street: Type.Optional(Type.String()) })),
    [],
    ["  Place.street?: string"],
  ],
  [
    "a call to the caller",
    {
      ...thing,
      callback: { field: "url", description: "Later.", body: Type.Object({ done: Type.Boolean() }) },
    },
    [],
    ["  callback to url done: boolean"],
  ],
];

describe("the contract in lines", () => {
  it("has a line for the route, each field and each failure, and a shared schema once", () => {
    expect(writeContractText([thing])).toContain(`\n\n${text}`);
  });

  it("has the failures of every route once", () => {
    const lines = linesOf(thing);
    expect(lines).toContain("  failure 401 unauthorized");
    expect(writeContractText([thing, thing]).match(/failure 401 unauthorized/gu)).toHaveLength(1);
  });

  it.each(changes)("changes its own lines alone at a change of %s", (_, changed, removed, added) => {
    const [former, current] = [linesOf(thing), linesOf(changed)];
    expect(former.filter((line) => !current.includes(line))).toEqual(removed);
    expect(current.filter((line) => !former.includes(line))).toEqual(added);
    expect(current).toHaveLength(former.length - removed.length + added.length);
  });

  it("has every route of the interface in at most 3,000 lines", () => {
    const lines = writeContractText(routes).split("\n");
    for (const { method, path, name } of routes) {
      expect(lines.filter((line) => line.startsWith(`${method} ${path} ${name},`))).toHaveLength(1);
    }
    expect(lines.length).toBeLessThan(3000);
  });
});
