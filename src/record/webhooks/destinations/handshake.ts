import { Failure } from "#contract/failure";
import { knownReference } from "#contract/reference";
import type { Keyring } from "#machine/storage/blobs";
import type { AskConsent, Consent } from "../send/ask-consent.ts";
import type { DestinationCommands } from "../store/destination-store.ts";
import type { Destinations } from "./destinations.ts";
import { openDestination } from "./settings.ts";
import type { ShownDestination } from "./shown-destination.ts";
import type { DestinationActor } from "./write-destination.ts";

/**
 * Asks the receiver of a destination for its consent, and records it. Fails with not_found |
 * destination_changed. Made by {@link makeHandshake}.
 */
export type Handshake = (
  actor: DestinationActor,
  id: string,
  signal: AbortSignal,
) => Promise<{ readonly destination: ShownDestination; readonly consent: Consent }>;

export type HandshakeDeps = {
  readonly store: Pick<DestinationCommands, "findDestination">;
  readonly keyring: Pick<Keyring, "open">;
  readonly destinations: Pick<Destinations, "find" | "consent">;
  readonly askConsent: AskConsent;
  readonly clock: () => Date;
};

export const makeHandshake =
  ({ store, keyring, destinations, askConsent, clock }: HandshakeDeps): Handshake =>
  async (actor, reference, signal) => {
    const id = knownReference(reference);
    const stored = await store.findDestination(actor, id);
    if (stored === undefined) throw new Failure("not_found");
    const consent = await askConsent(await openDestination(keyring, stored, clock()), signal);
    const destination = consent.consents
      ? // To the revision that was asked: another URL needs its own consent.
        await destinations.consent(actor, id, stored.revision)
      : await destinations.find(actor, id);
    return { destination, consent };
  };
