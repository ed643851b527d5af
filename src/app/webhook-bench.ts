/**
 * Composition of `idem bench webhooks`: the product's store, keys, steps and deliveries, without server and
 * networks.
 */
import { randomUUID } from "node:crypto";
import type { Config } from "#machine/config/config";
import { makeRecordCall } from "#record/transactions/record-call";
import type { WishedDestination } from "#record/webhooks/destinations/judge-destination";
import { openDestinationService } from "./destinations.ts";
import { openOutgoing } from "./outgoing.ts";
import type { Note } from "./parts.ts";
import type { Report } from "./report.ts";
import { openRights } from "./rights.ts";
import { openPlaces, openStorage, type ReadyConfig, type Storage } from "./storage.ts";
import { noImages, openTracking } from "./tracking.ts";
import { openDeliveries } from "./webhooks.ts";

export type WebhookBench = {
  /** Creates a tenant with one destination for each URL, which takes every event. */
  readonly addTenant: (urls: readonly string[], wish?: WishedDestination) => Promise<string>;
  /** Commits one call of a new operation, which makes one event. Returns the id of the operation. */
  readonly recordEvent: (tenantId: string) => Promise<string>;
  readonly storage: Pick<Storage, "sealedStore" | "keyring">;
  readonly start: () => void;
  readonly stop: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const clock = (): Date => new Date();
const note: Note = () => undefined;

/** Opens the parts of a service that make and deliver events. Each opening has a loop of its own. */
export const openWebhookBench = async (
  config: Config & Pick<ReadyConfig, "masterKey">,
  report: Report,
): Promise<WebhookBench> => {
  const { onEvents, ...places } = await openPlaces(config);
  await openRights(places.store, config, new Date());
  const storage = openStorage({ onEvents, ...places }, config);
  const { sealedStore: store, keyring } = storage;
  const tracking = openTracking(config, storage, () => "http://127.0.0.1", noImages);
  const recordCall = makeRecordCall(storage.store, tracking.trackCall);
  const outgoing = openOutgoing(config.egress);
  const { egress } = outgoing;
  const { loop } = openDeliveries({ config, egress, store, keyring, ...tracking, clock, report, note });
  onEvents(loop.wake);
  const noDeliveries = { hold: async () => undefined, release: async () => undefined };
  const { destinations } = openDestinationService({
    config,
    egress,
    store,
    keyring,
    clock,
    deliveries: noDeliveries,
  });
  return {
    addTenant: async (urls, wished) => {
      const id = randomUUID();
      await store.createTenant({ id, name: `bench ${id}`, createdAt: clock() });
      for (const [n, url] of urls.entries()) {
        const wish = { name: `receiver ${n}`, url, topics: ["*"], timeoutSeconds: 5, ...wished };
        await destinations.create({ tenantId: id, environment: "test" }, wish);
      }
      return id;
    },
    recordEvent: async (tenantId) => {
      const operationId = randomUUID();
      const caller = { tenantId, keyId: randomUUID(), environment: "test" } as const;
      const call = { caller, transactionId: randomUUID(), receivedAt: clock(), tracking: { operationId } };
      const entry = { endpoint: "bench", result: {}, measurements: null, policyVersion: "bench" };
      await recordCall(call, entry);
      return operationId;
    },
    storage,
    start: loop.start,
    stop: loop.stop,
    close: storage.close,
  };
};
