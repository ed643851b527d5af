import { Failure } from "#contract/failure";
import type { AddressLimit } from "#http/address-limit";
import type { TokenBuckets } from "#http/token-bucket";
import type { TakeGuess } from "./http/certificate.endpoint.ts";

/**
 * Wrong tokens and credentials of an address, and of a transaction. Our choice: a clerk reloads an expired page a few times, and some
 * clerks share an address; a token of 182 bits needs no tighter one.
 */
export const guessLimits = {
  address: { perSecond: 0.2, burst: 20 },
  transaction: { perSecond: 0.2, burst: 20 },
} as const;

export type GuessDeps = {
  readonly addresses: AddressLimit;
  readonly transactions: TokenBuckets;
  readonly clock: () => Date;
};

/** Counts in the memory of this process. A transaction that does not exist has a budget too, so that both answer alike. */
export const makeTakeGuess =
  ({ addresses, transactions, clock }: GuessDeps): TakeGuess =>
  ({ caller: { tenantId, environment }, transactionId, remoteAddress }) => {
    const name = JSON.stringify([tenantId, environment, transactionId.toLowerCase()]);
    addresses.take(remoteAddress);
    const wait = transactions.take(name, 1, clock().getTime());
    if (wait > 0) {
      addresses.give(remoteAddress);
      throw new Failure("rate_limited", { retryAfterSeconds: wait });
    }
    return () => {
      addresses.give(remoteAddress);
      transactions.give(name, 1, clock().getTime());
    };
  };
