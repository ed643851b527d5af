/** The wait of a person or an address after refusals that speak of an attack. */
import { Failure } from "#contract/failure";
import type { CaptureOwner } from "./capture-session.ts";
import { failuresSince, judgePause } from "./judge-pause.ts";
import type { CaptureDeps } from "./sessions.ts";

/** Whom a refusal counts against. */
export type Suspect = { readonly customerId?: string | undefined; readonly address?: string | undefined };

type PauseDeps = Pick<CaptureDeps, "store" | "keyring" | "policy" | "clock">;

/** The subjects as the store knows them: keyed hashes, from which no name follows without the tenant's key. */
export const subjectsOf = async (
  { keyring }: Pick<CaptureDeps, "keyring">,
  { tenantId, environment }: CaptureOwner,
  { customerId, address }: Suspect,
): Promise<readonly string[]> => {
  const named = [
    ...(customerId === undefined ? [] : [["customer", customerId]]),
    ...(address === undefined ? [] : [["address", address]]),
  ];
  return await Promise.all(
    named.map(([use, text]) =>
      keyring.pseudonym(tenantId, "captures", JSON.stringify([use, environment, text])),
    ),
  );
};

/** Fails with capture_paused while one of the subjects waits. */
export const requireNoPause = async (deps: PauseDeps, of: CaptureOwner, suspect: Suspect): Promise<void> => {
  const now = deps.clock();
  const since = failuresSince(now, deps.policy);
  for (const subject of await subjectsOf(deps, of, suspect)) {
    const failures = await deps.store.listCaptureFailures(of.tenantId, subject, since);
    const retryAfterSeconds = judgePause(failures, now, deps.policy);
    if (retryAfterSeconds > 0) throw new Failure("capture_paused", { retryAfterSeconds });
  }
};
