import type { Store, Validation } from "#storage/store";
import type { MorphologyProvider } from "../outside/morphology-provider.ts";
import type { ProviderSession, Sealing } from "./sealed.ts";

/** How far a provider is, as it is kept in the row. */
export type HeldSession = {
  readonly state: () => ProviderSession;
  /** Durable when it resolves. Rejects where the lease was lost meanwhile: another worker goes on. */
  readonly keep: (change: Partial<ProviderSession>) => Promise<void>;
};

type Deps = {
  readonly provider: MorphologyProvider;
  readonly sealing: Sealing;
  readonly store: Pick<Store, "keepSession">;
  readonly worker: string;
};

/** What is kept of these pictures' session; a new one where there is none, or it is another provider's. */
export const holdSession = async (
  { provider, sealing, store, worker }: Deps,
  validation: Validation,
): Promise<HeldSession> => {
  const { tenantId, id, revision, sealedSession } = validation;
  const found = sealedSession && (await sealing.openSession(validation, sealedSession));
  const fresh: ProviderSession = {
    provider: provider.name,
    id: null,
    submittedAt: null,
    failingSince: null,
  };
  let state = found?.provider === provider.name ? found : fresh;
  return {
    state: () => state,
    keep: async (change) => {
      const next = { ...state, ...change };
      const sealed = await sealing.sealSession({ tenantId, id }, next);
      if (!(await store.keepSession({ tenantId, id, revision, worker }, sealed))) {
        throw new Error("The lease was lost while a provider was asked");
      }
      state = next;
    },
  };
};
