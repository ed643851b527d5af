import { parseMasterKey } from "./master-key.ts";

/**
 * 32 random bytes have fewer than 16 different values once in 10^16 keys. Zeros, a repeated byte or a short word
 * written again and again have fewer.
 */
const differentBytesMin = 16;

/** 16 characters of `openssl rand -hex` hold 64 random bits: too many to guess over a network. */
const tokenLengthMin = 16;

type Secrets = { readonly IDEM_MASTER_KEY?: string; readonly IDEM_METRICS_TOKEN?: string };

/**
 * The secrets that can be guessed, each as a sentence with the next step and without its value. Production refuses
 * them, development warns. A former master key may be weak: a rotation must be able to leave it.
 */
export const findWeakSecrets = ({
  IDEM_MASTER_KEY: masterKey,
  IDEM_METRICS_TOKEN: token,
}: Secrets): readonly string[] => {
  const weak: string[] = [];
  const different = new Set(masterKey === undefined ? undefined : parseMasterKey(masterKey)).size;
  if (masterKey !== undefined && different < differentBytesMin) {
    weak.push(
      `IDEM_MASTER_KEY has only ${different} different values in its 32 bytes: it can be guessed. Create a random one: openssl rand -base64 32`,
    );
  }
  if (token !== undefined && token.length < tokenLengthMin) {
    weak.push(
      `IDEM_METRICS_TOKEN has ${token.length} of at least ${tokenLengthMin} characters: it can be guessed. Create a random one: openssl rand -hex 16`,
    );
  }
  return weak;
};
