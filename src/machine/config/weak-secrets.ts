import { isPredictable, isPredictableText, isTypedText } from "#contract/predictable";
import { parseMasterKey } from "./master-key.ts";

/**
 * 32 random bytes have fewer than 16 different values once in 10^16 keys. Zeros, a repeated byte or a short
 * word written again and again have fewer.
 */
const differentBytesMin = 16;

/** 16 characters of `openssl rand -hex` hold 64 random bits: too many to guess over a network. */
const tokenLengthMin = 16;

/** 16 random hex digits have fewer different ones once in 10^5 tokens; words and patterns often do. */
const differentLettersMin = 5;

/**
 * Words of secrets that people choose, and the rows of a keyboard. They do not count to the length of a
 * token.
 */
const commonWords =
  /password|passwd|contrase(?:ñ|n)a|secret[oa]?|change-?me|metrics?|token|bearer|prometheus|grafana|idem|admin|root|test|example|ejemplo|default|clave|llave|master|key|production|letmein|welcome|qwert[yz]?u?i?o?p?|asdf(?:ghjkl)?|zxcv(?:bnm)?|yxcv(?:bnm)?/giu;

type Secrets = { readonly IDEM_MASTER_KEY?: string; readonly IDEM_METRICS_TOKEN?: string };

/**
 * The secrets that can be guessed, each as a sentence with the next step and without its value. Production
 * refuses them, development warns. A former master key may be weak: a rotation must be able to leave it.
 * Secrets that another system issues, such as those of a bucket, are judged there.
 */
export const findWeakSecrets = ({
  IDEM_MASTER_KEY: masterKey,
  IDEM_METRICS_TOKEN: token,
}: Secrets): readonly string[] => {
  const ofMasterKey = masterKey === undefined ? undefined : weaknessOfKey(masterKey);
  const ofToken = token === undefined ? undefined : weaknessOfToken(token);
  return [
    ...(ofMasterKey === undefined
      ? []
      : [`IDEM_MASTER_KEY ${ofMasterKey}: it can be guessed. Create a random one: openssl rand -base64 32`]),
    ...(ofToken === undefined
      ? []
      : [`IDEM_METRICS_TOKEN ${ofToken}: it can be guessed. Create a random one: openssl rand -hex 16`]),
  ];
};

const weaknessOfKey = (text: string): string | undefined => {
  const bytes = parseMasterKey(text) ?? new Uint8Array();
  const different = new Set(bytes).size;
  if (different < differentBytesMin) return `has only ${different} different values in its 32 bytes`;
  if (isTypedText(bytes)) return "is a text that a person could have typed";
  return isPredictable([...bytes]) || isPredictableText(text) ? "follows a pattern" : undefined;
};

const weaknessOfToken = (token: string): string | undefined => {
  if (token.length < tokenLengthMin) return `has ${token.length} of at least ${tokenLengthMin} characters`;
  if (isPredictableText(token) || new Set(token).size < differentLettersMin) return "follows a pattern";
  const { length } = token.replaceAll(commonWords, "").replaceAll(/[^\p{L}\p{N}]/gu, "");
  if (length < tokenLengthMin / 2) return "consists of common words";
  return encodesText(token) ? "is a text that a person could have typed" : undefined;
};

/** Least bytes of an encoded text: 16 random bytes are a text once in 10^7. */
const encodedBytesMin = 16;

/** Whether a token is the hex or Base64 form of a text. */
const encodesText = (token: string): boolean =>
  (["hex", "base64", "base64url"] as const).some((encoding) => {
    const bytes = Buffer.from(token, encoding);
    const isWhole = bytes.toString(encoding).replace(/=+$/, "") === token.toLowerCase().replace(/=+$/, "");
    const isCased = bytes.toString(encoding).replace(/=+$/, "") === token.replace(/=+$/, "");
    return bytes.length >= encodedBytesMin && (isWhole || isCased) && isTypedText(bytes);
  });
