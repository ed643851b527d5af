import { generateKeyPairSync } from "node:crypto";
import { expect, it } from "vitest";
import { isCurvePoint, pageKeyFaults } from "./page-key.ts";

const spell = (value: bigint): string =>
  Buffer.from(value.toString(16).padStart(64, "0"), "hex").toString("base64url");
const p = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
const generator = [
  "axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY",
  "T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU",
] as const;

it("is a point of P-256: each key of a key pair, and its mirror image", () => {
  for (let n = 0; n < 50; n++) {
    const { x = "", y = "" } = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({
      format: "jwk",
    });
    expect(isCurvePoint(x, y)).toBe(true);
    const mirrored = p - BigInt(`0x${Buffer.from(y, "base64url").toString("hex")}`);
    expect(isCurvePoint(x, spell(mirrored))).toBe(true);
    expect(isCurvePoint(x, spell(mirrored === 0n ? 1n : mirrored - 1n))).toBe(false);
    expect(isCurvePoint(y, x)).toBe(false);
  }
});

it("is none for (0, 0), another curve, a coordinate beyond the field, and a second spelling", () => {
  const [x, y] = generator;
  expect(isCurvePoint(x, y)).toBe(true);
  expect(isCurvePoint(spell(0n), spell(0n))).toBe(false);
  expect(isCurvePoint(spell(p), spell(0n))).toBe(false);
  const up = BigInt(`0x${Buffer.from(y, "base64url").toString("hex")}`);
  expect(isCurvePoint(x, spell(up + p > 2n ** 256n - 1n ? up : up + p))).toBe(up + p > 2n ** 256n - 1n);
  const other = generateKeyPairSync("ec", { namedCurve: "secp256k1" }).publicKey.export({ format: "jwk" });
  expect(isCurvePoint(other.x, other.y)).toBe(false);
  // The last character of 43 has two bits that no byte holds.
  expect(isCurvePoint(`${x.slice(0, -1)}Z`, y)).toBe(false);
  for (const wrong of ["", "a".repeat(42), "a".repeat(44), `${"a".repeat(42)}=`, 7, null, undefined]) {
    expect(isCurvePoint(wrong, y)).toBe(false);
  }
});

it("is refused by the name of its field", () => {
  const [x, y] = generator;
  expect(pageKeyFaults({ pageKey: { x, y } })).toEqual([]);
  expect(pageKeyFaults({ pageKey: { x, y: x } })).toMatchObject([{ field: "pageKey" }]);
  expect(pageKeyFaults({ pageKey: "text" })).toEqual([]);
});
