import type { EventName } from "#contract/event";
import { Failure } from "#contract/failure";
import type { Json } from "#contract/json";
import type { Keyring } from "#machine/storage/blobs";
import type { Operation, Owner, Timeline } from "./operation.ts";
import { customerIdOfOperation } from "./operation-customer.ts";
import { openEvent } from "./sealed-event.ts";
import type { OperationCommands } from "./store/operation-store.ts";

/** An operation with its customer opened. */
export type ShownOperation = Operation & { readonly customerId: string };

export type ShownEvent = {
  readonly id: string;
  readonly sequence: number;
  readonly name: EventName;
  readonly at: Date;
  /** Absent where it cannot be opened any more. */
  readonly data?: Readonly<Record<string, Json>>;
};

/** A timeline with the texts that the store holds sealed. */
export type OpenedTimeline = Omit<Timeline, "operation" | "events"> & {
  readonly operation: ShownOperation;
  readonly events: readonly ShownEvent[];
};

/**
 * The timeline of an operation within the tenant and environment of the owner, opened. Fails with not_found
 * where these have no such operation. Made by {@link makeOpenTimeline}.
 */
export type OpenTimeline = (of: Owner, id: string) => Promise<OpenedTimeline>;

export type OpenTimelineDeps = {
  readonly store: Pick<OperationCommands, "readTimeline">;
  readonly keyring: Pick<Keyring, "open">;
};

export const makeOpenTimeline =
  ({ store, keyring }: OpenTimelineDeps): OpenTimeline =>
  async (of, id) => {
    const timeline = await store.readTimeline(of, id);
    if (timeline === undefined) throw new Failure("not_found");
    const { tenantId, environment } = timeline.operation;
    const events: ShownEvent[] = [];
    for (const { sealedData, ...event } of timeline.events) {
      const data = await dataOf(keyring, { tenantId, environment, id: event.id, sealedData });
      events.push({ ...event, ...(data && { data }) });
    }
    return { ...timeline, operation: await showOperation(keyring, timeline.operation), events };
  };

/** The operation with its customer opened. */
export const showOperation = async (
  keyring: Pick<Keyring, "open">,
  operation: Operation,
): Promise<ShownOperation> => ({
  ...operation,
  customerId: await customerIdOfOperation(keyring, operation),
});

const dataOf = async (
  keyring: Pick<Keyring, "open">,
  event: Parameters<typeof openEvent>[1],
): Promise<ShownEvent["data"]> => {
  try {
    return (await openEvent(keyring, event)).data;
  } catch (error) {
    if (error instanceof Failure && gone.includes(error.code)) return undefined;
    throw error;
  }
};

const gone: readonly string[] = ["not_found", "stored_damaged"];
