import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "#app/store";
import type { Egress, EgressRules } from "#machine/egress/egress";
import { makeEgress, makeJudgeUrl } from "#machine/egress/make-egress";
import type { Keyring } from "#machine/storage/blobs";
import { signStandardWebhook } from "#record/events/standard-webhooks";
import type { Destination, DestinationAuth } from "#record/webhooks/destinations/destination";
import { type Destinations, makeDestinations } from "#record/webhooks/destinations/destinations";
import { secretBytes, secretOf } from "#record/webhooks/destinations/secret";
import { makeSend } from "#record/webhooks/send/make-send";
import { makeRequestToken } from "#record/webhooks/send/request-token";
import type { Send } from "#record/webhooks/send/send";
import { makeTakeToken } from "#record/webhooks/send/take-token";
import type { TakeToken } from "#record/webhooks/send/token";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { openStoreHere } from "../app/store-here.ts";

/** A tenant of an embedded store, with a clock that the test moves. */
export type WebhookHarness = {
  readonly store: Store;
  readonly path: string;
  readonly tenantId: string;
  readonly keyring: Keyring;
  readonly clock: { now: Date };
  /** What a release or a hold was asked for. */
  readonly deliveries: readonly string[];
  readonly destinations: Destinations;
  /** A process of its own: its own memory of tokens and its own connections. */
  readonly newSender: (egress?: Egress) => { readonly send: Send; readonly takeToken: TakeToken };
  /** A stored destination with these settings. */
  readonly newDestination: (change: Partial<Destination>) => Promise<Destination>;
  readonly close: () => Promise<void>;
};

/** Plain http to this host is allowed, as a deployment allows it. */
export const allowingRules: EgressRules = { allow: ["127.0.0.0/8", "::1"] };

export const openWebhookHarness = async (rules: EgressRules = allowingRules): Promise<WebhookHarness> => {
  const folder = await mkdtemp(join(tmpdir(), "idem-webhooks-"));
  const path = join(folder, "idem.sqlite");
  const store = await openStoreHere({ path });
  const tenantId = randomUUID();
  await store.createTenant({ id: tenantId, name: tenantId, createdAt: new Date() });
  const clock = { now: new Date() };
  const now = (): Date => clock.now;
  const keyring = makeKeyring({ store, masters: [masterKeyOf(new Uint8Array(randomBytes(32)))], now });
  const deliveries: string[] = [];
  return {
    store,
    path,
    tenantId,
    keyring,
    clock,
    deliveries,
    destinations: makeDestinations({
      store,
      keyring,
      judgeUrl: makeJudgeUrl(rules),
      deliveries: {
        hold: async ({ id }) => void deliveries.push(`hold ${id}`),
        release: async ({ id }) => void deliveries.push(`release ${id}`),
      },
      clock: now,
      newId: randomUUID,
      newSecret: () => randomBytes(secretBytes),
    }),
    newSender: (own = makeEgress(rules)) => {
      const requestToken = makeRequestToken({ egress: own });
      const takeToken = makeTakeToken({ store, keyring, requestToken, clock: now, holder: randomUUID() });
      return { takeToken, send: makeSend({ egress: own, sign: signStandardWebhook, takeToken }) };
    },
    newDestination: makeNewDestination(store, tenantId, now),
    close: async () => {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
};

const makeNewDestination =
  (store: Store, tenantId: string, now: () => Date): WebhookHarness["newDestination"] =>
  async (change) => {
    const destination = aDestination({ tenantId, ...change });
    const { environment, id, name, state, topics, isOrdered } = destination;
    const row = { tenantId, environment, id, name, state, topics, isOrdered, createdAt: now() };
    await store.createDestination({ ...row, sealedSettings: new Uint8Array([1]) }, 1000, { evidence: [] });
    return destination;
  };

export const aDestination = (change: Partial<Destination> = {}): Destination => ({
  tenantId: "tenant",
  environment: "test",
  id: randomUUID(),
  name: "receiver",
  state: "active",
  topics: ["*"],
  isOrdered: false,
  revision: 1,
  url: "https://hooks.example.com/",
  headers: {},
  auth: { kind: "none" },
  secrets: [secretOf(randomBytes(secretBytes))],
  handshake: false,
  timeoutMs: 5_000,
  ...change,
});

export const oauthOf = (
  tokenUrl: string,
  change: Partial<Extract<DestinationAuth, { kind: "oauth2" }>> = {},
): Extract<DestinationAuth, { kind: "oauth2" }> => ({
  kind: "oauth2",
  tokenUrl,
  clientId: "client id",
  clientSecret: "canary-secret +%",
  credentialsIn: "header",
  ...change,
});
