import { type Facts, Failure, type FailureCode } from "./failure.ts";
import { isGiven } from "./request-rule.ts";
import { validationCode } from "./validation-code.ts";

const { imageContextUnsupported, parameterInvalid } = validationCode;

/** The fault of an image or token, as the end of a sentence that begins with its field. */
const faults: Partial<Record<FailureCode, string>> = {
  image_unreadable: "could not be decoded as an image",
  image_unsupported: "is of a format that is not served",
  image_too_large: "has more pixels, bytes or frames than allowed",
  token_unreadable: "could not be opened",
  token_wrong_kind: "is a token of another kind",
  token_expired: "is a token whose time is not accepted",
};

/**
 * The refusal of an image or token as a fault of the request (400), for a route whose interface has no other
 * status for it. `failure` is request_invalid; the facts stay, and `code` is the interface's where it has
 * one.
 */
export const asRequestFault = (error: unknown): unknown => {
  const fault = error instanceof Failure ? faults[error.code] : undefined;
  if (!(error instanceof Failure) || fault === undefined) return error;
  const code = error.code.startsWith("image") ? imageContextUnsupported : parameterInvalid;
  return new Failure(
    "request_invalid",
    { errors: [fault], code: code.code, ...error.facts },
    { cause: error },
  );
};

const rewritten = (error: unknown, facts: (own: Facts) => Facts | undefined): unknown => {
  if (!(error instanceof Failure) || faults[error.code] === undefined) return error;
  const found = facts(error.facts);
  return found === undefined ? error : new Failure(error.code, found, { cause: error.cause });
};

/**
 * Runs work on one image or token. If that input is refused, the failure names it, in the use case's own
 * word, as the fact `input`.
 */
export const asInput = async <Answer>(input: string, work: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await work();
  } catch (error) {
    throw rewritten(error, (own) => ("input" in own ? undefined : { ...own, input }));
  }
};

/**
 * Waits for work on several inputs, which runs at once. If several are refused, fails for the first in the
 * list: a request is then refused for the same field each time.
 */
export const allInputs = async <Works extends readonly unknown[] | []>(
  works: Works,
): Promise<{ -readonly [At in keyof Works]: Awaited<Works[At]> }> => {
  const all = Promise.all(works);
  void Promise.allSettled([all, ...works]);
  for (const work of works) await work;
  return await all;
};

/** The field of each input of a use case on the wire; of several fields, the given one holds the input. */
export type InputFields = Readonly<Record<string, string | readonly string[]>>;

/**
 * What leaves an endpoint for an error of its use case. A refused image or token gets the field of the
 * request in `errors` and in `facts`, beside what was found in it; the use case's own word stays inside. Any
 * other error stays as it is.
 */
export const namingField = (
  error: unknown,
  inputs: InputFields,
  request: Readonly<Record<string, unknown>>,
): unknown => {
  const fault = error instanceof Failure ? faults[error.code] : undefined;
  return rewritten(error, ({ input, ...own }) => {
    if (input === undefined) return undefined;
    const named = typeof input === "string" ? inputs[input] : undefined;
    const field =
      typeof named === "object" ? (named.find((name) => isGiven(request[name])) ?? named.at(-1)) : named;
    return field === undefined ? own : { errors: [`${field}: ${fault}`], field, ...own };
  });
};
