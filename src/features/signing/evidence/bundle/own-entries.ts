import type { StoredLink } from "#record/transactions/store/evidence-store";
import type { BundleTransaction } from "./content.ts";

/** The ids by which bodies of evidence name an operation and what belongs to it. */
export type Subjects = {
  readonly operation: string;
  readonly environment: string;
  readonly transactions: ReadonlySet<string>;
  /** `scanReference` of its document validations. */
  readonly validations: ReadonlySet<string>;
  readonly images: ReadonlySet<string>;
};

/** Kind of the entry that records the export of a bundle. */
export const exportKind = "evidence_exported";

/** The subjects of an operation with these calls and images. */
export const subjectsOf = (
  { id, environment }: { readonly id: string; readonly environment: string },
  transactions: readonly BundleTransaction[],
  images: readonly { readonly id: string }[],
): Subjects => ({
  operation: id,
  environment,
  transactions: new Set(transactions.map((one) => one.id)),
  validations: new Set(transactions.flatMap(({ record }) => textsOf(record?.result, ["scanReference"]))),
  images: new Set(images.map((one) => one.id)),
});

/**
 * Whether an entry belongs to the operation. An operation's id is unique within its environment alone, so
 * that the ids of its calls and images decide, which are random. An entry whose body was removed names
 * nothing.
 */
export const isOwnEntry = ({ kind, body }: StoredLink, subjects: Subjects): boolean => {
  const named = body === undefined ? undefined : parseObject(body.text);
  if (named === undefined) return false;
  const holds = (set: ReadonlySet<string>, ...names: readonly string[]): boolean =>
    textsOf(named, names).some((text) => set.has(text));
  if (kind === exportKind)
    return named["operation"] === subjects.operation && named["environment"] === subjects.environment;
  return (
    holds(subjects.transactions, "transaction") ||
    holds(subjects.images, "asset") ||
    holds(subjects.validations, "validation")
  );
};

/** The members of a JSON object; undefined for another text. */
export const parseObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
};

const textsOf = (value: unknown, names: readonly string[]): readonly string[] => {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    names.includes(name) && typeof member === "string" ? [member] : [],
  );
};
