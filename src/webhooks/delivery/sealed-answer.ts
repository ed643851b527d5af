import type { Keyring } from "#storage/blobs";
import type { DeliveryKey } from "./delivery.ts";

/** An answer of a receiver can hold personal data, so the log keeps it sealed. One answer does not open in another place. */
const contextOf = ({ destinationId, eventId }: DeliveryKey, attempt: number): string =>
  `answer ${destinationId} ${eventId} ${attempt}`;

export const sealAnswer = async (
  keyring: Pick<Keyring, "seal">,
  key: DeliveryKey,
  attempt: number,
  answer: Uint8Array,
): Promise<Uint8Array> => await keyring.seal(key.tenantId, "operations", answer, contextOf(key, attempt));

/** Fails as `Keyring.open`: with not_found after an erasure. */
export const openAnswer = async (
  keyring: Pick<Keyring, "open">,
  key: DeliveryKey,
  attempt: number,
  sealed: Uint8Array,
): Promise<Uint8Array> => await keyring.open(key.tenantId, "operations", sealed, contextOf(key, attempt));
