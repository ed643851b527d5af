/** Composition of the receivers of events: their settings, and the sending of one message. */
import { randomBytes, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { mailboxUrl } from "#contract/mailbox.routes";
import type { Egress } from "#machine/egress/egress";
import { makeJudgeUrl } from "#machine/egress/make-egress";
import type { Keyring } from "#machine/storage/blobs";
import { acceptingMailbox } from "#record/mailbox/send-to-mailbox";
import type { DeliveriesOf, Destinations } from "#record/webhooks/destinations/destinations";
import { makeDestinations } from "#record/webhooks/destinations/destinations";
import { type Handshake, makeHandshake } from "#record/webhooks/destinations/handshake";
import { type JudgeReceiver, makeJudgeTestReceiver } from "#record/webhooks/destinations/judge-test-receiver";
import { secretBytes } from "#record/webhooks/destinations/secret";
import { destinationEndpoints } from "#record/webhooks/http/destination.endpoint";
import { type AskConsent, makeAskConsent } from "#record/webhooks/send/ask-consent";
import { judgeDestinationUrls, limitSend } from "#record/webhooks/send/limit-send";
import { makeSend } from "#record/webhooks/send/make-send";
import { makeRequestToken } from "#record/webhooks/send/request-token";
import type { Send, SignMessage } from "#record/webhooks/send/send";
import { makeTakeToken } from "#record/webhooks/send/take-token";
import type { DestinationCommands } from "#record/webhooks/store/destination-store";
import type { TokenCommands } from "#record/webhooks/store/token-store";
import type { KeyCommands } from "#trust/key-ring/key-store";
import { makeKeyring } from "#trust/key-ring/keyring";
import type { Module } from "./module.ts";
import type { Parts } from "./parts.ts";
import { mastersOf, type ReadyConfig } from "./storage.ts";

type SenderParts = {
  readonly config: Pick<ReadyConfig, "egress">;
  readonly egress: Egress;
  readonly store: TokenCommands;
  readonly keyring: Pick<Keyring, "seal" | "open">;
  readonly clock: () => Date;
};

const openTokens = ({ egress, store, keyring, clock }: SenderParts) => {
  const requestToken = makeRequestToken({ egress });
  const holder = `${hostname()}/${process.pid}/${randomUUID()}`;
  return { egress, takeToken: makeTakeToken({ store, keyring, requestToken, clock, holder }) };
};

/** The sending of one message, with connections and tokens of its own process. */
export const openSend = (parts: SenderParts, sign: SignMessage): Send =>
  limitSend(
    makeSend({ ...openTokens(parts), sign }),
    makeJudgeTestReceiver(parts.config.egress.testReceivers),
  );

/** Whether a receiver may be stored: by the rules of outgoing calls, and by those of test keys. */
export const openJudgeReceiver = ({ egress }: SenderParts["config"]): JudgeReceiver => {
  const judgeUrl = makeJudgeUrl(egress);
  const judgeTest = makeJudgeTestReceiver(egress.testReceivers);
  return (url, environment) => judgeUrl(url) ?? judgeTest(url, environment);
};

export type DestinationParts = Omit<SenderParts, "config" | "store"> & {
  readonly config: Pick<ReadyConfig, "egress"> & { readonly http: Pick<ReadyConfig["http"], "publicUrl"> };
  readonly store: DestinationCommands & TokenCommands;
  readonly deliveries: DeliveriesOf;
};

/** The name by which receivers know a service without a public URL. */
const unnamed = "idem";

/** Destinations and the handshake with their receivers. */
export const openDestinationService = (
  parts: DestinationParts,
): { readonly destinations: Destinations; readonly handshake: Handshake } => {
  const { publicUrl } = parts.config.http;
  const destinations = makeDestinations({
    ...parts,
    judgeUrl: acceptingMailbox(openJudgeReceiver(parts.config)),
    newId: randomUUID,
    newSecret: () => randomBytes(secretBytes),
  });
  const askReceiver = makeAskConsent({
    ...openTokens(parts),
    origin: publicUrl === undefined ? unnamed : new URL(publicUrl).hostname,
  });
  const judgeTest = makeJudgeTestReceiver(parts.config.egress.testReceivers);
  // The mailbox is inside of this service, and takes every message.
  const askConsent: AskConsent = async (destination, signal) => {
    if (destination.url === mailboxUrl) return { consents: true };
    const reason = judgeDestinationUrls(destination, judgeTest);
    return reason === undefined ? await askReceiver(destination, signal) : { consents: false, reason };
  };
  return { destinations, handshake: makeHandshake({ ...parts, destinations, askConsent }) };
};

/** Opens the operator's endpoints of destinations. */
export const openDestinations = (
  { config, egress, storage: { sealedStore: store, keyring }, clock }: Parts,
  deliveries: DeliveriesOf,
): Module => {
  const parts = { config, egress, store, keyring, clock, deliveries };
  const { destinations, handshake } = openDestinationService(parts);
  return {
    name: "destinations",
    endpoints: destinationEndpoints({ destinations, handshake }),
    tidying: [async () => void (await destinations.dropFormerSecrets())],
  };
};

const clock = (): Date => new Date();

/** Destinations for the commands of the operator. */
export const openDestinationAdmin = (
  store: KeyCommands & DestinationCommands & TokenCommands,
  config: ReadyConfig,
  egress: Egress,
  deliveries: DeliveriesOf,
) => {
  const keyring = makeKeyring({ store, masters: mastersOf(config), now: clock });
  return openDestinationService({ config, egress, store, keyring, clock, deliveries });
};
