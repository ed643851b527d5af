/** Composition of the local civil registry for the operator's commands: import, removal, one question. */
import { randomUUID } from "node:crypto";
import { registryOf } from "#features/registry/countries/countries";
import { judgeNumber } from "#features/registry/judge-number";
import { localRegistryEvidence } from "#features/registry/local/evidence";
import {
  type ImportCounts,
  type ImportDeps,
  importPersons,
  type ListedPerson,
} from "#features/registry/local/import-persons";
import { makePersonKeys } from "#features/registry/local/person-keys";
import { makePreparePhoto } from "#features/registry/local/prepare-photo";
import type { RegistryCountry } from "#features/registry/registry";
import type { RegistryOwner } from "#features/registry/store/registry-person";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { stepOf } from "#record/transactions/record-call";
import { untilNone } from "./erasure.ts";
import type { ReadyConfig, Storage } from "./storage.ts";

const clock = (): Date => new Date();

/** The canonical form of a number of the country; undefined for a text that is none. */
export const readCanonicalNumber =
  (country: RegistryCountry) =>
  (text: string): string | undefined => {
    const judged = judgeNumber(registryOf(country), text, clock().toISOString().slice(0, 10));
    return "canonical" in judged ? judged.canonical : undefined;
  };

const made = () => ({ id: randomUUID(), at: clock() });

type Opened = Pick<Storage, "store" | "keyring">;

/** The work of an operator on one local registry. Made by {@link openLocalRegistry}. */
export type LocalRegistryAdmin = {
  readonly importPersons: (
    rows: AsyncIterable<ListedPerson>,
    reading: Pick<ImportDeps, "readPhoto" | "onRefused" | "onReplaced" | "onProgress">,
  ) => Promise<ImportCounts>;
  /**
   * False if the registry has no person with this number; undefined for a text that is no number of the
   * country.
   */
  readonly remove: (number: string) => Promise<boolean | undefined>;
  /** Returns how many persons were removed. */
  readonly removeAll: () => Promise<number>;
};

export const openLocalRegistry = (
  { store, keyring }: Opened,
  { images, inference }: Pick<ReadyConfig, "images" | "inference">,
  owner: RegistryOwner,
): LocalRegistryAdmin => {
  const keys = makePersonKeys(keyring);
  const note = (change: Parameters<typeof localRegistryEvidence>[1]): Promise<void> =>
    store.recordEvidence(owner.tenantId, [localRegistryEvidence(owner, change, made())]);
  const read = readCanonicalNumber(owner.country);
  return {
    importPersons: async (rows, reading) => {
      const imaging = makeImaging({ limits: { ...defaultImagingLimits, ...images } });
      await note({ kind: "registry_import_begun" });
      const counts = await importPersons(rows, owner, {
        store,
        keys,
        readNumber: read,
        preparePhoto: makePreparePhoto(imaging),
        width: inference.workers,
        clock,
        ...reading,
      });
      await note({ kind: "registry_imported", counts });
      return counts;
    },

    remove: async (text) => {
      const number = read(text);
      if (number === undefined) return undefined;
      const entry = localRegistryEvidence(owner, { kind: "registry_persons_removed", persons: 1 }, made());
      const hash = await keys.hashOf(owner, number);
      return await store.removeRegistryPerson(owner, hash, stepOf({ evidence: [entry] }));
    },

    removeAll: async () => {
      let removed = 0;
      await note({ kind: "registry_persons_removed", persons: "all" });
      await untilNone(async () => {
        const some = await store.removeRegistryPersons(owner);
        removed += some;
        return some;
      });
      return removed;
    },
  };
};
