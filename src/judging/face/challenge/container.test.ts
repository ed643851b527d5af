import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makePageKey, placesOf } from "#support/face/challenge/captures";
import { type Container, containerLimits, readContainer } from "./container.ts";
import { pageKeyAlgorithm, thumbprintOf, verifySignature } from "./container-signature.ts";
import { joinContainer, writeContainer } from "./write-container.ts";

const jpeg = (length: number, fill: number) => {
  const bytes = new Uint8Array(3 + length).fill(fill);
  bytes.set([0xff, 0xd8, 0xff]);
  return bytes;
};
const key = await makePageKey();
const challenge = "a".repeat(22);
const places = placesOf(2);
const captured = places.map((place, i) => ({ ...place, jpeg: jpeg(20 + i, i) }));
const written = await writeContainer({ challenge, key, frames: captured });

const read = (bytes: Uint8Array): Container => {
  const container = readContainer(bytes);
  if (container.kind === "fault") throw new Error(container.fault);
  return container;
};

describe("a container of version 2", () => {
  it("gives back head and frames, and its signature holds for the page's thumbprint alone", async () => {
    const container = read(written);
    expect(container.head).toEqual({
      challenge,
      key: key.publicKey,
      frames: places,
    });
    expect(container.frames.map((one) => [...one])).toEqual(captured.map((one) => [...one.jpeg]));
    expect(await verifySignature(container, key.thumbprint)).toBe(true);
    expect(await verifySignature(container, (await makePageKey()).thumbprint)).toBe(false);
  });

  it("is a fault for every cut, every longer text and every other byte of its frame lengths", () => {
    for (let length = 0; length < written.length; length += 7) {
      expect(readContainer(written.subarray(0, length)).kind).toBe("fault");
    }
    expect(readContainer(new Uint8Array([...written, 0]))).toEqual({ kind: "fault", fault: "size" });
  });

  it("never throws, and never holds a signature of changed bytes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: written.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, change) => {
          const bytes = written.slice();
          bytes[at]! ^= change;
          const container = readContainer(bytes);
          expect(container.kind === "container" && (await verifySignature(container, key.thumbprint))).toBe(
            false,
          );
        },
      ),
    );
  });

  it("names its fault", () => {
    const changed = (at: number, value: number) => {
      const bytes = written.slice();
      bytes[at] = value;
      return readContainer(bytes);
    };
    expect(changed(0, 0x4a)).toEqual({ kind: "fault", fault: "format" });
    expect(changed(4, 1)).toEqual({ kind: "fault", fault: "version" });
    expect(changed(5, 0)).toEqual({ kind: "fault", fault: "count" });
    expect(changed(5, 41)).toEqual({ kind: "fault", fault: "count" });
    expect(changed(6, 0x7f)).toEqual({ kind: "fault", fault: "head" });
    expect(changed(5, captured.length - 1)).toEqual({ kind: "fault", fault: "head" });
    expect(readContainer(new Uint8Array(containerLimits.bytesMax + 1))).toEqual({
      kind: "fault",
      fault: "size",
    });
  });

  it("takes a frame of the limit and no larger one, and no frame that is no JPEG", async () => {
    const of = async (frame: Uint8Array) =>
      readContainer(
        await writeContainer({
          challenge: "",
          key,
          frames: [{ step: -1, index: 0, capturedMs: 0, jpeg: frame }],
        }),
      ).kind;
    const { frameBytesMax } = containerLimits;
    expect(await of(jpeg(frameBytesMax - 3, 1))).toBe("container");
    expect(await of(jpeg(frameBytesMax - 2, 1))).toBe("fault");
    expect(await of(new TextEncoder().encode("<html></html>"))).toBe("fault");
    expect(await of(new Uint8Array(0))).toBe("fault");
  });

  it("refuses 41 frames, and a writer writes none", async () => {
    const frames = Array.from({ length: 41 }, (_, index) => ({
      step: -1,
      index,
      capturedMs: index,
      jpeg: jpeg(1, index),
    }));
    await expect(writeContainer({ challenge: "", key, frames })).rejects.toThrow(RangeError);
    await expect(writeContainer({ challenge: "", key, frames: [] })).rejects.toThrow(RangeError);
    expect(
      read(await writeContainer({ challenge: "", key, frames: frames.slice(0, 40) })).frames,
    ).toHaveLength(40);
  });

  it.each([
    ["a field of another name", { extra: 1 }],
    ["an id of another length", { challenge: "abc" }],
    ["a private key", { key: { ...key.publicKey, d: key.publicKey.x } }],
    ["a key of another curve", { key: { ...key.publicKey, crv: "P-384" } }],
    ["a time that is no whole number", { frames: [{ step: -1, index: 0, capturedMs: 0.5 }] }],
    ["a time before the capture", { frames: [{ step: -1, index: 0, capturedMs: -1 }] }],
    ["a frame with another field", { frames: [{ step: -1, index: 0, capturedMs: 1, label: "x" }] }],
    ["more frames than it carries", { frames: placesOf(1) }],
  ])("is a fault with %s in its head", (_, change) => {
    const sound = { challenge: "", key: key.publicKey, frames: [{ step: -1, index: 0, capturedMs: 0 }] };
    const bytesOf = (head: object) =>
      joinContainer(new TextEncoder().encode(JSON.stringify(head)), [jpeg(1, 1)], new Uint8Array(64));
    expect(readContainer(bytesOf(sound)).kind).toBe("container");
    expect(readContainer(bytesOf({ ...sound, ...change }))).toEqual({ kind: "fault", fault: "head" });
  });

  it("is a fault where its head is larger than the limit, or no JSON", () => {
    const of = (head: string) =>
      readContainer(joinContainer(new TextEncoder().encode(head), [jpeg(1, 1)], new Uint8Array(64)));
    expect(of(" ".repeat(containerLimits.headBytesMax + 1))).toEqual({ kind: "fault", fault: "head" });
    expect(of("[".repeat(containerLimits.headBytesMax))).toEqual({ kind: "fault", fault: "head" });
  });
});

describe("the signature", () => {
  it("does not hold for frames in another order, of another page, or under a key beside the curve", async () => {
    const container = read(written);
    const { frames } = container;
    const swapped = [frames[0]!, frames[2]!, frames[1]!, ...frames.slice(3)];
    expect(await verifySignature({ ...container, frames: swapped }, key.thumbprint)).toBe(false);
    const other = read(await writeContainer({ challenge, key: await makePageKey(), frames: captured }));
    expect(await verifySignature({ ...container, signature: other.signature }, key.thumbprint)).toBe(false);
    const off = { ...key.publicKey, y: key.publicKey.x };
    const head = { ...container.head, key: off };
    expect(await verifySignature({ ...container, head }, await thumbprintOf(off))).toBe(false);
  });

  it("names a key as RFC 7638 does", async () => {
    // The key of RFC 7515, A.3.1; thumbprint by the rule of RFC 7638, 3.1, with Node's own SHA-256.
    const example = {
      kty: "EC",
      crv: "P-256",
      x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
      y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    } as const;
    const canonical = `{"crv":"P-256","kty":"EC","x":"${example.x}","y":"${example.y}"}`;
    const { createHash } = await import("node:crypto");
    expect(await thumbprintOf(example)).toBe(createHash("sha256").update(canonical).digest("base64url"));
  });

  it("is made with the algorithm that a browser's key has", () => {
    expect(pageKeyAlgorithm).toEqual({ name: "ECDSA", namedCurve: "P-256" });
  });
});
