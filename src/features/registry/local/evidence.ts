import type { EvidenceEntry } from "#record/transactions/record";
import type { RegistryOwner } from "../store/registry-person.ts";
import type { ImportCounts } from "./import-persons.ts";

/** Entries of an import, before its first and after its last row, and of a removal. They name no person. */
export const localRegistryEvidenceKinds = [
  "registry_import_begun",
  "registry_imported",
  "registry_persons_removed",
] as const;

type Change =
  | { readonly kind: "registry_import_begun" }
  | { readonly kind: "registry_imported"; readonly counts: ImportCounts }
  | { readonly kind: "registry_persons_removed"; readonly persons: number | "all" };

/** The entry of a change of a local registry. */
export const localRegistryEvidence = (
  { environment, country }: RegistryOwner,
  { kind, ...facts }: Change,
  made: { readonly id: string; readonly at: Date },
): EvidenceEntry => ({ ...made, kind, body: { environment, country, ...facts } });
