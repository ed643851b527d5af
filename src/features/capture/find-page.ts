import type { CaptureFacts, Holder } from "./capture-session.ts";
import { type CaptureDeps, openRow } from "./sessions.ts";

/** The session that a token opens, and the origins whose pages may use it. */
export type FoundPage = Pick<CaptureFacts, "id" | "tenantId" | "environment" | "keyId"> & {
  readonly holder: Holder;
  readonly origins: readonly string[];
};

/**
 * Finds the session of a token's hash: undefined for every token that opens nothing. The page of a hand-off
 * is always this service's own. A hand-off without a confirmation in its time opens nothing any more.
 */
export const makeFindPage =
  (deps: Pick<CaptureDeps, "store" | "seal" | "clock">, ownOrigin: () => string) =>
  async (hash: string): Promise<FoundPage | undefined> => {
    const found = await deps.store.findCaptureOfToken(hash);
    if (found === undefined) return undefined;
    const { row, holder } = found;
    const { content } = await openRow(deps, row);
    const { id, tenantId, environment, keyId } = row;
    if (holder === "page")
      return { id, tenantId, environment, keyId, holder, origins: [content.origin, ownOrigin()] };
    const { handoff } = content;
    const isOver = handoff?.state !== "confirmed" && (handoff?.expiresAt ?? 0) <= deps.clock().getTime();
    return isOver ? undefined : { id, tenantId, environment, keyId, holder, origins: [ownOrigin()] };
  };
