import { Failure } from "#contract/failure";
import type { AddressLimit } from "#machine/http/address-limit";
import type { TokenBuckets } from "#machine/http/token-bucket";
import type { Guesses } from "./http/certificate.endpoint.ts";

/**
 * Wrong tokens of an address, and wrong passwords of an address and of a transaction. Our choice: a clerk
 * reloads an expired page a few times, and some clerks share an address; a token of 182 bits needs no tighter
 * one.
 */
export const guessLimits = {
  tokensOfAddress: { perSecond: 0.2, burst: 20 },
  passwordsOfAddress: { perSecond: 0.2, burst: 20 },
  passwordsOfTransaction: { perSecond: 0.2, burst: 20 },
} as const;

export type GuessDeps = {
  readonly tokens: AddressLimit;
  readonly passwords: AddressLimit;
  readonly transactions: TokenBuckets;
  readonly clock: () => Date;
};

/**
 * Counts in the memory of this process. A wrong token takes from its address alone, whatever transaction it
 * names: a caller who has shown nothing shuts no certificate for others (decision 64).
 */
export const makeGuesses = ({ tokens, passwords, transactions, clock }: GuessDeps): Guesses => ({
  chargeWrongToken: (remoteAddress) => tokens.take(remoteAddress),
  takePassword: ({ caller: { tenantId, environment }, transactionId, remoteAddress }) => {
    const name = JSON.stringify([tenantId, environment, transactionId.toLowerCase()]);
    passwords.take(remoteAddress);
    const wait = transactions.take(name, 1, clock().getTime());
    if (wait > 0) {
      passwords.give(remoteAddress);
      throw new Failure("rate_limited", { retryAfterSeconds: wait });
    }
    return () => {
      passwords.give(remoteAddress);
      transactions.give(name, 1, clock().getTime());
    };
  },
});
