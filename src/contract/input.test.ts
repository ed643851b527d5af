import { describe, expect, it } from "vitest";
import { Failure, type FailureCode } from "./failure.ts";
import { allInputs, asInput, namingField } from "./input.ts";

const caught = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "answered",
    (error: unknown) => error,
  );
const refused = (code: FailureCode, facts = {}, cause?: unknown) =>
  new Failure(code, facts, cause === undefined ? undefined : { cause });

const faults = [
  ["image_unreadable", "could not be decoded as an image"],
  ["image_unsupported", "is of a format that is not served"],
  ["image_too_large", "has more pixels, bytes or frames than allowed"],
  ["token_unreadable", "could not be opened"],
  ["token_wrong_kind", "is a token of another kind"],
  ["token_expired", "is a token whose time is not accepted"],
] as const;

describe("work on an input", () => {
  it("returns its answer", async () => {
    expect(await asInput("first", async () => 7)).toBe(7);
  });

  it.each(faults)("that is refused with %s names the input, beside what was found and why", async (code) => {
    const cause = new Error("inside");
    const error = await caught(asInput("first", () => Promise.reject(refused(code, { bytes: 3 }, cause))));
    expect(error).toMatchObject({ code, facts: { bytes: 3, input: "first" }, cause });
  });

  it("keeps the input that an inner step named, and every other error", async () => {
    const named = refused("image_unreadable", { input: "inner" });
    const others = [
      named,
      refused("engine_busy"),
      refused("token_replayed", { a: 1 }),
      new TypeError("x"),
      "text",
    ];
    for (const error of others)
      expect(await caught(asInput("first", () => Promise.reject(error)))).toBe(error);
  });
});

describe("work on several inputs", () => {
  it("returns the answers in their order", async () => {
    expect(await allInputs([Promise.resolve(1), Promise.resolve("b")])).toEqual([1, "b"]);
    expect(await allInputs([])).toEqual([]);
  });

  it("fails for the first refused input, whichever is refused earlier", async () => {
    const [front, back] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
    const answer = caught(allInputs([front.promise, back.promise]));
    back.reject(refused("image_unreadable", { input: "back" }));
    await new Promise((resolve) => setImmediate(resolve));
    front.reject(refused("image_unreadable", { input: "front" }));
    expect(await answer).toMatchObject({ facts: { input: "front" } });
  });

  it("fails for a later input where the earlier ones are answered", async () => {
    const error = refused("image_unreadable", { input: "back" });
    expect(await caught(allInputs([Promise.resolve(1), Promise.reject(error)]))).toBe(error);
  });
});

describe("the field of a refused input", () => {
  const inputs = { reference: "image", bestImage: ["bestImageToken", "bestImage"] };

  it.each(faults)("with %s stands in the errors and in the facts, not the use case's word", (code, fault) => {
    const cause = new Error("inside");
    const error = namingField(refused(code, { input: "reference", bytes: 3 }, cause), inputs, {});
    expect(error).toMatchObject({ code, cause });
    expect(error instanceof Failure && error.facts).toEqual({
      errors: [`image: ${fault}`],
      field: "image",
      bytes: 3,
    });
  });

  it.each([
    [{ bestImageToken: "a", bestImage: "b" }, "bestImageToken"],
    [{ bestImage: "b" }, "bestImage"],
    [{ bestImageToken: "", bestImage: "b" }, "bestImage"],
    [{}, "bestImage"],
  ])("is the given one of several: of %j it is %s", (request, field) => {
    const error = namingField(refused("token_expired", { input: "bestImage" }), inputs, request);
    expect(error).toMatchObject({
      facts: { field, errors: [`${field}: is a token whose time is not accepted`] },
    });
  });

  it("is absent for an input that the endpoint does not name, whose word goes too", () => {
    for (const input of ["other", 3]) {
      const error = namingField(refused("image_unreadable", { input, bytes: 3 }), inputs, {});
      expect(error instanceof Failure && error.facts).toEqual({ bytes: 3 });
    }
  });

  it("is asked of no other error, and of no refusal without an input", () => {
    const others = [
      refused("engine_busy", { input: "reference" }),
      refused("image_unreadable", { bytes: 3 }),
      new Error("x"),
    ];
    for (const error of others) expect(namingField(error, inputs, {})).toBe(error);
  });
});
