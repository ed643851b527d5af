import { describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { EgressError, type EgressReason } from "#machine/egress/egress";
import type { OneShot } from "./one-shot.ts";
import { makeOneShotJobs } from "./one-shot-jobs.ts";

const none = () => Promise.reject(new Error("This test reads no store"));
const oneShot: OneShot = {
  tenantId: "tenant",
  environment: "test",
  id: "id",
  createdAt: new Date(0),
  state: "due",
  failures: 0,
  attempts: 1,
  log: [],
  sealed: new Uint8Array(),
};

const jobsThatFail = (error: unknown) =>
  makeOneShotJobs({
    store: { leaseOneShots: none, renewOneShot: none, retryOneShot: none, endOneShotAttempt: none },
    write: async () => {
      throw error;
    },
    send: none,
    holder: "holder",
    clock: () => new Date(0),
    random: () => 0.5,
    onAttempt: () => undefined,
  });

/** What the loop of jobs makes of a run that ends with this error. */
const kindOf = async (error: unknown): Promise<string | undefined> => {
  const jobs = jobsThatFail(error);
  try {
    await jobs.run(oneShot, new AbortController().signal);
    return "finished";
  } catch (thrown) {
    return jobs.classify(thrown);
  }
};

describe("a run of a one-shot that ends with an error", () => {
  it("spends no attempt where this service itself broke the call off", async () => {
    expect(await kindOf(new EgressError("interrupted", "The thread ended"))).toBe("transient");
  });

  it.each(["timed_out", "unreachable", "cut", "address_refused"] satisfies EgressReason[])(
    "spends an attempt for %s",
    async (reason) => expect(await kindOf(new EgressError(reason, "No answer"))).toBe("unknown"),
  );

  it("waits for a store that is away, and ends for a row that is damaged", async () => {
    expect(await kindOf(new Failure("store_unavailable"))).toBe("transient");
    expect(await kindOf(new Failure("stored_damaged"))).toBe("permanent");
  });
});
