/**
 * Values for the examples of the specification: real in form, so that a call pasted from the docs page is
 * fully processed, and of no real person.
 */

/** A white PNG of 64 x 64 pixels in Base64: decodes, and shows no face. */
export const exampleImage =
  "iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQAAAACCEkxzAAAAEklEQVR42mP4DwUMo4xRBukMAOPT/hAC2mzjAAAAAElFTkSuQmCC";

/** A PDF without a page in Base64. */
export const exampleFile = Buffer.from(
  "%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
).toString("base64");

/** Fifth byte of a token's header, by kind of token (docs/decisions/0003-token-envelope.md). */
const tokenKinds = {
  "best-image": 1,
  "face-image": 2,
  template: 3,
  ocr: 4,
  "document-image": 5,
  tracking: 6,
} as const;

/** The base point of P-256 (SP 800-186, 3.2.1.3): a valid encapsulated key that opens nothing. */
const point =
  "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296" +
  "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5";

/** A Base64 token in the form of the sealing module; no deployment holds a key to open it. */
export const exampleToken = (kind: keyof typeof tokenKinds): string => {
  const issuedAt = Buffer.alloc(8);
  issuedAt.writeBigUInt64BE(BigInt(Date.UTC(2026, 10, 21, 9, 30)));
  return Buffer.concat([
    Buffer.from([0x49, 0x44, 0x4d, 1, tokenKinds[kind], 0]),
    Buffer.from("examplek"),
    issuedAt,
    Buffer.from(point, "hex"),
    Buffer.from("of a sealed picture's bytes, much longer"),
  ]).toString("base64");
};

/** Ids in the form of the service; no deployment has such a transaction or validation. */
export const exampleTransactionId = "2db602ee-3564-4304-af95-92a52eaae12d";
export const exampleScanReference = "6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a";

type Schema = { readonly [keyword: string]: unknown };

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * One value of a schema, made from the examples of its fields. A field without an example is left out, since
 * an optional field may be absent.
 */
export const exampleOf = (schema: unknown): unknown => {
  if (!isSchema(schema)) return undefined;
  const { examples, properties, items } = schema;
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  if (isSchema(properties)) {
    const fields = Object.entries(properties).map(([name, field]) => [name, exampleOf(field)] as const);
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  }
  const item = exampleOf(items);
  return item === undefined ? undefined : [item];
};
