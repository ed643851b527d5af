import { createHash } from "node:crypto";

/**
 * SHA-256 of the content as JSON with sorted names, so that white space and order in the file do not matter.
 */
const hashOf = (content: object): string =>
  createHash("sha256")
    .update(JSON.stringify(sorted(content)))
    .digest("hex");

const sorted = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, own]) => [name, sorted(own)]),
      )
    : value;

/** The text of a file that an idem command writes for the service: the content with its own SHA-256. */
export const writeHashed = (content: object): string =>
  `${JSON.stringify({ ...content, sha256: hashOf(content) }, null, 2)}\n`;

/** Reads such a text. `damaged`: it has another shape; `changed`: the hash does not match the content. */
export const readHashed = <Content extends { readonly sha256: string }>(
  text: string,
  isContent: (value: unknown) => value is Content,
): Content | "damaged" | "changed" => {
  const found = parsed(text);
  if (!isContent(found)) return "damaged";
  const { sha256, ...content } = found;
  return hashOf(content) === sha256 ? found : "changed";
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
