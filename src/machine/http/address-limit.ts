import { Failure } from "#contract/failure";
import { neighbourhood } from "./neighbourhood.ts";
import type { RateLimit } from "./options.ts";
import { makeTokenBuckets } from "./token-bucket.ts";

export type AddressLimit = {
  /** Takes one unit of the address. Fails with rate_limited where its neighbourhood has taken too many. */
  readonly take: (remoteAddress: string) => void;
  /** Gives one unit back. */
  readonly give: (remoteAddress: string) => void;
};

/** A budget for each neighbourhood of addresses, in the memory of this process. */
export const makeAddressLimit = (limit: RateLimit, clock: () => Date): AddressLimit => {
  const buckets = makeTokenBuckets(limit);
  return {
    take: (remoteAddress) => {
      const wait = buckets.take(neighbourhood(remoteAddress), 1, clock().getTime());
      if (wait > 0) throw new Failure("rate_limited", { retryAfterSeconds: wait });
    },
    give: (remoteAddress) => buckets.give(neighbourhood(remoteAddress), 1, clock().getTime()),
  };
};
