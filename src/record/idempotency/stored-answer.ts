import { Type } from "typebox";
import { Failure } from "#contract/failure";
import { makeCheck } from "#contract/make-check";
import type { WrittenAnswer } from "#machine/http/options";
import type { Keyring } from "#machine/storage/blobs";
import type { HeldClaim } from "./store/claim.ts";

const shape = makeCheck(
  Type.Object({
    status: Type.Integer({ minimum: 200, maximum: 599 }),
    contentType: Type.String(),
    body: Type.String(),
    failure: Type.Optional(Type.String()),
  }),
);

/** An answer under another name, or of another attempt, does not open. */
const contextOf = ({ name, transactionId }: HeldClaim): string => `answer ${name} ${transactionId}`;

/** Seals an answer under the tenant's key: it may hold personal data. */
export const sealAnswer = async (
  keyring: Pick<Keyring, "seal">,
  claim: HeldClaim,
  { status, contentType, body, failure }: WrittenAnswer,
): Promise<Uint8Array> => {
  const stored = { status, contentType, body, ...(failure !== undefined && { failure }) };
  const bytes = Buffer.from(JSON.stringify(stored), "utf8");
  return await keyring.seal(claim.tenantId, "answers", bytes, contextOf(claim));
};

/**
 * Opens a stored answer. Undefined if no retry can open it: its data key was destroyed, its bytes were
 * changed, or another release wrote it in another form. Fails as the store does.
 */
export const openAnswer = async (
  keyring: Pick<Keyring, "open">,
  claim: HeldClaim,
  sealed: Uint8Array,
): Promise<WrittenAnswer | undefined> => {
  const bytes = await keyring
    .open(claim.tenantId, "answers", sealed, contextOf(claim))
    .catch(undefinedIfLost);
  if (bytes === undefined) return undefined;
  const stored: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
  return shape.Check(stored) ? stored : undefined;
};

const undefinedIfLost = (error: unknown): undefined => {
  if (error instanceof Failure && (error.code === "not_found" || error.code === "stored_damaged")) {
    return undefined;
  }
  throw error;
};
