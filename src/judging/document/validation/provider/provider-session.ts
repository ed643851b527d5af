import type { LeaseCommands } from "../../store/lease-store.ts";
import type { Validation } from "../../store/validation.ts";
import { LeaseLost } from "../lease-lost.ts";
import type { ProviderSession, Sealing } from "../sealed.ts";
import type { MorphologyProvider } from "./document-provider.ts";

/** Progress of a session, with its copy in the row. */
export type KeptSession = {
  readonly state: () => ProviderSession;
  /** Durable when it resolves. Rejects with LeaseLost if another lease holder has the validation. */
  readonly keep: (change: Partial<ProviderSession>) => Promise<void>;
};

type Deps = {
  readonly provider: MorphologyProvider;
  readonly sealing: Sealing;
  readonly store: Pick<LeaseCommands, "keepSession">;
  /** Lease holder. */
  readonly holder: string;
};

/** The kept session of these images. A new one if there is none, or if it belongs to another provider. */
export const openKeptSession = async (
  { provider, sealing, store, holder: worker }: Deps,
  validation: Validation,
): Promise<KeptSession> => {
  const { tenantId, id, revision, sealedSession } = validation;
  const kept = sealedSession && (await sealing.openSession(validation, sealedSession));
  const fresh: ProviderSession = {
    provider: provider.name,
    id: null,
    submittedAt: null,
    failingSince: null,
  };
  let state = kept?.provider === provider.name ? kept : fresh;
  return {
    state: () => state,
    keep: async (change) => {
      const next = { ...state, ...change };
      const sealed = await sealing.sealSession(validation, next);
      if (!(await store.keepSession({ tenantId, id, revision, worker }, sealed))) {
        throw new LeaseLost("The lease was lost during a call to the provider");
      }
      state = next;
    },
  };
};
