import { Failure } from "#contract/failure";
import { checkPlace } from "../check-place.ts";
import type { Environment, Registry, RegistryCountry } from "../registry.ts";
import type { LocalSettings } from "../settings/settings.ts";
import type { RegistryPersonCommands } from "../store/registry-person-store.ts";
import type { PersonKeys } from "./person-keys.ts";

export type LocalDeps = {
  readonly store: Pick<RegistryPersonCommands, "findRegistryPerson" | "holdsRegistryPersons">;
  readonly keys: PersonKeys;
};

/** The registry of a country from the persons that the operator imported for a tenant. */
export const makeLocalRegistry = (
  { legalBasis }: LocalSettings,
  place: { readonly environment: Environment; readonly country: RegistryCountry },
  { store, keys }: LocalDeps,
): Registry => ({
  connector: "local",
  legalBasis,
  ask: async (question, signal) => {
    checkPlace(place, question);
    signal.throwIfAborted();
    const owner = { ...place, tenantId: question.tenantId };
    const hash = await keys.hashOf(owner, question.documentNumber);
    const row = await store.findRegistryPerson(owner, hash);
    signal.throwIfAborted();
    if (row !== undefined) return { kind: "person", person: await keys.open(owner, hash, row) };
    // An empty table states nothing about a person.
    if (await store.holdsRegistryPersons(owner)) return { kind: "unknown" };
    throw new Failure("upstream_failed", {
      country: place.country,
      reason: "civil registry: no person was imported for this tenant and environment",
    });
  },
});
