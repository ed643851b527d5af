import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { quantile } from "#contract/statistics/quantile";
import { persons, toBase64 } from "../harness/images.ts";
import { jsonOf, type Received } from "./exchange.ts";
import { readAttackSettings } from "./settings.ts";
import { startTarget, type Target } from "./target.ts";
import { type Watch, watchService } from "./watch.ts";

const settings = readAttackSettings();

/** Calls offered for each one that the service can answer. */
const overload = 8;
/** One thread and a short queue: the capacity is small, so that the load generator is not the limit. */
const small = { IDEM_WORKERS: "1", IDEM_QUEUE_MAX: "4", IDEM_LOG_LEVEL: "error" };
/** The promise: a refusal comes within this time of the call's arrival. */
const refusalMsMax = 100;
/**
 * Slices in which the percentile is taken: another program's burst on the machine spoils one of them, not the
 * middle.
 */
const sliceMs = 1000;
const grownMiBMax = 300;

let target: Target;
let watch: Watch;

beforeAll(async () => {
  target = await startTarget(small);
  watch = watchService(target.service);
});
afterAll(async () => {
  await watch.stop();
  await target.close();
});

const body = Buffer.from(JSON.stringify({ imageBuffer: toBase64(persons.selfie) }));

const call = (): Promise<Received> =>
  target.exchange({
    method: "POST",
    path: "/services/evaluatePassiveLiveness",
    headers: { "content-type": "application/json", "x-api-key": target.keys.all },
    body,
  });

/** Calls each second that two callers get answered. */
const measureCapacity = async (): Promise<number> => {
  for (let warm = 0; warm < 5; warm++) await call();
  const started = performance.now();
  let answered = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() - started < 3000) {
      const { status } = await call();
      if (status === 200) answered += 1;
    }
  };
  await Promise.all([caller(), caller()]);
  return (answered * 1000) / (performance.now() - started);
};

type Seen = Received & { readonly atMs: number };

/** Offers calls at fixed times, whether or not earlier ones were answered. */
const offer = async (perSecond: number, seconds: number): Promise<readonly Seen[]> => {
  const started = performance.now();
  const calls: Promise<Seen>[] = [];
  for (let number = 0; number < perSecond * seconds; number++) {
    const atMs = (number * 1000) / perSecond;
    const waitMs = started + atMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    calls.push(call().then((received) => ({ ...received, atMs })));
  }
  return await Promise.all(calls);
};

/** The middle of the slices' 95th percentiles. */
const sliced95 = (refused: readonly Seen[]): number => {
  const slices = Object.values(Object.groupBy(refused, ({ atMs }) => Math.floor(atMs / sliceMs)));
  const percentiles = slices.map(
    (slice = []) =>
      quantile(
        slice.map(({ ms }) => ms),
        0.95,
      ) ?? Number.NaN,
  );
  return quantile(percentiles, 0.5) ?? Number.NaN;
};

describe("several times the capacity", () => {
  it("is refused at once, within bounded memory, and the service recovers", async () => {
    const capacity = await measureCapacity();
    const { residentMiBMax: beforeMiB } = await watch.look();
    const seen = await offer(overload * capacity, settings.seconds.overload);
    const { residentMiBMax: afterMiB, failed } = await watch.look();
    const [answered, refused] = [
      seen.filter(({ status }) => status === 200),
      seen.filter(({ status }) => status === 503),
    ];
    const at = (share: number): string =>
      (
        quantile(
          refused.map(({ ms }) => ms),
          share,
        ) ?? Number.NaN
      ).toFixed(0);
    console.log(
      `capacity ${capacity.toFixed(1)} a second; ${seen.length} calls in ${settings.seconds.overload} s: ${answered.length} answered, ` +
        `${refused.length} refused after p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)} ms (middle of the slices' p95: ` +
        `${sliced95(refused).toFixed(0)} ms); ${beforeMiB.toFixed(0)} MiB before, at most ${afterMiB.toFixed(0)} MiB`,
    );
    expect(new Set(seen.map(({ status }) => status))).toEqual(new Set([200, 503]));
    expect(refused.every(({ headers }) => Number(headers["retry-after"]) >= 1)).toBe(true);
    expect(refused.length).toBeGreaterThan(seen.length / 2);
    expect(sliced95(refused)).toBeLessThanOrEqual(refusalMsMax);
    // Refusals cost time: the admitted calls still get at least half of the machine.
    expect(answered.length).toBeGreaterThan((capacity * settings.seconds.overload) / 2);
    expect(afterMiB - beforeMiB).toBeLessThan(grownMiBMax);
    expect(failed).toBe(0);
    await expectRecovery(capacity);
  });
});

/** On a machine with other work the rate comes back when that pauses. */
const recoveryMsMax = 120_000;

/** The queue empties by itself, and in the end the same rate as before is answered. */
const expectRecovery = async (before: number): Promise<void> => {
  await expect.poll(async () => (await call()).status, { timeout: recoveryMsMax }).toBe(200);
  expect(jsonOf(await target.exchange({ method: "GET", path: "/readyz" }))).toMatchObject({
    status: "ready",
  });
  await expect.poll(measureCapacity, { timeout: recoveryMsMax }).toBeGreaterThan(before / 2);
};
