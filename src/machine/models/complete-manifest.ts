import { findProblems, isManifest, type Manifest } from "./manifest.ts";
import { ModelRefused } from "./refusal.ts";

type Loose = Readonly<Record<string, unknown>>;
type FileFacts = { readonly sha256: string; readonly bytes: number };

const isLoose = (value: unknown): value is Loose =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The fields that are read from a description in words; others are ignored. */
const knownFields: ReadonlySet<string> = new Set([
  "name",
  "version",
  "slot",
  "group",
  "file",
  "sha256",
  "bytes",
  "urls",
  "policy",
  "licence",
  "training",
  "caution",
  "input",
  "output",
  "thresholds",
]);

const textOr = (value: unknown, otherwise: string): string => (typeof value === "string" ? value : otherwise);

/** The entry for this file in a document that describes one model, or several under `models`. */
const entryOf = (document: unknown, { sha256 }: FileFacts): Loose => {
  const list = isLoose(document) && Array.isArray(document["models"]) ? document["models"] : [document];
  const entries = list.filter(isLoose);
  const entry = entries.find((one) => one["sha256"] === sha256);
  if (entry !== undefined) return entry;
  const lacking = entries.filter((one) => one["sha256"] === undefined);
  if (lacking.length > 0 && lacking.length === entries.length) {
    throw new ModelRefused(`Add sha256 to the manifest; this file has ${sha256}`);
  }
  const described = entries
    .map((one) => `${textOr(one["name"], "a model without name")} ${textOr(one["sha256"], "without sha256")}`)
    .join(", ");
  throw new ModelRefused(
    `The manifest is of another file: this one has SHA-256 ${sha256}, the manifest says ${described || "none"}`,
  );
};

/**
 * The manifest of a file from a document. A complete manifest is used unchanged. A description of input and
 * output in words is completed from the catalogue's model of that name and slot, because its conversion of
 * the same weights has the same input and output; the words are never interpreted. Throws ModelRefused.
 */
export const completeManifest = (
  document: unknown,
  file: FileFacts,
  catalogue: readonly Manifest[],
): Manifest => {
  const entry = entryOf(document, file);
  const manifest = isManifest(entry) ? entry : fromCatalogue(entry, catalogue);
  if (manifest.bytes !== undefined && manifest.bytes !== file.bytes) {
    throw new ModelRefused(`The file has ${file.bytes} bytes, its manifest says ${manifest.bytes}`);
  }
  return manifest;
};

const fromCatalogue = (entry: Loose, catalogue: readonly Manifest[]): Manifest => {
  const known = catalogue.find(({ name, slot }) => name === entry["name"] && slot === entry["slot"]);
  const completed = known === undefined ? entry : { ...withoutOwnFile(known), ...inOwnWords(entry) };
  if (isManifest(completed)) return completed;
  const like = known === undefined ? "" : ` (completed by the catalogue's ${known.name})`;
  throw new ModelRefused(`The manifest is not complete${like}: ${findProblems(completed).join("; ")}`);
};

/**
 * The catalogue's facts about the weights, without those of its own file: the figures were measured with that
 * file.
 */
const withoutOwnFile = ({
  urls: _urls,
  bytes: _bytes,
  sha256: _sha256,
  file: _file,
  published: _published,
  thresholds: _thresholds,
  ...rest
}: Manifest) => rest;

const inOwnWords = (entry: Loose): Loose => {
  const fields = Object.entries(entry).filter(([field]) => knownFields.has(field));
  const taken = fields.filter(
    ([field, value]) => (field !== "input" && field !== "output") || typeof value !== "string",
  );
  const { licence } = entry;
  return {
    ...Object.fromEntries(taken),
    ...(typeof licence === "string" && { licence: { weights: licence } }),
  };
};
