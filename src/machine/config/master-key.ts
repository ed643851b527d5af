/** Prefix of a master key that a development start created; production refuses every key with it. */
export const developmentKeyPrefix = "idem_dev_";

/** 32 bytes from the text form of a master key, with or without the prefix; undefined for another text. */
export const parseMasterKey = (value: string): Uint8Array | undefined => {
  const text = value.startsWith(developmentKeyPrefix) ? value.slice(developmentKeyPrefix.length) : value;
  const bytes = Buffer.from(text, "base64");
  // Buffer skips characters outside Base64: a damaged secret would silently be another key.
  return bytes.length === 32 && bytes.toString("base64") === text ? bytes : undefined;
};
