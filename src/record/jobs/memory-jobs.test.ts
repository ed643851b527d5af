import { describeJobSource } from "#support/jobs/job-source-suite";
import { makeMemoryJobs, type Outcome } from "#support/jobs/memory-jobs";
import type { LeasedJob } from "./job.ts";

describeJobSource<LeasedJob, Outcome>("in memory", async () => {
  const memory = makeMemoryJobs();
  let added = 0;
  return {
    add: async () => {
      const id = String(++added);
      memory.add(id);
      return id;
    },
    sourceOf: memory.sourceOf,
    outcomeOf: () => "done",
    close: async () => undefined,
  };
});
