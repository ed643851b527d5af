import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from "@hpke/core";

/** RFC 9180 with DHKEM(P-256, HKDF-SHA256), HKDF-SHA256 and AES-256-GCM; WebCrypto underneath, in browser and Node. */
export const makeSuite = (): CipherSuite =>
  new CipherSuite({ kem: new DhkemP256HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() });

/** The same bytes in a buffer of their own: WebCrypto takes no view on a shared buffer, and no other's bytes leak. */
export const ownBuffer = (bytes: Uint8Array): ArrayBuffer => {
  const copy = new ArrayBuffer(bytes.length);
  new Uint8Array(copy).set(bytes);
  return copy;
};
