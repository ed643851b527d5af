import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exampleToken } from "../contract/example.ts";
import { readEnvelope, tokenKinds } from "./envelope.ts";
import { createTokenKey, publishKeys, rotateTokenKeys } from "./keys.ts";
import { makeOpenToken, type TokenLimits } from "./open.ts";
import { sealToken } from "./seal.ts";

const now = new Date("2026-11-21T12:00:00Z");
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);
const limits: TokenLimits = {
  tokenBytesMax: 1_000_000,
  aheadMsMax: 120_000,
  ageMsMax: {
    "best-image": 600_000,
    "face-image": 600_000,
    template: null,
    ocr: 600_000,
    "document-image": 600_000,
    tracking: 86_400_000,
  },
};
const keys = { current: await createTokenKey(now) };
const open = await makeOpenToken(keys, limits);
const payload = new TextEncoder().encode("encoded picture");
const sealed = async (changes: Partial<Parameters<typeof sealToken>[0]> = {}) =>
  Buffer.from(
    await sealToken({ keys: publishKeys(keys), kind: "best-image", payload, now, ...changes }),
    "base64",
  );

describe("a token", () => {
  it("has the form that the specification shows", async () => {
    for (const kind of tokenKinds) {
      const shown = Buffer.from(exampleToken(kind), "base64");
      expect(readEnvelope(shown)?.header.kind).toBe(kind);
      await expect(open(shown, kind, now)).rejects.toMatchObject({ code: "token_unreadable" });
    }
  });

  it("is not sealed as a kind that there is not, and the kinds are named", async () => {
    for (const kind of ['"document_image"', '"toString"', "null"]) {
      await expect(sealed({ kind: JSON.parse(kind) })).rejects.toThrow(
        /^There is no token of the kind .*best-image, face-image, template, ocr, document-image, tracking$/,
      );
    }
  });

  it("opens to the very bytes that were sealed, for every kind", async () => {
    const content = fc.uint8Array({ maxLength: 30_000 });
    await fc.assert(
      fc.asyncProperty(content, fc.constantFrom(...tokenKinds), async (bytes, kind) => {
        const opened = await open(await sealed({ payload: bytes, kind }), kind, now);
        expect(opened.payload).toEqual(bytes);
        expect(opened.issuedAt).toEqual(now);
      }),
      { numRuns: 60 },
    );
  });

  it("is unreadable when any single bit of it is changed", async () => {
    const bytes = await sealed();
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      await expect(open(changed, "best-image", now), `bit ${bit}`).rejects.toMatchObject({
        code: "token_unreadable",
      });
    }
  });

  it("is unreadable when cut off anywhere", async () => {
    const token = await sealed();
    for (let length = 0; length < token.length; length += 5) {
      await expect(open(token.subarray(0, length), "best-image", now)).rejects.toMatchObject({
        code: "token_unreadable",
      });
    }
  });

  it("is refused by its length alone when it is too long", async () => {
    const long = Buffer.alloc(1_000_001);
    await expect(open(long, "best-image", now)).rejects.toMatchObject({ facts: { bytesMax: 1_000_000 } });
  });

  it("does not open with another deployment's key, even under the same key id", async () => {
    const foreign = await createTokenKey(now);
    const token = await sealed({ keys: publishKeys({ current: foreign }) });
    await expect(open(token, "best-image", now)).rejects.toMatchObject({ code: "token_unreadable" });
    const disguised = await sealed({ keys: publishKeys({ current: { ...foreign, kid: keys.current.kid } }) });
    await expect(open(disguised, "best-image", now)).rejects.toMatchObject({ code: "token_unreadable" });
  });

  it("of another kind is told apart", async () => {
    const token = await sealed({ kind: "template" });
    await expect(open(token, "best-image", now)).rejects.toMatchObject({
      code: "token_wrong_kind",
      facts: { expected: "best-image", found: "template" },
    });
  });

  it("may be of any of several kinds, each by its own age", async () => {
    const kinds = ["template", "best-image"] as const;
    for (const kind of kinds) {
      expect(await open(await sealed({ kind }), kinds, now)).toMatchObject({ kind, payload });
    }
    await expect(open(await sealed({ kind: "template" }), kinds, minutes(11))).resolves.toBeDefined();
    await expect(open(await sealed(), kinds, minutes(11))).rejects.toMatchObject({ code: "token_expired" });
    await expect(open(await sealed({ kind: "ocr" }), kinds, now)).rejects.toMatchObject({
      code: "token_wrong_kind",
      facts: { expected: "template or best-image", found: "ocr" },
    });
  });

  it("expires by its kind's age and not before", async () => {
    const token = await sealed();
    await expect(open(token, "best-image", minutes(10))).resolves.toBeDefined();
    await expect(open(token, "best-image", minutes(10.01))).rejects.toMatchObject({ code: "token_expired" });
    const template = await sealed({ kind: "template" });
    await expect(open(template, "template", minutes(5_000_000))).resolves.toBeDefined();
  });

  it("may come from a clock that runs a little ahead, but not more", async () => {
    await expect(open(await sealed({ now: minutes(2) }), "best-image", now)).resolves.toBeDefined();
    await expect(open(await sealed({ now: minutes(2.01) }), "best-image", now)).rejects.toMatchObject({
      code: "token_expired",
    });
  });

  it("is named by the SHA-256 of its bytes", async () => {
    const token = await sealed();
    const hash = createHash("sha256").update(token).digest("hex");
    expect(await open(token, "best-image", now)).toMatchObject({ hash });
  });

  it("stays readable through one rotation and no further, a template through every one", async () => {
    const token = await sealed();
    const template = await sealed({ kind: "template" });
    const once = await rotateTokenKeys(keys, now);
    const twice = await rotateTokenKeys(once, now);
    await expect((await makeOpenToken(once, limits))(token, "best-image", now)).resolves.toBeDefined();
    const thrice = await rotateTokenKeys(twice, now);
    for (const later of [twice, thrice]) {
      const openLater = await makeOpenToken(later, limits);
      await expect(openLater(token, "best-image", now)).rejects.toMatchObject({ code: "token_unreadable" });
      await expect(openLater(token, "template", now)).rejects.toMatchObject({ code: "token_wrong_kind" });
      await expect(openLater(template, "template", now)).resolves.toMatchObject({ payload });
      const both = ["best-image", "template"] as const;
      await expect(openLater(template, both, now)).resolves.toMatchObject({ payload });
      await expect(openLater(token, both, now)).rejects.toMatchObject({ code: "token_unreadable" });
    }
  });
});
