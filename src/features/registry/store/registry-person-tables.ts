/**
 * The local civil registry. Photos have a table of their own: a person is found without reading over photos.
 */
import { defineTable, environment, int, sealed, text, underTenant } from "#machine/storage/table";

/**
 * `hash` is a keyed hash of country and number, `content` one of the whole person, so that an import that
 * runs again leaves what it wrote.
 */
export const registryPersonTable = defineTable(
  "registryPersons",
  {
    tenantId: text(),
    environment: environment(),
    country: text(),
    hash: text(),
    content: text(),
    dataKeyId: text(),
    sealed: sealed("registry", "registry person {environment} {country} {hash}", { boundBy: "words" }),
    importedAt: int(),
  },
  {
    key: ["tenantId", "environment", "country", "hash"],
    erase: { by: "purgeRegistryPersons" },
    keep: { until: "the operator removes the person or imports another" },
    rights: { sealed: underTenant },
  },
);

export const registryPhotoTable = defineTable(
  "registryPhotos",
  {
    tenantId: text(),
    environment: environment(),
    country: text(),
    hash: text(),
    sealed: sealed("registry", "registry photo {environment} {country} {hash}", { boundBy: "words" }),
  },
  {
    key: ["tenantId", "environment", "country", "hash"],
    erase: { goesWith: "registryPersons" },
    keep: { until: "with its person" },
    rights: { sealed: underTenant },
  },
);

/** The tables of the module. */
export const registryTables = [registryPersonTable, registryPhotoTable] as const;
