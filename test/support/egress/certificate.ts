import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto";

/** DER (X.690): a tag, the length of the content, the content. */
const der = (tag: number, ...parts: readonly Uint8Array[]): Uint8Array => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Uint8Array.of(tag, ...size), content]);
};

const sequence = (...parts: readonly Uint8Array[]): Uint8Array => der(0x30, ...parts);
const ecdsaWithSha256 = sequence(der(0x06, Buffer.from("2a8648ce3d040302", "hex")));
const pem = (label: string, bytes: Uint8Array): string =>
  `-----BEGIN ${label}-----\n${Buffer.from(bytes).toString("base64")}\n-----END ${label}-----\n`;

/** A new self-signed certificate (RFC 5280) for a host name of the test, and its key; both PEM. */
export const makeCertificate = (host: string): { readonly cert: string; readonly key: string } => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const commonName = sequence(der(0x06, Buffer.from("550403", "hex")), der(0x0c, Buffer.from(host)));
  const name = sequence(der(0x31, commonName));
  const time = (text: string): Uint8Array => der(0x18, Buffer.from(text));
  const alternative = sequence(
    der(0x06, Buffer.from("551d11", "hex")),
    der(0x04, sequence(der(0x82, Buffer.from(host)))),
  );
  const body = sequence(
    der(0xa0, der(0x02, Uint8Array.of(2))),
    der(0x02, Uint8Array.of(1)),
    ecdsaWithSha256,
    name,
    sequence(time("20200101000000Z"), time("20991231235959Z")),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(alternative)),
  );
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const signature = sign("sha256", body, createPrivateKey(key));
  const cert = sequence(body, ecdsaWithSha256, der(0x03, Uint8Array.of(0), signature));
  return { cert: pem("CERTIFICATE", cert), key };
};
