import { describe, expect, it } from "vitest";
import { headerBytes, readEnvelope, tokenKinds, writeHeader } from "./envelope.ts";
import { holdKeys } from "./held-keys.ts";
import { createTokenKey } from "./keys.ts";
import { sealToken } from "./seal.ts";
import { sealForTenant } from "./seal-for-tenant.ts";

const header = {
  kind: "ocr",
  keyId: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8),
  issuedAtMs: 1_790_000_000_123,
} as const;
/** A well-formed token with a body of this length behind the encapsulated key. */
const tokenOf = (bodyBytes: number): Uint8Array =>
  Uint8Array.from([...writeHeader(header), ...Array(65).fill(9), ...Array(bodyBytes).fill(7)]);

describe("the binary form of a token", () => {
  it("has its fields at their places", () => {
    const bytes = Buffer.from(writeHeader(header));
    expect(headerBytes).toBe(22);
    expect(bytes).toHaveLength(22);
    expect(bytes.toString("latin1", 0, 3)).toBe("IDM");
    expect([...bytes.subarray(3, 14)]).toEqual([1, 4, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(bytes.readBigUInt64BE(14)).toBe(1_790_000_000_123n);
    const token = tokenOf(20);
    expect(readEnvelope(token)).toEqual({
      header,
      headerRaw: token.subarray(0, 22),
      encapsulated: token.subarray(22, 87),
      ciphertext: token.subarray(87),
      namesTenant: false,
    });
  });

  it("has the numbers of its kinds for ever", () => {
    const numbers = tokenKinds.map((kind) => [kind, writeHeader({ ...header, kind })[4]]);
    expect(numbers).toEqual([
      ["best-image", 1],
      ["face-image", 2],
      ["template", 3],
      ["ocr", 4],
      ["document-image", 5],
      ["tracking", 6],
    ]);
  });

  it("is one with at least a whole tag behind the encapsulated key", () => {
    expect([15, 16, 17].map((length) => readEnvelope(tokenOf(length)) !== undefined)).toEqual([
      false,
      true,
      true,
    ]);
  });

  it.each([0, 1, 2, 3, 4, 5])("is none with another byte at place %i", (place) => {
    const token = tokenOf(16);
    expect(readEnvelope(token.with(place, token[place]! ^ 0x20))).toBeUndefined();
  });

  it("is none with a kind that has no number", () => {
    expect([0, 7].map((kind) => readEnvelope(tokenOf(16).with(4, kind)))).toEqual([undefined, undefined]);
  });

  it("is read at any place of a larger buffer", () => {
    const larger = Uint8Array.from([0, 0, 0, 0, 0, ...tokenOf(16)]);
    expect(readEnvelope(larger.subarray(5))?.header.issuedAtMs).toBe(header.issuedAtMs);
  });
});

it("a deployment without a published key seals nothing, and says so", async () => {
  const sealing = { keys: { keys: [] }, kind: "ocr", payload: new Uint8Array(), now: new Date(0) } as const;
  await expect(sealToken(sealing)).rejects.toThrow("publishes no key");
  await expect(sealForTenant("tenant", sealing)).rejects.toThrow("publishes no key");
});

describe("the key pairs in a process", () => {
  const start = new Date(1_790_000_000_000);
  const after = (ms: number) => new Date(start.getTime() + ms);
  const holding = async () => {
    const loads: number[] = [];
    const held = await holdKeys(async (now) => {
      loads.push(now.getTime() - start.getTime());
      return { current: await createTokenKey(now) };
    }, start);
    return { held, loads };
  };

  it("are read at the start and at the first question, then once in two seconds", async () => {
    const { held, loads } = await holding();
    await held.renew(after(0));
    for (const ms of [1, 1999, 2000, 2001, 3999, 4000]) await held.renew(after(ms));
    expect(loads).toEqual([0, 0, 2000, 4000]);
  });

  it("are read again after a clock was set back", async () => {
    const { held, loads } = await holding();
    await held.renew(after(10_000));
    await held.renew(after(8001));
    await held.renew(after(8000));
    expect(loads).toEqual([0, 10_000, 8000]);
  });

  it("are read once for all callers at a time, who get the read pairs", async () => {
    const { held, loads } = await holding();
    const before = held.keys();
    const [one, other] = await Promise.all([held.renew(after(5000)), held.renew(after(5001))]);
    expect(loads).toEqual([0, 5000]);
    expect([one === other, held.keys() === one, one === before]).toEqual([true, true, false]);
  });

  it("stay as they are if they cannot be read, and are asked for again", async () => {
    let isDown = false;
    const held = await holdKeys(async (now) => {
      if (isDown) throw new Error("down");
      return { current: await createTokenKey(now) };
    }, start);
    const before = held.keys();
    isDown = true;
    await expect(held.renew(after(2000))).rejects.toThrow("down");
    expect(await held.renew(after(2001))).toBe(before);
    isDown = false;
    expect(await held.renew(after(4000))).not.toBe(before);
  });
});
