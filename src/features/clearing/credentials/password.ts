import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** The work of scrypt (RFC 7914, 2): 128 * N * r bytes of memory, p times. */
export type PasswordCost = { readonly N: number; readonly r: number; readonly p: number };

/**
 * OWASP Password Storage Cheat Sheet: scrypt with N = 2^15, r = 8, p = 3 is one of its equal choices; some
 * 150 ms.
 */
const serviceCost: PasswordCost = { N: 32_768, r: 8, p: 3 };

/** The memory of scrypt, and as much again to spare. */
const memoryMaxOf = ({ N, r }: PasswordCost): number => 256 * N * r;

const keyBytes = 32;

const derive = (password: string, salt: Uint8Array, cost: PasswordCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password, salt, keyBytes, { ...cost, maxmem: memoryMaxOf(cost) }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });

/** Passwords, hashed and checked at one cost. Made by {@link makePasswords}. */
export type Passwords = {
  /** A salted hash: `scrypt-1:<salt>:<key>` in Base64. */
  readonly hash: (password: string) => Promise<string>;
  /**
   * Whether this is the password of a hash. Compares in constant time. Rejects with an Error for a hash of
   * another form.
   */
  readonly isPassword: (sent: string, hash: string) => Promise<boolean>;
};

export const makePasswords = (cost: PasswordCost = serviceCost): Passwords => ({
  hash: async (password) => {
    const salt = randomBytes(16);
    const key = await derive(password.normalize("NFC"), salt, cost);
    return `scrypt-1:${salt.toString("base64")}:${key.toString("base64")}`;
  },
  isPassword: async (sent, hash) => {
    const [version, salt = "", key = ""] = hash.split(":");
    if (version !== "scrypt-1") throw new Error("The hash of a password has another form");
    return timingSafeEqual(
      await derive(sent.normalize("NFC"), Buffer.from(salt, "base64"), cost),
      Buffer.from(key, "base64"),
    );
  },
});
