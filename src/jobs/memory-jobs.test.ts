import type { LeasedJob } from "./job.ts";
import { describeJobSource } from "./testing/job-source-suite.ts";
import { makeMemoryJobs, type Outcome } from "./testing/memory-jobs.ts";

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
