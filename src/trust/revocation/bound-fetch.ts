import type { FetchValidation, ValidationAsk } from "./ports.ts";

/** Every question that is open when the time ends, and every later one, has no answer. Call `clear` at the end of the work. */
export const withEnd = (fetch: FetchValidation, msMax: number) => {
  let hasEnded = false;
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      hasEnded = true;
      resolve(undefined);
    }, msMax);
  });
  const bounded: FetchValidation = async (ask) =>
    hasEnded ? undefined : await Promise.race([fetch(ask), ended]);
  return { bounded, clear: () => clearTimeout(timer) };
};

/** Asks so many questions; each later one has no answer. */
export const withBudget = (fetch: FetchValidation, asksMax: number): FetchValidation => {
  let left = asksMax;
  return async (ask) => (left-- > 0 ? await fetch(ask) : undefined);
};

/** Asks each question once: the same question again has the same answer. For one piece of work. */
export const withMemory = (fetch: FetchValidation): FetchValidation => {
  const asked = new Map<string, Promise<Uint8Array | undefined>>();
  return (ask) => {
    const key = `${ask.kind} ${ask.url} ${ask.isAnew === true} ${Buffer.from(ask.body ?? []).toString("base64")}`;
    const answer = asked.get(key) ?? fetch(ask);
    asked.set(key, answer);
    return answer;
  };
};

/**
 * What the reader finds in an answer. A kept answer that is of no use is asked for anew, once: anyone on the way may have given it, since
 * these addresses are http.
 */
export const askUsable = async <Value>(
  ask: ValidationAsk,
  fetch: FetchValidation,
  read: (bytes: Uint8Array) => Value | undefined,
): Promise<Value | undefined> => {
  const bytes = await fetch(ask);
  const found = bytes && read(bytes);
  if (bytes === undefined || found !== undefined || ask.kind === "ocsp") return found;
  const fresh = await fetch({ ...ask, isAnew: true });
  return fresh && read(fresh);
};
