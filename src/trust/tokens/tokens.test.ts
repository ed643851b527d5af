import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exampleToken } from "#contract/example";
import { Failure } from "#contract/failure";
import { readEnvelope, sealingInfo, tokenKinds, writeTenantHeader } from "./envelope.ts";
import { createTokenKey, publishKeys, rotateTokenKeys, type TokenKeys } from "./keys.ts";
import { makeOpenToken, type TokenLimits } from "./open.ts";
import { keyIdOf, sealToken } from "./seal.ts";
import { sealForTenant } from "./seal-for-tenant.ts";
import { makeSuite, ownBuffer } from "./suite.ts";
import type { OpenToken, TokenKind } from "./token.ts";

const now = new Date("2026-11-21T12:00:00Z");
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);
const limits: TokenLimits = {
  tokenBytesMax: 1_000_000,
  aheadMsMax: 120_000,
  templateWithoutTenant: "accepted",
  openImages: "refused",
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
const caller = { tenantId: "tenant a", environment: "live" } as const;
/** Opens as a call of a tenant at a time does. */
const makeOpen = async (held: TokenKeys, limitsOfCase = limits) => {
  const openToken = await makeOpenToken(held, limitsOfCase);
  return (
    token: Uint8Array,
    kind: Parameters<OpenToken>[1],
    at: Date,
    change: {
      readonly tenantId?: string;
      readonly environment?: "live" | "test";
      readonly isReference?: boolean;
    } = {},
  ) => {
    const { isReference, ...changedCaller } = change;
    return openToken(token, kind, {
      caller: { ...caller, ...changedCaller },
      receivedAt: at,
      ...(isReference === undefined ? {} : { isReference }),
    });
  };
};
const open = await makeOpen(keys);
const payload = new TextEncoder().encode("encoded picture");
const sealed = async (changes: Partial<Parameters<typeof sealToken>[0]> = {}) =>
  Buffer.from(
    await sealToken({ keys: publishKeys(keys), kind: "best-image", payload, now, ...changes }),
    "base64",
  );

describe("a token", () => {
  it("has the form of the specification", async () => {
    for (const kind of tokenKinds) {
      const shown = Buffer.from(exampleToken(kind), "base64");
      expect(readEnvelope(shown)?.header.kind).toBe(kind);
      await expect(open(shown, kind, now)).rejects.toMatchObject({ code: "token_unreadable" });
    }
  });

  it("is not sealed as an unknown kind, and the error lists the kinds", async () => {
    for (const kind of ['"document_image"', '"toString"', "null"]) {
      await expect(sealed({ kind: JSON.parse(kind) })).rejects.toThrow(
        /^There is no token of the kind .*best-image, face-image, template, ocr, document-image, tracking$/,
      );
    }
  });

  it("opens to exactly the sealed bytes, for every kind", async () => {
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

  it("is unreadable when truncated anywhere", async () => {
    const token = await sealed();
    for (let length = 0; length < token.length; length += 5) {
      await expect(open(token.subarray(0, length), "best-image", now)).rejects.toMatchObject({
        code: "token_unreadable",
      });
    }
  });

  it("is refused by its length when it is too long", async () => {
    const long = Buffer.alloc(1_000_001);
    await expect(open(long, "best-image", now)).rejects.toMatchObject({ facts: { bytesMax: 1_000_000 } });
    const token = await sealed();
    const opening = async (tokenBytesMax: number) =>
      (await makeOpen(keys, { ...limits, tokenBytesMax }))(token, "best-image", now);
    await expect(opening(token.length)).resolves.toBeDefined();
    await expect(opening(token.length - 1)).rejects.toMatchObject({ code: "token_unreadable" });
  });

  it("asks for renewed keys only where it was sealed to none of the known ones", async () => {
    let renewals = 0;
    const openToken = await makeOpenToken(keys, limits, async () => {
      renewals += 1;
      return keys;
    });
    await openToken(await sealed(), "best-image", { caller, receivedAt: now });
    expect(renewals).toBe(0);
    const foreign = await sealed({ keys: publishKeys({ current: await createTokenKey(now) }) });
    await expect(openToken(foreign, "best-image", { caller, receivedAt: now })).rejects.toBeDefined();
    expect(renewals).toBe(1);
  });

  it("does not open with another deployment's key, even under the same key id", async () => {
    const foreign = await createTokenKey(now);
    const token = await sealed({ keys: publishKeys({ current: foreign }) });
    await expect(open(token, "best-image", now)).rejects.toMatchObject({ code: "token_unreadable" });
    const disguised = await sealed({ keys: publishKeys({ current: { ...foreign, kid: keys.current.kid } }) });
    await expect(open(disguised, "best-image", now)).rejects.toMatchObject({ code: "token_unreadable" });
  });

  it("of another kind is refused", async () => {
    const token = await sealed({ kind: "template" });
    await expect(open(token, "best-image", now)).rejects.toMatchObject({
      code: "token_wrong_kind",
      facts: { expected: "best-image", found: "template" },
    });
  });

  it("may be of any of several kinds, each with its own maximum age", async () => {
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
    await expect(open(token, "best-image", minutes(10.01))).rejects.toMatchObject({
      code: "token_expired",
      facts: { ageSecondsMax: 600 },
    });
    const template = await sealed({ kind: "template" });
    await expect(open(template, "template", minutes(5_000_000))).resolves.toBeDefined();
  });

  it("may come from a clock that runs a little ahead, but not more", async () => {
    await expect(open(await sealed({ now: minutes(2) }), "best-image", now)).resolves.toBeDefined();
    await expect(open(await sealed({ now: minutes(2.01) }), "best-image", now)).rejects.toMatchObject({
      code: "token_expired",
      facts: { aheadSecondsMax: 120 },
    });
  });

  it("is identified by the SHA-256 of its bytes", async () => {
    const token = await sealed();
    const hash = createHash("sha256").update(token).digest("hex");
    expect(await open(token, "best-image", now)).toMatchObject({ hash });
  });

  it("stays readable through one rotation and no further, a template through every one", async () => {
    const token = await sealed();
    const template = await sealed({ kind: "template" });
    const once = await rotateTokenKeys(keys, now);
    const twice = await rotateTokenKeys(once, now);
    await expect((await makeOpen(once))(token, "best-image", now)).resolves.toBeDefined();
    const thrice = await rotateTokenKeys(twice, now);
    for (const later of [twice, thrice]) {
      const openLater = await makeOpen(later);
      await expect(openLater(token, "best-image", now)).rejects.toMatchObject({ code: "token_unreadable" });
      await expect(openLater(token, "template", now)).rejects.toMatchObject({ code: "token_wrong_kind" });
      await expect(openLater(template, "template", now)).resolves.toMatchObject({ payload });
      const both = ["best-image", "template"] as const;
      await expect(openLater(template, both, now)).resolves.toMatchObject({ payload });
      await expect(openLater(token, both, now)).rejects.toMatchObject({ code: "token_unreadable" });
    }
  });
});

describe("a token that names its tenant", () => {
  const sealFor = async (tenantId: string, bytes: Uint8Array = payload, kind: TokenKind = "template") =>
    Buffer.from(
      await sealForTenant(tenantId, { keys: publishKeys(keys), kind, payload: bytes, now }),
      "base64",
    );
  /** Seals a payload under the flag as it is, as anybody with the public key can. */
  const sealRaw = async (bytes: Uint8Array): Promise<Buffer> => {
    const { kty, crv, x, y, kid } = publishKeys(keys).keys[0]!;
    const header = writeTenantHeader({ kind: "template", keyId: keyIdOf(kid), issuedAtMs: now.getTime() });
    const suite = makeSuite();
    const recipientPublicKey = await suite.kem.importKey("jwk", { kty, crv, x, y }, true);
    const info = ownBuffer(sealingInfo);
    const { enc, ct } = await suite.seal({ recipientPublicKey, info }, ownBuffer(bytes), ownBuffer(header));
    return Buffer.concat([header, new Uint8Array(enc), new Uint8Array(ct)]);
  };
  const failureOf = (opening: Promise<unknown>): Promise<unknown> =>
    opening.then(
      () => "opened",
      (error: unknown) => (error instanceof Failure ? { code: error.code, facts: error.facts } : error),
    );

  it("opens for that tenant to exactly the sealed bytes, for every kind", async () => {
    const content = fc.uint8Array({ maxLength: 5_000 });
    await fc.assert(
      fc.asyncProperty(content, fc.constantFrom(...tokenKinds), fc.string(), async (bytes, kind, tenant) => {
        const opened = await open(await sealFor(tenant, bytes, kind), kind, now, { tenantId: tenant });
        expect(Buffer.compare(opened.payload, bytes)).toBe(0);
        expect(opened.namesTenant).toBe(true);
      }),
      { numRuns: 40 },
    );
    expect((await open(await sealed(), "best-image", now)).namesTenant).toBe(false);
  });

  it("is the same as a broken one for every other tenant, also where its kind is wrong or its age too great", async () => {
    const broken = await sealFor("tenant a");
    broken[broken.length - 1]! ^= 1;
    const brokenFailure = await failureOf(open(broken, "template", now));
    expect(brokenFailure).toMatchObject({ code: "token_unreadable" });
    for (const tenant of ["tenant b", "tenant ", "tenant a ", ""]) {
      const token = await sealFor("tenant a");
      expect(await failureOf(open(token, "template", now, { tenantId: tenant }))).toEqual(brokenFailure);
      expect(await failureOf(open(token, "best-image", now, { tenantId: tenant }))).toEqual(brokenFailure);
      const image = await sealFor("tenant a", payload, "face-image");
      expect(await failureOf(open(image, "face-image", minutes(60), { tenantId: tenant }))).toEqual(
        brokenFailure,
      );
    }
  });

  it("is unreadable when any single bit of it is changed, the flag of its tenant included", async () => {
    const bytes = await sealFor("tenant a");
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      await expect(open(changed, "template", now), `bit ${bit}`).rejects.toMatchObject({
        code: "token_unreadable",
      });
    }
  });

  it("is unreadable with a flag but without the mark of a tenant", async () => {
    for (const length of [0, 1, 31]) {
      const short = await sealRaw(new Uint8Array(length));
      await expect(open(short, "template", now)).rejects.toMatchObject({ code: "token_unreadable" });
    }
  });

  it("opens for the operator, whichever tenant it names", async () => {
    const openToken = await makeOpenToken(keys, { ...limits, templateWithoutTenant: "refused" });
    const operator = { caller: undefined, receivedAt: now };
    expect(await openToken(await sealFor("tenant a"), "template", operator)).toMatchObject({ payload });
    const unnamed = await sealed({ kind: "template" });
    expect(await openToken(unnamed, "template", operator)).toMatchObject({ payload, namesTenant: false });
  });
});

describe("a template that names no tenant", () => {
  it("opens for every tenant, unless the operator refuses it", async () => {
    const unnamed = await sealed({ kind: "template" });
    expect(await open(unnamed, "template", now, { tenantId: "tenant b" })).toMatchObject({ payload });
    const strict = await makeOpen(keys, { ...limits, templateWithoutTenant: "refused" });
    await expect(strict(unnamed, "template", now)).rejects.toMatchObject({
      code: "token_unreadable",
      facts: { reason: "it names no tenant, and this deployment accepts only templates that do" },
    });
    // Devices know no tenant: their images are no templates.
    await expect(strict(await sealed(), "best-image", now)).resolves.toBeDefined();
  });
});

describe("a token as a reference", () => {
  const asReference = { isReference: true };

  it("has no age limit if it holds a face image or a template; in another place the face image has", async () => {
    const image = await sealed({ kind: "face-image" });
    await expect(open(image, "face-image", minutes(5_000_000), asReference)).resolves.toBeDefined();
    await expect(open(image, "face-image", minutes(10))).resolves.toBeDefined();
    await expect(open(image, "face-image", minutes(10.01))).rejects.toMatchObject({ code: "token_expired" });
    const template = await sealed({ kind: "template" });
    await expect(open(template, "template", minutes(5_000_000), asReference)).resolves.toBeDefined();
  });

  it("keeps its ten minutes if it holds a selfie", async () => {
    const selfie = await sealed();
    await expect(open(selfie, "best-image", minutes(10), asReference)).resolves.toBeDefined();
    const late = open(selfie, ["face-image", "best-image"], minutes(10.01), asReference);
    await expect(late).rejects.toMatchObject({ code: "token_expired" });
  });

  it("may come from a clock that runs ahead no more than another token", async () => {
    const early = await sealed({ kind: "face-image", now: minutes(2.01) });
    await expect(open(early, "face-image", now, asReference)).rejects.toMatchObject({
      code: "token_expired",
    });
  });

  it("opens with every former key if it holds a face image, and a selfie does not", async () => {
    let rotated: TokenKeys = keys;
    for (let n = 0; n < 3; n += 1) rotated = await rotateTokenKeys(rotated, now);
    const later = await makeOpen(rotated);
    const image = await sealed({ kind: "face-image" });
    await expect(later(image, "face-image", now, asReference)).resolves.toMatchObject({ payload });
    await expect(later(image, "face-image", now)).rejects.toMatchObject({ code: "token_unreadable" });
    const selfie = later(await sealed(), "best-image", now, asReference);
    await expect(selfie).rejects.toMatchObject({ code: "token_unreadable" });
  });
});

describe("a plain image in the place of a token", () => {
  const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 1, 2, 3);
  const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1);
  const webp = Buffer.from("RIFF\x1a\0\0\0WEBPVP8L", "latin1");
  const avif = Buffer.from("\0\0\0\x18ftypavif", "latin1");
  const asTest = { environment: "test" } as const;

  it("is taken as of now for a test key, and is not sealed", async () => {
    for (const image of [jpeg, png, webp, avif].map((bytes) => Uint8Array.from(bytes))) {
      expect(await open(image, ["template", "face-image", "best-image"], now, asTest)).toMatchObject({
        kind: "face-image",
        payload: image,
        issuedAt: now,
        isSealed: false,
        namesTenant: false,
      });
    }
    expect((await open(await sealed(), "best-image", now)).isSealed).toBe(true);
  });

  it("is refused for a live key, unless the operator accepts it", async () => {
    await expect(open(jpeg, "best-image", now)).rejects.toMatchObject({ code: "token_unreadable" });
    const lenient = await makeOpen(keys, { ...limits, openImages: "accepted" });
    await expect(lenient(jpeg, "best-image", now)).resolves.toMatchObject({ isSealed: false });
  });

  it("is refused for the operator, who has no key", async () => {
    for (const openImages of ["accepted", "refused"] as const) {
      const openToken = await makeOpenToken(keys, { ...limits, openImages });
      const opening = openToken(jpeg, "best-image", { caller: undefined, receivedAt: now });
      await expect(opening).rejects.toMatchObject({ code: "token_unreadable" });
    }
  });

  it("is refused with the reason of its case: a live key, or a field that takes a template alone", async () => {
    const ofLive = expect.stringMatching(/live key.*IDEM_OPEN_IMAGES/);
    await expect(open(jpeg, "best-image", now)).rejects.toMatchObject({ facts: { reason: ofLive } });
    const ofTemplate = expect.stringMatching(/template made by this service \(registeredTemplateRaw/);
    for (const environment of ["test", "live"] as const) {
      const opening = open(jpeg, "template", now, { environment });
      await expect(opening).rejects.toMatchObject({ facts: { reason: ofTemplate } });
    }
  });

  it("stands for no template, no tracking, and no other format for an image", async () => {
    for (const kind of ["template", "tracking"] as const) {
      await expect(open(jpeg, kind, now, asTest)).rejects.toMatchObject({ code: "token_unreadable" });
    }
    const pdf = new TextEncoder().encode("%PDF-1.7 and some more bytes of a document");
    await expect(open(pdf, "best-image", now, asTest)).rejects.toMatchObject({ code: "token_unreadable" });
  });

  it("has one hash in a tenant for equal bytes, and another in another tenant", async () => {
    const hashOf = async (image: Uint8Array, tenantId = "tenant a") =>
      (await open(image, "best-image", now, { ...asTest, tenantId })).hash;
    expect(await hashOf(jpeg)).toBe(await hashOf(Uint8Array.from(jpeg)));
    expect(await hashOf(jpeg)).not.toBe(await hashOf(jpeg, "tenant b"));
    expect(await hashOf(jpeg)).not.toBe(await hashOf(png));
    expect(await hashOf(jpeg)).not.toBe(createHash("sha256").update(jpeg).digest("hex"));
  });

  it("is bounded as a token is", async () => {
    const long = new Uint8Array(1_000_001);
    long.set(jpeg);
    await expect(open(long, "best-image", now, asTest)).rejects.toMatchObject({
      facts: { bytesMax: 1_000_000 },
    });
  });
});
