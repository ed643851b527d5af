/** The wait after refusals that speak of an attack: whom they count against, and who is refused. */
import { Failure } from "#contract/failure";
import type { CaptureOwner, CaptureSession } from "./capture-session.ts";
import { failuresSince, judgeAddress, judgePause } from "./judge-pause.ts";
import type { CaptureDeps } from "./sessions.ts";
import type { CaptureChange } from "./store/capture-row.ts";

/** Whom a refusal counts against. */
export type Payer = {
  readonly customerId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Thumbprint of the key of the page that captures. */
  readonly pageKey?: string | undefined;
  /** Absent where the address would be that of a proxy. */
  readonly address?: string | undefined;
};

type PauseDeps = Pick<CaptureDeps, "store" | "keyring" | "policy" | "clock">;

/** The payer of a call of a page. */
export const payerOf = (
  { id, content }: Pick<CaptureSession, "id" | "content">,
  { remoteAddress }: { readonly remoteAddress?: string | undefined },
): Payer => ({
  customerId: content.customerId,
  sessionId: id,
  pageKey: content.page?.thumbprint,
  address: remoteAddress,
});

type Named = readonly (readonly [use: string, text: string | undefined])[];

/** The names as the store holds them: keyed hashes, from which no name follows without the tenant's key. */
const pseudonymsOf = async (
  { keyring }: Pick<CaptureDeps, "keyring">,
  { tenantId, environment }: CaptureOwner,
  named: Named,
): Promise<readonly string[]> =>
  await Promise.all(
    named.flatMap(([use, text]) =>
      text === undefined
        ? []
        : [keyring.pseudonym(tenantId, "captures", JSON.stringify([use, environment, text]))],
    ),
  );

const ownNames = ({ customerId, sessionId, pageKey }: Payer): Named => [
  ["customer", customerId],
  ["session", sessionId],
  ["page", pageKey],
];

/** The refusals of an address whose budget has not come back. */
const listOfAddress = async (
  deps: PauseDeps,
  of: CaptureOwner,
  { address }: Payer,
): Promise<
  { readonly subject: string; readonly since: Date; readonly failures: readonly Date[] } | undefined
> => {
  const [subject] = await pseudonymsOf(deps, of, [["address", address]]);
  if (subject === undefined) return undefined;
  const since = new Date(deps.clock().getTime() - deps.policy.addressWindowMs);
  return { subject, since, failures: await deps.store.listCaptureFailures(of.tenantId, subject, since) };
};

/**
 * Fails with capture_paused while customer, page key or session waits. An address without budget refuses only
 * those of them that had a refusal of their own: thousands of persons may share it, and one of them must not
 * shut out the others.
 */
export const requireNoPause = async (deps: PauseDeps, of: CaptureOwner, payer: Payer): Promise<void> => {
  const now = deps.clock();
  const since = failuresSince(now, deps.policy);
  let hasRefusals = false;
  for (const subject of await pseudonymsOf(deps, of, ownNames(payer))) {
    const failures = await deps.store.listCaptureFailures(of.tenantId, subject, since);
    requireNoWait(judgePause(failures, now, deps.policy));
    hasRefusals ||= failures.length > 0;
  }
  if (!hasRefusals) return;
  const ofAddress = await listOfAddress(deps, of, payer);
  if (ofAddress !== undefined) requireNoWait(judgeAddress(ofAddress.failures, now, deps.policy));
};

const requireNoWait = (retryAfterSeconds: number): void => {
  if (retryAfterSeconds > 0) throw new Failure("capture_paused", { retryAfterSeconds });
};

/**
 * What a refusal that speaks of an attack writes. An address that has used up its budget owes no more than
 * that: each good capture then helps at once, and a flood writes no rows.
 */
export const failuresOf = async (
  deps: PauseDeps & Pick<CaptureDeps, "newId">,
  of: CaptureOwner,
  payer: Payer,
): Promise<Pick<CaptureChange, "failures">> => {
  const ofAddress = await listOfAddress(deps, of, payer);
  const paysMore =
    ofAddress !== undefined && ofAddress.failures.length < deps.policy.addressFailuresMax
      ? [ofAddress.subject]
      : [];
  const subjects = [...(await pseudonymsOf(deps, of, ownNames(payer))), ...paysMore];
  return { failures: subjects.map((subject) => ({ id: deps.newId(), subject, at: deps.clock() })) };
};

/** What a good capture of a face writes: its address gets one refusal back, if it owes one. */
export const forgivenOf = async (
  deps: PauseDeps,
  of: CaptureOwner,
  payer: Payer,
): Promise<Pick<CaptureChange, "forgiven">> => {
  const ofAddress = await listOfAddress(deps, of, payer);
  if (ofAddress === undefined || ofAddress.failures.length === 0) return {};
  return { forgiven: { subject: ofAddress.subject, since: ofAddress.since } };
};
