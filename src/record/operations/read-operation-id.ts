/** A tracking token of an SDK has readings and times of one capture, and no image: more is not read. */
const textLengthMax = 98_304;

/** The names under which SDKs write the id. */
const names = ["operationId", "operation_id"] as const;

/**
 * The operation id that a tracking token states: the token is JSON, Base64 of JSON, or a JWT. No signature is
 * checked, so the id serves to find an operation of the caller's own, and nothing else. Undefined where none
 * is readable.
 */
export const readOperationId = (text: string): string | undefined => {
  if (text.length > textLengthMax) return undefined;
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]*$/u.exec(text) ?? [];
  const forms = [text, payload === undefined ? fromBase64(text) : fromBase64(payload)];
  for (const form of forms) {
    const id = idIn(form);
    if (id !== undefined) return id;
  }
  return undefined;
};

const fromBase64 = (text: string): string => Buffer.from(text, "base64").toString("utf8");

const idIn = (text: string): string | undefined => {
  const value = parse(text);
  if (typeof value !== "object" || value === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value));
  return names.map((name) => fields.get(name)).find(isId);
};

const isId = (value: unknown): value is string => typeof value === "string" && value !== "";

/** Undefined for a text that is no object in JSON. */
const parse = (text: string): unknown => {
  if (!/^\s*\{/u.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
