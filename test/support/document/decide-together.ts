import { join } from "node:path";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { makeRecordingStore } from "#app/recording-store";
import { openSqliteStore } from "#app/store";
import type { FinishAnswer } from "#judging/document/store/validation";
import { makeRunValidation } from "#judging/document/validation/run-validation";
import { aLease } from "./a-lease.ts";
import type { Harness } from "./validations.ts";

/**
 * Two processes decide the two oldest due validations: both read the history before either stores its
 * decision, and both store it at the same moment. Returns the two answers of the store.
 */
export const decideTogether = async ({ deps, folder }: Harness): Promise<readonly FinishAnswer[]> => {
  const second = makeRecordingStore(
    await openSqliteStore({ path: join(folder, "idem.sqlite") }),
    deps.keyring,
  );
  const processes = [
    { worker: "first", store: deps.store },
    { worker: "second", store: second },
  ] as const;
  const run = makeRunValidation(deps);
  const decided = await Promise.all(
    processes.map(async ({ worker, store }) => {
      const { jobs } = await store.leaseValidations(aLease(worker, deps.clock(), { limit: 1 }));
      const { step, ...outcome } = await run(jobs[0]!, new AbortController().signal);
      return () => store.finishValidation({ ...outcome, worker }, step);
    }),
  );
  const answers = await Promise.all(decided.map((finish) => finish()));
  await second.close();
  return answers;
};

const data = Compile(
  Type.Object({
    verification: Type.Object({
      code: Type.Integer(),
      reasonCode: Type.Union([Type.Integer(), Type.Null()]),
    }),
  }),
);

/** Code and reason of a validation. */
export const codesOf = async (
  harness: Harness,
  scanReference: string,
): Promise<readonly [code: number, reasonCode: number | null]> => {
  const { code, reasonCode } = data.Parse(await harness.call(harness.data, { scanReference })).verification;
  return [code, reasonCode];
};
