/** Marks a master key that a development start made by itself; production refuses every key that begins so. */
export const developmentKeyMark = "idem_dev_";

/** 32 bytes from the text form of a master key, marked or not; undefined when it is not one. */
export const parseMasterKey = (value: string): Uint8Array | undefined => {
  const text = value.startsWith(developmentKeyMark) ? value.slice(developmentKeyMark.length) : value;
  const bytes = Buffer.from(text, "base64");
  // Buffer skips what is no Base64: a damaged secret would silently be another key.
  return bytes.length === 32 && bytes.toString("base64") === text ? bytes : undefined;
};
