import { Failure } from "#contract/failure";
import type { HashName } from "#trust/asn1/oids";
import type { Authority, Stamped, StampImprint } from "./authority.ts";
import { TimestampError } from "./request.ts";

/**
 * An authority that failed is asked last for this long: our choice, long enough to spare each signature its
 * time-out.
 */
export const restMs = 60_000;

/** When each authority failed last, by its place in the list. Milliseconds since 1970. */
type LastFailures = Map<number, number>;

/** The order in which the authorities are asked: those that failed lately come last. Pure. */
export const orderAuthorities = <T>(
  authorities: readonly T[],
  failedAt: (place: number) => number | undefined,
  now: number,
): readonly (readonly [place: number, authority: T])[] => {
  const all = authorities.map((authority, place) => [place, authority] as const);
  const isResting = ([place]: readonly [number, T]): boolean => {
    const at = failedAt(place);
    // A clock that was set back ends the rest.
    return at !== undefined && now >= at && now - at < restMs;
  };
  return [...all.filter((one) => !isResting(one)), ...all.filter(isResting)];
};

export type AuthoritiesOptions = {
  readonly authorities: readonly Authority[];
  readonly clock: () => Date;
  /** Another authority gave the token: the faults of those before it, for the operator's log. */
  readonly onFallBack?: (authority: string, faults: string) => void;
};

/**
 * Asks the authorities in their order until one gives a valid token. One that fails is asked last for a
 * minute. Fails with TimestampError, which names each asked authority and its fault. Asks no other when
 * `signal` is aborted.
 */
export const makeAuthorities = ({ authorities, clock, onFallBack }: AuthoritiesOptions): StampImprint => {
  const failures: LastFailures = new Map();
  return async (imprint, signal) => {
    const faults: string[] = [];
    for (const [place, { name, stamp }] of orderAuthorities(
      authorities,
      (at) => failures.get(at),
      clock().getTime(),
    )) {
      try {
        const stamped = await stamp(imprint, signal);
        failures.delete(place);
        if (faults.length > 0) onFallBack?.(name, faults.join("; "));
        return stamped;
      } catch (error) {
        failures.set(place, clock().getTime());
        faults.push(faultOf(name, error));
        if (signal.aborted) break;
      }
    }
    throw new TimestampError(faults.join("; "));
  };
};

const faultOf = (name: string, error: unknown): string => {
  const words = error instanceof Error ? error.message : String(error);
  return words.includes(name) ? words : `${name}: ${words}`;
};

/**
 * The whole list has this long for one time-stamp: three authorities that give no answer, and one that does.
 */
const listMsMax = 20_000;

/**
 * A time-stamp token (CMS in DER) over a digest. Fails with timestamp_failed. Made by
 * {@link makeStampDigest}.
 */
export type StampDigest = (hash: HashName, digest: Uint8Array) => Promise<Uint8Array>;

/** Time-stamps for signatures. The cause of its Failure names each authority and its fault. */
export const makeStampDigest =
  (stampImprint: StampImprint): StampDigest =>
  async (hash, digest) => {
    try {
      const { token } = await stampImprint({ hash, digest }, AbortSignal.timeout(listMsMax));
      return token;
    } catch (cause) {
      throw new Failure("timestamp_failed", {}, { cause });
    }
  };

/** Has a SHA-256 hash (hex) stamped: for the anchors of evidence. Fails as {@link StampImprint} does. */
export type StampHash = (hash: string, signal: AbortSignal) => Promise<Stamped>;

export const makeStampHash =
  (stampImprint: StampImprint): StampHash =>
  (hash, signal) =>
    stampImprint({ hash: "sha256", digest: Buffer.from(hash, "hex") }, signal);
