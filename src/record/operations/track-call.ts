import { assetTypes } from "#contract/event";
import { textOfToken } from "#contract/tracking";
import { familyOf } from "#contract/tracking-code";
import type { Blobs, Keyring } from "#machine/storage/blobs";
import type {
  KeptAsset,
  OperationDetails,
  OperationStep,
  SealedEvent,
  StatedEvent,
  TrackCall,
  TrackDecision,
  TrackedCall,
} from "#record/transactions/operation-step";
import { customerIdOf } from "./customer-id.ts";
import { contextOfOperation } from "./operation-customer.ts";
import { hashText, keptExtraOf, operationIdOf } from "./operation-id.ts";
import { sealEvent } from "./sealed-event.ts";

export type TrackingDeps = {
  readonly keyring: Pick<Keyring, "seal" | "pseudonym">;
  readonly blobs: Pick<Blobs, "put">;
  readonly newId: () => string;
  /** An operation without a further call ends after this time. */
  readonly expiresAfterMs: number;
  /**
   * An image as it may be kept: its pixels alone. All images of operations pass here, and none is kept as it
   * was sent: links hand them to receivers. Implemented by makeKeepPixels, in a thread.
   */
  readonly keepPixels: (bytes: Uint8Array) => Promise<Uint8Array>;
  /** If false, operations keep no images, and events link to none. */
  readonly keepsImages: boolean;
};

/** Prepares the steps of tracked calls; see {@link TrackCall}. */
export const makeTrackCall =
  (deps: TrackingDeps): TrackCall =>
  async (call, endpoint, details = {}) => {
    if (call.tracking === undefined) return undefined;
    const operationId = await operationIdOf(deps.keyring, call.caller, call.tracking);
    if (operationId === undefined) return undefined;
    const { tenantId, environment } = call.caller;
    const assets = await keepImages(deps, tenantId, details.images);
    const events: SealedEvent[] = [];
    for (const event of details.events ?? []) {
      events.push(await sealEvent(deps.keyring, call.caller, deps.newId(), event, assets));
    }
    return {
      environment,
      operationId,
      transactionId: call.transactionId,
      endpoint,
      at: call.receivedAt,
      opening: await openingOf(deps, call, operationId, details),
      events,
      assets,
    };
  };

/** Prepares the step of a later decision; see {@link TrackDecision}. */
export const makeTrackDecision =
  ({ keyring, newId }: Pick<TrackingDeps, "keyring" | "newId">): TrackDecision =>
  async ({ tenantId, environment, transactionId, at }, endpoint, { id, call, assets }, stated) => {
    const events: SealedEvent[] = [];
    for (const event of stated)
      events.push(await sealEvent(keyring, { tenantId, environment }, newId(), event, assets));
    const step = { environment, operationId: id, transactionId, endpoint, at, events, assets: [] };
    return { ...step, ...(call !== undefined && { follows: call }) };
  };

/** Durable when it resolves. Objects without a row, as after a refused commit, are orphans for the sweep. */
const keepImages = async (
  { blobs, newId, keepPixels, keepsImages }: TrackingDeps,
  tenantId: string,
  images: OperationDetails["images"] = {},
): Promise<readonly KeptAsset[]> => {
  if (!keepsImages) return [];
  const given = assetTypes.flatMap((type) => {
    const bytes = images[type];
    return bytes === undefined ? [] : [{ type, bytes }];
  });
  return await Promise.all(
    given.map(async ({ type, bytes }) => {
      const { id: blobId, ...stored } = await blobs.put(tenantId, await keepPixels(bytes));
      return { id: newId(), type, blobId, ...stored };
    }),
  );
};

const openingOf = async (
  { keyring, newId, expiresAfterMs }: TrackingDeps,
  { caller, receivedAt, tracking, family }: TrackedCall,
  operationId: string,
  { customer }: OperationDetails,
): Promise<NonNullable<OperationStep["opening"]>> => {
  const { tenantId } = caller;
  const named = customer === undefined ? undefined : customerIdOf(customer);
  const customerId = named ?? customerIdOf(operationId);
  const started: StatedEvent = {
    name: "operation_started",
    data: customerId === undefined ? {} : { customerId },
  };
  const seal = (text: string): Promise<Uint8Array> =>
    keyring.seal(tenantId, "operations", Buffer.from(text, "utf8"), contextOfOperation(caller, operationId));
  const extra = tracking?.extraData === undefined ? undefined : textOfToken(tracking.extraData);
  return {
    started: await sealEvent(keyring, caller, newId(), started, []),
    expiresAt: new Date(receivedAt.getTime() + expiresAfterMs),
    ...(tracking?.operationId === undefined && { byTokenAlone: true }),
    ...(family !== undefined && { family: familyOf(family) }),
    ...(named !== undefined && {
      customer: { hash: await hashText(keyring, caller, "customer", named), sealed: await seal(named) },
    }),
    ...(extra !== undefined && {
      extraData: {
        hash: await hashText(keyring, caller, "extra-data", extra),
        sealed: await seal(keptExtraOf(extra)),
      },
    }),
  };
};
