import { type Facts, Failure, type FailureCode } from "./failure.ts";

/** What is wrong with a picture or token, as the end of a sentence that begins with its field. */
const faults: Partial<Record<FailureCode, string>> = {
  image_unreadable: "could not be decoded as a picture",
  image_unsupported: "is of a format that is not served",
  image_too_large: "has more pixels, bytes or frames than allowed",
  token_unreadable: "could not be opened",
  token_wrong_kind: "is a token of another kind",
  token_expired: "is a token whose time is not accepted",
};

const rewritten = (error: unknown, facts: (own: Facts) => Facts | undefined): unknown => {
  if (!(error instanceof Failure) || faults[error.code] === undefined) return error;
  const found = facts(error.facts);
  return found === undefined ? error : new Failure(error.code, found, { cause: error.cause });
};

/**
 * Does work on one picture or token. Where that very one is refused, the failure says which it was, in the use case's
 * own word, as the fact `input`.
 */
export const asInput = async <Answer>(input: string, work: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await work();
  } catch (error) {
    throw rewritten(error, (own) => ("input" in own ? undefined : { ...own, input }));
  }
};

/**
 * Does work whose refused inputs have the names of `fields` on the wire: every refusal of a picture or token so leaves
 * in one manner, with the field in `errors` and in `facts`, beside what was found in it.
 */
export const namingFields = async <Answer>(
  fields: Readonly<Record<string, string>>,
  work: () => Promise<Answer>,
): Promise<Answer> => {
  try {
    return await work();
  } catch (error) {
    const fault = error instanceof Failure ? faults[error.code] : undefined;
    throw rewritten(error, ({ input, ...own }) => {
      const field = typeof input === "string" ? fields[input] : undefined;
      return field === undefined ? own : { errors: [`${field}: ${fault}`], field, ...own };
    });
  }
};
