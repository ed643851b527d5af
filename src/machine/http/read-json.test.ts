import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EncodedBytes } from "#contract/base64";
import { type Call, implement } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import { echoRoute } from "#support/http/harness";
import { longTextBytes } from "./json-scan.ts";
import { assembleBody, consumeBody, readBody } from "./read-json.ts";

/** As a body arrives from a thread. */
const read = (body: string | Buffer): object =>
  assembleBody(structuredClone(readBody([Buffer.from(body)], false)));

const long = (text: string) => text.repeat(Math.ceil((longTextBytes + 1) / text.length));

/** The body with each text cut to the length that a decoded one keeps. */
const cut = (value: unknown): unknown => {
  if (value instanceof EncodedBytes) return value.head;
  if (typeof value === "string") return value.slice(0, longTextBytes);
  if (Array.isArray(value)) return value.map(cut);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, cut(part)]));
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return "not JSON";
  }
};

const readOrRefused = (text: string): unknown => {
  try {
    return cut(read(text));
  } catch (error) {
    if (error instanceof Failure && error.code === "json_unreadable") return "not JSON";
    throw error;
  }
};

describe("a body", () => {
  it("is what JSON.parse returns, for any object", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ depthSize: "medium" })),
        (value) => {
          const text = JSON.stringify(value);
          expect(readOrRefused(text)).toEqual(parsed(text));
          expect(readOrRefused(JSON.stringify(value, null, 2))).toEqual(parsed(text));
        },
      ),
    );
  });

  it("with one character changed is refused exactly where JSON.parse refuses it", () => {
    const base = JSON.stringify({ a: ["b", 1, null, true, { "\u00e9\n": '\u{1f426}\\"' }], c: long("QUJD") });
    const character = fc.constantFrom(...'{}[]",:\\ \n0e-+.utn\u0000\u007f\u00e9'.split(""));
    const places = fc.oneof(fc.nat(80), fc.integer({ min: base.length - 80, max: base.length - 1 }));
    fc.assert(
      fc.property(places, character, fc.boolean(), (at, one, isAdded) => {
        const text = base.slice(0, at) + one + base.slice(isAdded ? at : at + 1);
        // Half of a character beyond the basic plane is a replacement character in UTF-8.
        const expected = parsed(Buffer.from(text).toString());
        const isBody = typeof expected === "object" && expected !== null && !Array.isArray(expected);
        const found = readOrRefused(text);
        expect(isBody ? isDeepStrictEqual(cut(found), cut(expected)) : found === "not JSON").toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it.each(["[]", '"a"', "null", "5", `"${long("a")}"`, "{", "{}{}", ""])(
    "that is no object is refused: %.20s",
    (text) => {
      if (text === "") expect(read(text)).toEqual({});
      else expect(readOrRefused(text)).toBe("not JSON");
    },
  );

  it("may come in blocks, and begin with a byte order mark", () => {
    const text = `\ufeff{"a":"${long("\u00e9")}","b":1}`;
    const bytes = Buffer.from(text);
    const blocks = [bytes.subarray(0, 2), bytes.subarray(2, 9_001), bytes.subarray(9_001)];
    expect(assembleBody(readBody(blocks, false))).toEqual(read(text));
  });

  it("is hashed as it was sent, where that is asked for", () => {
    const bytes = Buffer.from('\ufeff{ "a": 1 }');
    expect(readBody([bytes], true).sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
    expect(readBody([], true).sha256).toBe(createHash("sha256").digest("hex"));
    expect(readBody([bytes], false)).not.toHaveProperty("sha256");
  });
});

describe("the memory of a body", () => {
  const blocksOf = (text: string) => [
    new Uint8Array(Buffer.from(text.slice(0, 9))),
    new Uint8Array(Buffer.from(text.slice(9))),
  ];

  it("is given back once its values own theirs, and when the body is refused", () => {
    const image = Buffer.alloc(30_000, 7).toString("base64");
    const sound = blocksOf(JSON.stringify({ image }));
    const { longValues } = consumeBody(sound, true);
    expect(sound.map(({ byteLength }) => byteLength)).toStrictEqual([0, 0]);
    expect(longValues[0]?.decoding.bytes?.length).toBe(30_000);
    const broken = blocksOf(`{"x":${"[".repeat(1_000)}`);
    expect(() => consumeBody(broken, false)).toThrow(Failure);
    expect(broken.map(({ byteLength }) => byteLength)).toStrictEqual([0, 0]);
  });
});

describe("a long text", () => {
  const image = Buffer.from(Array.from({ length: 9_000 }, (_, at) => at % 251));
  const base64 = image.toString("base64");

  it.each([
    ["as it is", JSON.stringify(base64)],
    ["with escaped slashes", JSON.stringify(base64).replaceAll("/", String.raw`\/`)],
    ["with escaped code units", JSON.stringify(base64).replaceAll("+", String.raw`\u002B`)],
    ["with line breaks", JSON.stringify(base64.replaceAll(/.{76}/g, "$&\r\n"))],
    ["with a prefix", JSON.stringify(`data:image/jpeg;base64,${base64}`)],
  ])("is decoded %s", (_, literal) => {
    const body = Object(read(`{"a":${literal}}`));
    expect(Buffer.from(body.a.decoding.bytes).equals(image)).toBe(true);
    expect(body.a.head).toBe(String(JSON.parse(literal)).slice(0, longTextBytes));
  });

  it.each(["\n", "\r", "\u0000", "\u001f", "\t"])("with the control character %j is no JSON", (character) => {
    for (const text of [base64, long("\u{1f426} "), `${base64}!`]) {
      for (const at of [0, 5_000, text.length]) {
        const sent = `{"a":"${text.slice(0, at)}${character}${text.slice(at)}"}`;
        expect(readOrRefused(sent)).toBe("not JSON");
        expect(parsed(sent)).toBe("not JSON");
      }
    }
  });

  it("that is no Base64 has no bytes, and keeps its first characters", () => {
    const text = long("\u{1f426} ");
    const { a } = Object(read(JSON.stringify({ a: text })));
    expect([a.decoding.bytes, a.head]).toEqual([undefined, text.slice(0, longTextBytes)]);
  });

  it("that is no Base64 keeps its text to 128 KiB, and its hash beyond", () => {
    const textOf = (bytes: number) => Object(read(JSON.stringify({ a: ".".repeat(bytes) }))).a.decoding;
    const kept = textOf(131_072);
    expect([Buffer.from(kept.text).toString(), kept.sha256]).toEqual([".".repeat(131_072), undefined]);
    const [one, another] = [textOf(131_073), textOf(131_074)];
    expect([one.text, one.sha256]).toEqual([undefined, expect.stringMatching(/^[\da-f]{64}$/)]);
    expect(another.sha256).not.toBe(one.sha256);
    expect(textOf(8_200).text.buffer.byteLength).toBe(8_200);
  });

  it("cannot be forged: a short text is never taken for the place of a long one", () => {
    const texts = ["0", "1", "0".repeat(longTextBytes), `${"0".repeat(longTextBytes - 1)}1`];
    const body = { long: long("QUJD"), texts, nested: { texts } };
    expect(Object(cut(read(JSON.stringify(body)))).texts).toEqual(texts);
    expect(Object(cut(read(JSON.stringify(body)))).nested.texts).toEqual(texts);
  });

  it("as the name of a field is an unknown field", () => {
    const body = Object(read(JSON.stringify({ [long("n")]: 1, a: 2 })));
    expect([Object.keys(body).length, body.a]).toEqual([2, 2]);
  });

  it("of a repeated field counts where it is the last", () => {
    const text = JSON.stringify(base64);
    expect(Object(read(`{"a":${text},"a":"short"}`)).a).toBe("short");
    expect(Object(read(`{"a":"short","a":${text}}`)).a).toBeInstanceOf(EncodedBytes);
  });
});

describe("an endpoint", () => {
  const endpoint = implement(echoRoute, async ({ request }) => ({ seen: request }));
  const answerTo = async (request: unknown): Promise<unknown> => {
    const call: Call<unknown> = {
      request,
      caller: { tenantId: "t", keyId: "k", environment: "test" },
      transactionId: "x",
      requestId: "r",
      receivedAt: new Date(0),
      signal: new AbortController().signal,
      elapsedMs: () => 0,
    };
    return endpoint.handle(call).catch((error: unknown) => (error instanceof Failure ? error.facts : error));
  };

  it("answers the same to a body that was read so and to the same body from JSON.parse", async () => {
    const text = fc.constantFrom("", "AAAA", "ONE", "x".repeat(300), long("QUJD"), long("\u00e9 "));
    const value = fc.oneof(text, fc.integer(), fc.constant(null), fc.array(text), fc.record({ inner: text }));
    const bodies = fc.record(
      { image: value, kind: fc.oneof(fc.constant("ONE"), value), count: value, nested: value, other: value },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const sent = JSON.stringify(body);
        const [one, other] = [await answerTo(read(sent)), await answerTo(JSON.parse(sent))];
        expect(isDeepStrictEqual(cut(one), cut(other))).toBe(true);
      }),
    );
  });
});
