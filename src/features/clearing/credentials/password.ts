import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** OWASP Password Storage Cheat Sheet: scrypt with N = 2^15, r = 8, p = 3 is one of its equal choices; some 150 ms. */
const cost = { N: 32_768, r: 8, p: 3 } as const;

/** 128 * N * r bytes (RFC 7914, 2), and as much again to spare. */
const memoryMax = 256 * cost.N * cost.r;

const keyBytes = 32;

const derive = (password: string, salt: Uint8Array): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password, salt, keyBytes, { ...cost, maxmem: memoryMax }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });

/** A salted hash of a password: `scrypt-1:<salt>:<key>` in Base64. */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(16);
  const key = await derive(password.normalize("NFC"), salt);
  return `scrypt-1:${salt.toString("base64")}:${key.toString("base64")}`;
};

/** Whether this is the password of the hash. Compares in constant time. */
export const isPassword = async (sent: string, hash: string): Promise<boolean> => {
  const [version, salt = "", key = ""] = hash.split(":");
  if (version !== "scrypt-1") throw new Error("The hash of a password has another form");
  return timingSafeEqual(
    await derive(sent.normalize("NFC"), Buffer.from(salt, "base64")),
    Buffer.from(key, "base64"),
  );
};
