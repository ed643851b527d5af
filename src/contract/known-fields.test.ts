import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { describe, expect, it } from "vitest";
import { EncodedBytes, readBase64 } from "./base64.ts";
import { implement, route } from "./endpoint.ts";
import { Failure } from "./failure.ts";
import { knownFields } from "./known-fields.ts";

const encoded = (text: string) => new EncodedBytes(text.slice(0, 100), readBase64(text));

const schema = Type.Object({
  image: Type.String({ contentEncoding: "base64" }),
  note: Type.Optional(Type.String({ maxLength: 10 })),
  list: Type.Optional(Type.Array(Type.String({ maxLength: 10 }), { minItems: 1, maxItems: 3 })),
  inner: Type.Optional(Type.Object({ token: Type.String({ contentEncoding: "base64" }) })),
});

const echo = implement(
  route({
    name: "echo",
    method: "POST",
    path: "/echo",
    scope: "face",
    tag: "Test",
    summary: "Answers with its input",
    request: schema,
    response: Type.Object({ seen: Type.Unknown() }),
    failures: [],
  }),
  async ({ request }) => ({ seen: request }),
);

const call = (request: unknown) =>
  echo.handle({
    request,
    caller: { tenantId: "t", keyId: "k", environment: "test" },
    transactionId: "x",
    requestId: "r",
    receivedAt: new Date(0),
    signal: new AbortController().signal,
    elapsedMs: () => 0,
  });

const errorsOf = async (request: unknown): Promise<unknown> =>
  call(request).then(
    () => [],
    (error: unknown) => (error instanceof Failure ? error.facts["errors"] : error),
  );

describe("a long text that was decoded with its body", () => {
  it("reaches the handler in a Base64 field, at any depth", async () => {
    const [image, token] = [encoded("QUJD".repeat(50)), encoded("?".repeat(500))];
    expect(await call({ image, inner: { token } })).toEqual({ seen: { image, inner: { token } } });
  });

  it("is the text again in any other field, and its fault is that of the text", async () => {
    const long = "x".repeat(200);
    const body = { image: "QUJD", note: encoded(long), list: ["a", encoded(long)] };
    expect(await errorsOf(body)).toEqual(await errorsOf({ ...body, note: long, list: ["a", long] }));
    expect(await errorsOf(body)).toEqual([
      "note: must not have more than 10 characters",
      "list.1: must not have more than 10 characters",
    ]);
  });

  it("that has few characters is that text", () => {
    const note = new EncodedBytes("short", {});
    expect(knownFields(schema, { image: "QUJD", note })).toEqual({ image: "QUJD", note: "short" });
  });

  it("inside a value of a wrong type is refused with it", async () => {
    const text = encoded("QUJD".repeat(50));
    expect(await errorsOf({ image: { text } })).toEqual(["image: must be a string"]);
    expect(await errorsOf({ image: [text] })).toEqual(["image: must be a string"]);
    expect(await errorsOf(text)).toEqual(["must be an object"]);
  });
});

describe("a list", () => {
  /** Fails the test when an item is read. */
  const unread = (length: number): unknown[] => {
    const list = Array.from({ length });
    Object.defineProperty(list, 0, { get: () => expect.unreachable("An item was read") });
    return list;
  };

  it("with too many items is judged before its items, with one fault, in the words of the schema", async () => {
    const errors = await errorsOf({ image: "QUJD", list: unread(20_000) });
    expect(errors).toEqual(["list: must not have more than 3 items"]);
    const library = Compile(schema).Errors({ image: "QUJD", list: ["a", "b", "c", "d"] });
    expect(library.map(({ message }) => message)).toEqual(["must not have more than 3 items"]);
  });

  it("with as many items as allowed, or too few, is judged by the schema", async () => {
    expect(await errorsOf({ image: "QUJD", list: ["a", "b", "c"] })).toEqual([]);
    expect(await errorsOf({ image: "QUJD", list: ["a", 1, "c"] })).toEqual(["list.1: must be a string"]);
    expect(await errorsOf({ image: "QUJD", list: [] })).toEqual(["list: must have at least one item"]);
  });

  it("where none belongs is refused without a look at its items", async () => {
    expect(await errorsOf({ image: unread(20_000) })).toEqual(["image: must be a string"]);
  });
});

it("a field that is null, or an optional text that is empty, is left out at every depth", () => {
  const read = (body: object) => knownFields(schema, body);
  expect(read({ image: "", note: "", list: null, inner: { token: null } })).toEqual({ image: "", inner: {} });
  expect(read({ image: null, inner: null, list: null })).toEqual({});
  expect(read({ inner: "", list: "" })).toEqual({ inner: "", list: "" });
  expect(read({ image: "", note: " ", list: [null, ""] })).toEqual({
    image: "",
    note: " ",
    list: [null, ""],
  });
});

it("names 64 faults at most", async () => {
  const many = implement(
    route({
      ...echo.route,
      request: Type.Object({ list: Type.Array(Type.String(), { maxItems: 1000 }) }),
      response: Type.Object({}),
    }),
    async () => ({}),
  );
  const refused = await many
    .handle({
      request: { list: Array.from({ length: 1000 }, () => 1) },
      caller: { tenantId: "t", keyId: "k", environment: "test" },
      transactionId: "x",
      requestId: "r",
      receivedAt: new Date(0),
      signal: new AbortController().signal,
      elapsedMs: () => 0,
    })
    .catch((error: unknown) => error);
  expect(refused instanceof Failure && refused.facts["errors"]).toHaveLength(64);
});
