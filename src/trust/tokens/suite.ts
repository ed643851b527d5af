import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from "@hpke/core";

/**
 * RFC 9180 with DHKEM(P-256, HKDF-SHA256), HKDF-SHA256 and AES-256-GCM, on WebCrypto, in browser and Node.
 */
export const makeSuite = (): CipherSuite =>
  new CipherSuite({ kem: new DhkemP256HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() });

/**
 * Copies bytes into their own buffer: WebCrypto accepts no view on a shared buffer, and no neighbouring bytes
 * leak.
 */
export const ownBuffer = (bytes: Uint8Array): ArrayBuffer => {
  const copy = new ArrayBuffer(bytes.length);
  new Uint8Array(copy).set(bytes);
  return copy;
};
