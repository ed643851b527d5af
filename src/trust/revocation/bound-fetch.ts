import type { FetchValidation, ValidationQuestion } from "./ports.ts";

/**
 * Every question that is open when the time ends, and every later one, has no answer. Call `clear` at the end
 * of the work.
 */
export const withEnd = (fetch: FetchValidation, msMax: number) => {
  let hasEnded = false;
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      hasEnded = true;
      resolve(undefined);
    }, msMax);
  });
  const bounded: FetchValidation = async (question) =>
    hasEnded ? undefined : await Promise.race([fetch(question), ended]);
  return { bounded, clear: () => clearTimeout(timer) };
};

/** Asks so many questions; each later one has no answer. */
export const withBudget = (fetch: FetchValidation, asksMax: number): FetchValidation => {
  let left = asksMax;
  return async (question) => (left-- > 0 ? await fetch(question) : undefined);
};

/** Asks each question once: the same question again has the same answer. For one piece of work. */
export const withMemory = (fetch: FetchValidation): FetchValidation => {
  const asked = new Map<string, Promise<Uint8Array | undefined>>();
  return (question) => {
    const key = `${question.kind} ${question.url} ${question.isAnew === true} ${Buffer.from(question.body ?? []).toString("base64")}`;
    const answer = asked.get(key) ?? fetch(question);
    asked.set(key, answer);
    return answer;
  };
};

/**
 * What the reader finds in an answer. A kept answer that is of no use is asked for anew, once: anyone on the
 * way may have given it, since these addresses are http.
 */
export const askUsable = async <Value>(
  question: ValidationQuestion,
  fetch: FetchValidation,
  read: (bytes: Uint8Array) => Value | undefined,
): Promise<Value | undefined> => {
  const bytes = await fetch(question);
  const found = bytes && read(bytes);
  if (bytes === undefined || found !== undefined || question.kind === "ocsp") return found;
  const fresh = await fetch({ ...question, isAnew: true });
  return fresh && read(fresh);
};
