import type { Call, Caller } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import type { Json } from "#contract/json";
import { operatorReason, type trackingStatuses } from "#contract/tracking-code";
import type { Keyring } from "#machine/storage/blobs";
import { stepOf } from "#record/transactions/record-call";
import type { LinkToAsset } from "./assets/link.ts";
import { customerIdOf } from "./customer-id.ts";
import type { OperationEvidenceKind } from "./end-operation.ts";
import { endOperation, type FinishCall, type FinishDeps, type Finished } from "./finish-tracking.ts";
import {
  makeOpenTimeline,
  type OpenedTimeline,
  type ShownOperation,
  showOperation,
} from "./open-timeline.ts";
import type { OperationFilter, OperationPlace, Owner, TimelineAsset } from "./operation.ts";
import { hashText, wireIdOf } from "./operation-id.ts";
import type { AssetCommands } from "./store/asset-store.ts";
import type { OperationCommands } from "./store/operation-store.ts";

export type OperationAdminDeps = FinishDeps & {
  readonly store: Pick<OperationCommands, "findOperation" | "listOperations" | "readTimeline"> &
    Pick<AssetCommands, "revokeAsset">;
  readonly keyring: Pick<Keyring, "seal" | "open" | "pseudonym">;
  readonly linkToAsset: LinkToAsset;
};

/** Which operations an operator asks for. `customer` is the caller's own name of the person. */
export type AskedOperations = Omit<OperationFilter, "customerHash"> & { readonly customer?: string };

/** An image with a link that works from now on; without one where it was revoked. */
export type ShownAsset = TimelineAsset & { readonly url?: string };

export type ShownTimeline = Omit<OpenedTimeline, "assets"> & { readonly assets: readonly ShownAsset[] };

/**
 * Operations for an operator, within the tenant and environment of the key. `name` is the id of an operation,
 * or the `operationId` of its calls. Each fails with not_found for an operation or
 * image that these do not have. Made by {@link makeOperationAdmin}.
 */
export type OperationAdmin = {
  readonly list: (
    of: Owner,
    asked: AskedOperations,
    after?: OperationPlace,
  ) => Promise<{ readonly operations: readonly ShownOperation[]; readonly isLast: boolean }>;
  readonly show: (of: Owner, name: string, at: Date) => Promise<ShownTimeline>;
  /** Ends an open operation; see `endOperation`. */
  readonly end: (
    call: FinishCall,
    name: string,
    state: (typeof trackingStatuses)[number],
  ) => Promise<Finished>;
  /**
   * No link serves the image from now on. The same revocation again changes nothing. Resolves with the
   * operation's id.
   */
  readonly revoke: (
    call: Pick<Call<unknown>, "caller" | "receivedAt">,
    name: string,
    assetId: string,
  ) => Promise<string>;
};

export const makeOperationAdmin = (deps: OperationAdminDeps): OperationAdmin => ({
  list: (of, asked, after) => list(deps, of, asked, after),
  show: (of, name, at) => show(deps, of, name, at),
  end: async (call, name, state) => {
    const id = await wireIdOf(deps.keyring, call.caller, name);
    const operation = await deps.store.findOperation(call.caller, id);
    if (operation === undefined) throw new Failure("not_found");
    return await endOperation(deps, operation, call, "endOperation", { state, reason: operatorReason });
  },
  revoke: async ({ caller, receivedAt: at }, name, assetId) => {
    const id = await wireIdOf(deps.keyring, caller, name);
    const kind = "asset_revoked" satisfies OperationEvidenceKind;
    const evidence = [{ id: deps.newId(), kind, at, body: bodyOf(caller, id, assetId) }];
    const isFound = await deps.store.revokeAsset(caller, id, assetId, at, stepOf({ evidence }));
    if (!isFound) throw new Failure("not_found");
    return id;
  },
});

const bodyOf = ({ keyId }: Caller, operation: string, asset: string): Json => ({
  asset,
  operation,
  key: keyId,
});

const list = async (
  { store, keyring }: OperationAdminDeps,
  of: Owner,
  { customer, ...filter }: AskedOperations,
  after: OperationPlace | undefined,
) => {
  const named = customer === undefined ? undefined : customerIdOf(customer);
  const customerHash = named === undefined ? undefined : await hashText(keyring, of, "customer", named);
  const page = await store.listOperations(
    of,
    { ...filter, ...(customerHash !== undefined && { customerHash }) },
    after,
  );
  const operations: ShownOperation[] = [];
  // One after the other, because the first reads the tenant's keys for all.
  for (const operation of page.operations) operations.push(await showOperation(keyring, operation));
  return { operations, isLast: page.isLast };
};

const show = async (
  { linkToAsset, ...deps }: OperationAdminDeps,
  of: Owner,
  name: string,
  at: Date,
): Promise<ShownTimeline> => {
  const timeline = await makeOpenTimeline(deps)(of, await wireIdOf(deps.keyring, of, name));
  const { tenantId } = of;
  const assets: ShownAsset[] = [];
  for (const { isForged, ...asset } of timeline.assets) {
    // A link to an image whose row was changed past the service serves nothing.
    const isServed = asset.revokedAt === undefined && isForged !== true;
    assets.push({ ...asset, ...(isServed && { url: await linkToAsset({ tenantId, id: asset.id }, at) }) });
  }
  return { ...timeline, assets };
};
