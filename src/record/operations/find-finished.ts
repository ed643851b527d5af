import { readBase64 } from "#contract/base64";
import type { Call } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import { type Tracking, textOfToken } from "#contract/tracking";
import type { Keyring } from "#machine/storage/blobs";
import type { Operation } from "./operation.ts";
import { hashText, operationIdOf } from "./operation-id.ts";
import { readOperationId } from "./read-operation-id.ts";
import type { OperationCommands } from "./store/operation-store.ts";

/** A call that names an operation without opening it. */
export type NamingCall = Pick<Call<unknown>, "caller" | "receivedAt" | "tracking">;

/** Opens a tracking token that was sealed to this deployment. Fails as `OpenToken` of the tokens. */
export type OpenTracking = (
  token: Uint8Array,
  kind: "tracking",
  call: NamingCall,
) => Promise<{ readonly payload: Uint8Array }>;

export type FindFinishedDeps = {
  readonly store: Pick<OperationCommands, "findOperation" | "findOperationOfExtra">;
  readonly openToken: OpenTracking;
  readonly keyring: Pick<Keyring, "pseudonym">;
};

/**
 * Finds the operation that finishTracking ends, within the caller's tenant and environment. An `operationId`
 * decides alone. Else the tracking token is asked, the first answer counts: the id inside a token of this
 * service, the id that another token states, the operation of the last call with the same token, the id that
 * a call with it alone gets. Undefined where there is none.
 */
export const findFinished = async (
  deps: FindFinishedDeps,
  call: NamingCall,
): Promise<Operation | undefined> => {
  const { caller, tracking = {} } = call;
  const { operationId, extraData } = tracking;
  const find = async (named: Tracking): Promise<Operation | undefined> => {
    const id = await operationIdOf(deps.keyring, caller, named);
    return id === undefined ? undefined : await deps.store.findOperation(caller, id);
  };
  if (operationId !== undefined) return await find({ operationId });
  if (extraData === undefined) return undefined;
  const text = textOfToken(extraData);
  for (const stated of [await idInOwnToken(deps.openToken, call, extraData), readOperationId(text)]) {
    const found = stated === undefined ? undefined : await find({ operationId: stated });
    if (found !== undefined) return found;
  }
  const hash = await hashText(deps.keyring, caller, "extra-data", text);
  return (await deps.store.findOperationOfExtra(caller, hash)) ?? (await find({ extraData }));
};

/** The id inside a tracking token that was sealed to this deployment; undefined for any other token. */
const idInOwnToken = async (
  openToken: OpenTracking,
  call: NamingCall,
  extraData: NonNullable<Tracking["extraData"]>,
): Promise<string | undefined> => {
  const { bytes } = typeof extraData === "string" ? readBase64(extraData) : extraData.decoding;
  if (bytes === undefined) return undefined;
  try {
    const { payload } = await openToken(bytes, "tracking", call);
    return readOperationId(Buffer.from(payload).toString("utf8"));
  } catch (error) {
    // Another SDK's token is any text: the next way of finding the operation follows.
    if (error instanceof Failure && foreign.includes(error.code)) return undefined;
    throw error;
  }
};

const foreign: readonly string[] = ["token_unreadable", "token_wrong_kind", "token_expired"];
