import type { Caller } from "#contract/endpoint";
import type { BoundContext, Keyring } from "#machine/storage/blobs";
import type { DeliveryKey } from "./delivery.ts";

/** A delivery, and the environment of its event and of its destination. */
type Answered = DeliveryKey & Pick<Caller, "environment">;

/**
 * An answer of a receiver can hold personal data, so the log keeps it sealed. One answer does not open in
 * another place.
 */
const contextOf = ({ destinationId, eventId, environment }: Answered, attempt: number): BoundContext => ({
  owner: `answer ${destinationId} ${eventId} ${attempt}`,
  environment,
});

export const sealAnswer = async (
  keyring: Pick<Keyring, "seal">,
  key: Answered,
  attempt: number,
  answer: Uint8Array,
): Promise<Uint8Array> => await keyring.seal(key.tenantId, "operations", answer, contextOf(key, attempt));

/** Fails as `Keyring.open`: with not_found after an erasure. */
export const openAnswer = async (
  keyring: Pick<Keyring, "open">,
  key: Answered,
  attempt: number,
  sealed: Uint8Array,
): Promise<Uint8Array> => await keyring.open(key.tenantId, "operations", sealed, contextOf(key, attempt));
