import type { ScrubCommands } from "#machine/storage/scrub-store";
import { sqlPage } from "#support/storage/sql-page";
import { at, until } from "#support/storage/sql-sample";

const objectName = { tenantId: "tenant", id: "blob" };

const scrubLease = { worker: "worker", now: at, until };

const scrubStep = { worker: "worker", at, until, checked: 1, whole: [objectName] };

export const page = sqlPage<ScrubCommands>("machine/storage/scrub-store", {
  leaseScrub: [{ args: [scrubLease] }],
  moveScrub: [
    {
      args: [{ ...scrubStep, after: objectName, damaged: [{ ...objectName, fault: "changed" }] }],
      when: "with one damaged object",
    },
    { args: [{ ...scrubStep, damaged: [] }], when: "at the end of a round" },
  ],
  beginScrub: [{ args: [scrubLease] }],
  readScrub: [{ args: [] }],
  listDamaged: [{ args: [20], when: "all of them" }],
});
