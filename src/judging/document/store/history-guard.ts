import { lockChain, type StepSession } from "#record/transactions/store/step-store";
import { type ClaimTables, isClaimCurrent } from "./claim-store.ts";
import { countEvents, isListed, type ListedDocumentTables } from "./listed-document-store.ts";
import type { ExpectedHistory, Finish } from "./validation.ts";

type GuardSession = StepSession<ClaimTables & ListedDocumentTables>;

/**
 * Whether a decision still rests on the stored history. Writers of one tenant wait here until commit: of two
 * validations that are decided at the same time, the second sees what the first wrote.
 */
export const isHistoryCurrent = async (
  session: GuardSession,
  tenantId: string,
  { claim, expected, velocityEvents = [] }: Pick<Finish, "claim" | "expected" | "velocityEvents">,
): Promise<boolean> => {
  if (claim !== undefined && !(await isClaimCurrent(session, tenantId, claim))) {
    return false;
  }
  return expected === undefined || (await isAsExpected(session, tenantId, expected, velocityEvents));
};

const isAsExpected = async (
  session: GuardSession,
  tenantId: string,
  { unlisted, velocity }: ExpectedHistory,
  velocityEvents: readonly string[],
): Promise<boolean> => {
  await lockChain(session, tenantId);
  for (const number of unlisted) {
    if (await isListed(session, tenantId, number)) return false;
  }
  return velocity === undefined || (await isWithin(session, tenantId, velocityEvents, velocity));
};

const isWithin = async (
  session: GuardSession,
  tenantId: string,
  hashes: readonly string[],
  { since, eventsMax }: NonNullable<ExpectedHistory["velocity"]>,
): Promise<boolean> => {
  for (const hash of hashes) {
    if ((await countEvents(session, tenantId, hash, since)) > eventsMax) return false;
  }
  return true;
};
