/** One question about images that a command answers without a service. */
import type { LocalChecks } from "#app/local-checks";
import type { Failure } from "#contract/failure";
import type { Json } from "#contract/json";

/**
 * positive: the check passes. negative: a finding against it. unjudged: other images may pass, or a person
 * decides.
 */
export type Verdict = "positive" | "negative" | "unjudged";

/** Names with their figures or words, as they are printed. */
export type Section = { readonly heading: string; readonly rows: readonly (readonly [string, string])[] };

export type Answer = {
  readonly verdict: Verdict;
  /** The result in one word, as the service names it. */
  readonly result: string;
  readonly sections: readonly Section[];
  /** Values by the columns of the check, for a list. */
  readonly cells: Readonly<Record<string, string>>;
  /** The refusal of an image that is no image, where the result names neither file nor reason. */
  readonly unusable?: Failure;
  /** Every figure, for `--json`. */
  readonly detail: Json;
};

/** The images of one question, by their names, and its other values. */
export type Question = {
  readonly images: Readonly<Record<string, Uint8Array>>;
  readonly values: Readonly<Record<string, string>>;
};

/** The truth that a list may state, and the names of the two errors. */
export type Truth = {
  readonly column: string;
  /** The words of the column, in lower case. */
  readonly words: Readonly<Record<string, "positive" | "negative">>;
  /** The name of a positive answer where the truth is negative, as a plural. */
  readonly wronglyPositive: string;
  readonly wronglyNegative: string;
};

export type Check = {
  readonly name: string;
  /** Names of the images that are needed: options, or positional arguments; columns of a list. */
  readonly images: readonly string[];
  /** Whether these images come as arguments, in this order, or as options with their names. */
  readonly isPositional: boolean;
  readonly optionalImages: readonly string[];
  /** The image of each input that a use case may refuse, by the use case's own word. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Further values, each with its reader; it throws UsageError for a wrong one. */
  readonly values: Readonly<Record<string, (text: string) => void>>;
  /** Columns that the answer adds to a list. */
  readonly columns: readonly string[];
  readonly truth?: Truth;
  readonly ask: (checks: LocalChecks, question: Question) => Promise<Answer>;
};

/** An image of the question that the check needs. */
export const imageIn = ({ images }: Question, name: string): Uint8Array => {
  const image = images[name];
  if (image === undefined) throw new Error(`A check began without its image ${name}`);
  return image;
};
