import { makeAddressLimit } from "./address-limit.ts";
import { neighbourhood } from "./neighbourhood.ts";
import type { RateLimit } from "./options.ts";

/** A secret under check. One of its three ends is called, once. Without one it counts as wrong. */
export type Guess = {
  /** It was right: gives the guess back. While it stays in use, this address needs no guess for it. */
  readonly right: () => void;
  /** It was wrong: the guess is spent. */
  readonly wrong: () => void;
  /** It was not judged, such as during an outage, or is no guess: gives the guess back. */
  readonly undone: () => void;
};

export type GuessLimit = {
  /**
   * Takes one guess of the address, before anything is checked. Fails with rate_limited where its neighbourhood has none left: then the
   * right secret waits too, unless this address has used it within the last hour. `secret` is a hash of what was sent.
   */
  readonly begin: (remoteAddress: string, secret: string) => Guess;
};

/**
 * How long a right secret stays known to its address after its last use. Our choice: longer than the pauses of a service that calls, so
 * that wrong secrets of others behind the same proxy do not stop it.
 */
const knownMs = 3_600_000;

/** Most known secrets; the oldest is forgotten first, and then needs a guess again. */
const knownMax = 20_000;

/** The guesses of each neighbourhood of addresses, in the memory of this process. */
export const makeGuessLimit = (limit: RateLimit, clock: () => Date): GuessLimit => {
  const guesses = makeAddressLimit(limit, clock);
  const known = new Map<string, number>();
  /** Checks that run, by address and secret: calls with one secret at one moment are one guess. */
  const running = new Map<string, number>();
  const isKnown = (pair: string): boolean => (known.get(pair) ?? 0) > clock().getTime();
  const learn = (pair: string): void => {
    known.delete(pair);
    known.set(pair, clock().getTime() + knownMs);
    if (known.size > knownMax) known.delete(known.keys().next().value ?? "");
  };
  const leave = (pair: string): void => {
    const count = (running.get(pair) ?? 1) - 1;
    if (count > 0) running.set(pair, count);
    else running.delete(pair);
  };
  return {
    begin: (remoteAddress, secret) => {
      const pair = `${neighbourhood(remoteAddress)} ${secret}`;
      const isTaken = !isKnown(pair) && !running.has(pair);
      if (isTaken) guesses.take(remoteAddress);
      running.set(pair, (running.get(pair) ?? 0) + 1);
      const giveBack = (): void => {
        if (isTaken) guesses.give(remoteAddress);
        leave(pair);
      };
      return {
        right: () => {
          giveBack();
          learn(pair);
        },
        wrong: () => {
          known.delete(pair);
          leave(pair);
        },
        undone: giveBack,
      };
    },
  };
};
