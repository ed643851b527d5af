import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readDer } from "./der.ts";
import { isSignedBy, isStrongKey } from "./verify-signature.ts";
import { signatureAlgorithm } from "./write-signed-data.ts";

const infoOf = (key: KeyObject): Uint8Array => new Uint8Array(key.export({ type: "spki", format: "der" }));
const rsa = (modulusLength: number) => generateKeyPairSync("rsa", { modulusLength });
const ec = (namedCurve: string) => generateKeyPairSync("ec", { namedCurve });

describe("the length of a key", () => {
  it("is enough from 2048 bits (RSA) and 256 bits (EC) on", () => {
    expect(isStrongKey(infoOf(rsa(2047).publicKey))).toBe(false);
    expect(isStrongKey(infoOf(rsa(2048).publicKey))).toBe(true);
    expect(isStrongKey(infoOf(ec("secp224r1").publicKey))).toBe(false);
    for (const curve of ["prime256v1", "secp384r1", "secp521r1", "brainpoolP256r1"]) {
      expect(isStrongKey(infoOf(ec(curve).publicKey)), curve).toBe(true);
    }
    expect(isStrongKey(infoOf(generateKeyPairSync("ed25519").publicKey))).toBe(true);
    expect(isStrongKey(new Uint8Array(9))).toBe(false);
  });

  it("is judged for every signature of a certificate, a list or an answer", () => {
    const signedBytes = Buffer.from("a certificate");
    const algorithm = readDer(signatureAlgorithm({ keyKind: "rsa", hash: "sha256" }));
    for (const [bits, expected] of [
      [1024, false],
      [2048, true],
    ] as const) {
      const { privateKey, publicKey } = rsa(bits);
      const signature = sign("sha256", signedBytes, privateKey);
      const signer = { publicKeyInfo: infoOf(publicKey) };
      expect(isSignedBy({ signedBytes, algorithm, signature }, signer)).toBe(expected);
    }
  });
});
