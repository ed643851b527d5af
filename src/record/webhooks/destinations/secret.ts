import type { DestinationSettings, FormerSecret } from "./destination.ts";

type Secrets = Pick<DestinationSettings, "secret" | "formerSecrets">;

/** Random bytes of a secret: within the 24 to 64 of Standard Webhooks 1.0. */
export const secretBytes = 32;

/** Secrets that may sign beside the current secret. Each makes a signature in the header of every message. */
export const formerSecretsMax = 5;

/** How long a former secret signs after a rotation, if the caller names no time. */
export const formerHoursDefault = 24;
export const formerHoursMax = 7 * 24;

/** A secret as its receiver gets it. Needs 32 random bytes. */
export const secretOf = (random: Uint8Array): string => `whsec_${Buffer.from(random).toString("base64")}`;

/** The former secrets that still sign at `now`. */
export const signingAt = ({ formerSecrets }: Secrets, now: Date): readonly FormerSecret[] =>
  formerSecrets.filter(({ signsUntil }) => new Date(signsUntil) > now);

/** Every secret that signs at `now`, the current one first. */
export const secretsAt = (secrets: Secrets, now: Date): readonly [current: string, ...former: string[]] => [
  secrets.secret,
  ...signingAt(secrets, now).map(({ secret }) => secret),
];

/**
 * The secrets after a rotation at `now`. The current secret signs until `until`, former ones as long as they
 * did. With `until` at `now` the new secret signs alone. Undefined where too many secrets still sign.
 */
export const rotate = (secrets: Secrets, secret: string, now: Date, until: Date): Secrets | undefined => {
  if (until <= now) return { secret, formerSecrets: [] };
  const former = signingAt(secrets, now);
  return former.length >= formerSecretsMax
    ? undefined
    : { secret, formerSecrets: [{ secret: secrets.secret, signsUntil: until.toISOString() }, ...former] };
};

/** When the last former secret stops to sign; undefined where there is none. */
export const formerEnd = ({ formerSecrets }: Secrets): Date | undefined => {
  const ends = formerSecrets.map(({ signsUntil }) => new Date(signsUntil).getTime());
  return ends.length === 0 ? undefined : new Date(Math.max(...ends));
};
