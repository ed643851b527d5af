import { createDecipheriv, createECDH, createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createTokenKey, publishKeys } from "./keys.ts";
import { sealToken } from "./seal.ts";

/**
 * A second implementation of RFC 9180's base mode, written from its text with node:crypto alone. It must open
 * tokens sealed by the library and meet the RFC's own vector, or the tokens are not HPKE.
 */
type Setup = {
  readonly aead: 1 | 2;
  readonly info: Buffer;
  readonly privateKey: Buffer;
  readonly enc: Buffer;
};

const hmac = (key: Buffer, data: Buffer) => createHmac("sha256", key).update(data).digest();
const number = (value: number) => Buffer.from([value >> 8, value & 255]);

const labelledExtract = (suite: Buffer, salt: Buffer, label: string, input: Buffer) =>
  hmac(salt, Buffer.concat([Buffer.from("HPKE-v1"), suite, Buffer.from(label), input]));

const labelledExpand = (suite: Buffer, key: Buffer, label: string, info: Buffer, length: number) => {
  const text = Buffer.concat([number(length), Buffer.from("HPKE-v1"), suite, Buffer.from(label), info]);
  return hmac(key, Buffer.concat([text, Buffer.from([1])])).subarray(0, length);
};

const decapsulate = (privateKey: Buffer, enc: Buffer) => {
  const recipient = createECDH("prime256v1");
  recipient.setPrivateKey(privateKey);
  const kem = Buffer.concat([Buffer.from("KEM"), number(0x0010)]);
  const extracted = labelledExtract(kem, Buffer.alloc(32), "eae_prk", recipient.computeSecret(enc));
  const context = Buffer.concat([enc, recipient.getPublicKey()]);
  return labelledExpand(kem, extracted, "shared_secret", context, 32);
};

const openIndependently = ({ aead, info, privateKey, enc }: Setup, aad: Buffer, ciphertext: Buffer) => {
  const suite = Buffer.concat([Buffer.from("HPKE"), number(0x0010), number(0x0001), number(aead)]);
  const none = Buffer.alloc(0);
  const context = Buffer.concat([
    Buffer.from([0]),
    labelledExtract(suite, Buffer.alloc(32), "psk_id_hash", none),
    labelledExtract(suite, Buffer.alloc(32), "info_hash", info),
  ]);
  const secret = labelledExtract(suite, decapsulate(privateKey, enc), "secret", none);
  const key = labelledExpand(suite, secret, "key", context, aead === 1 ? 16 : 32);
  const nonce = labelledExpand(suite, secret, "base_nonce", context, 12);
  const cipher = createDecipheriv(aead === 1 ? "aes-128-gcm" : "aes-256-gcm", key, nonce);
  cipher.setAAD(aad);
  cipher.setAuthTag(ciphertext.subarray(-16));
  return Buffer.concat([cipher.update(ciphertext.subarray(0, -16)), cipher.final()]);
};

const hex = (text: string) => Buffer.from(text, "hex");

describe("the sealing", () => {
  it("is checked by an implementation that meets the vector of RFC 9180, A.3.1.1", () => {
    const setup: Setup = {
      aead: 1,
      info: hex("4f6465206f6e2061204772656369616e2055726e"),
      privateKey: hex("f3ce7fdae57e1a310d87f1ebbde6f328be0a99cdbcadf4d6589cf29de4b8ffd2"),
      enc: hex(
        "04a92719c6195d5085104f469a8b9814d5838ff72b60501e2c4466e5e67b325ac98536d7b61a1af4b78e5b7f951c0900be863c403ce65c9bfcb9382657222d18c4",
      ),
    };
    const ciphertext = hex(
      "5ad590bb8baa577f8619db35a36311226a896e7342a6d836d8b7bcd2f20b6c7f9076ac232e3ab2523f39513434",
    );
    expect(openIndependently(setup, hex("436f756e742d30"), ciphertext).toString()).toBe(
      "Beauty is truth, truth beauty",
    );
  });

  it("is RFC 9180's base mode with P-256, HKDF-SHA256 and AES-256-GCM, the header as additional data", async () => {
    const now = new Date("2026-11-21T12:00:00Z");
    const key = await createTokenKey(now);
    const payload = Buffer.from("encoded picture");
    const token = await sealToken({ keys: publishKeys({ current: key }), kind: "ocr", payload, now });
    const bytes = Buffer.from(token, "base64");
    const setup: Setup = {
      aead: 2,
      info: Buffer.from("idem token v1"),
      privateKey: Buffer.from(key.d, "base64url"),
      enc: bytes.subarray(22, 87),
    };
    expect(openIndependently(setup, bytes.subarray(0, 22), bytes.subarray(87))).toEqual(payload);
  });

  it("writes the header of the format", async () => {
    const now = new Date(0x0102030405);
    const key = await createTokenKey(now);
    const token = await sealToken({
      keys: publishKeys({ current: key }),
      kind: "tracking",
      payload: hex(""),
      now,
    });
    const header = Buffer.from(token, "base64").subarray(0, 22);
    const keyId = Buffer.from(key.kid, "base64url").subarray(0, 8).toString("hex");
    expect(header.toString("hex")).toBe(`49444d010600${keyId}0000000102030405`);
  });
});
