/**
 * Attacks a fresh service with hostile bodies while good callers verify, and prints what they notice:
 * node test/attack/bodies.ts --rounds 100. Ends with 1 where a limit is missed.
 */
import { parseArgs } from "node:util";
import { persons, toBase64 } from "../harness/images.ts";
import { runIdem } from "../harness/run-idem.ts";
import { makeHarness } from "../harness/service.ts";
import { type AttackReport, attackBodies, type ControlReport, measureControl } from "./attack-bodies.ts";

const help = `Usage: node test/attack/bodies.ts [--rounds N] [--pause MS] [--callers N] [--control] [--json]

Starts a service in a fresh directory. While callers of one tenant verify a selfie, another tenant's key sends each hostile
body N times. Limits: /healthz answers within 50 ms, good calls keep 80 % of their rate and none fails, resident memory returns
within 10 % of its level before, or, with --control, of the level of a second service after as many good calls without an
attack: caches, the arenas of the networks and the heaps grow with good calls too. Keep the machine idle: on a busy one the first two limits measure the other work.

  --rounds    how often each body is sent, default 3
  --pause     milliseconds between two hostile bodies, default 250
  --callers   good callers at once, default 8
  --control   afterwards, the same number of good calls to another service
  --json      one JSON object on stdout instead of the table`;

const limits = { healthzMsMax: 50, rateShareMin: 0.8, memoryShareMax: 1.1 };

const judge = (
  { quiet, attack, residentMiB, wrong }: AttackReport,
  control: ControlReport | undefined,
): readonly string[] => {
  const share = attack.perSecond / quiet.perSecond;
  const memory = residentMiB.after / (control?.residentMiB ?? residentMiB.before);
  return [
    ...wrong.map((one) => `A hostile body got a wrong answer: ${one}`),
    ...(attack.badAnswers > 0 ? [`${attack.badAnswers} good calls failed`] : []),
    ...(attack.healthz.max > limits.healthzMsMax
      ? [`/healthz took ${attack.healthz.max.toFixed(0)} ms (alone: ${quiet.healthz.max.toFixed(0)} ms)`]
      : []),
    ...(share < limits.rateShareMin ? [`Good calls kept ${(100 * share).toFixed(0)} % of their rate`] : []),
    ...(memory > limits.memoryShareMax ? [`Memory stayed at ${(100 * memory).toFixed(0)} %`] : []),
  ];
};

const write = (
  { quiet, attack, residentMiB, mainThread, goodCallsInAll, answers }: AttackReport,
  control: ControlReport | undefined,
): void => {
  for (const [name, { perSecond, goodCalls, badAnswers, seconds, healthz }] of Object.entries({
    quiet,
    attack,
  })) {
    const times = Object.entries(healthz).map(([key, ms]) => `${key} ${ms.toFixed(1)}`);
    console.log(
      `${name}: ${seconds.toFixed(0)} s, ${goodCalls} good calls (${perSecond.toFixed(2)} a second, ${badAnswers} failed), ` +
        `/healthz ms: ${times.join(", ")}`,
    );
  }
  const memory = Object.entries(residentMiB).map(([key, value]) => `${key} ${value.toFixed(0)}`);
  console.log(`Resident MiB: ${memory.join(", ")}, after ${goodCallsInAll} good calls`);
  for (const [name, { heapMiB, externalMiB }] of Object.entries(mainThread))
    console.log(
      `Main thread ${name}: heap ${heapMiB.toFixed(0)} MiB, external ${externalMiB.toFixed(0)} MiB`,
    );
  if (control !== undefined)
    console.log(
      `Control: ${control.residentMiB.toFixed(0)} MiB after ${control.goodCalls} good calls without an attack; main thread ` +
        `heap ${control.heapMiB.toFixed(0)}, external ${control.externalMiB.toFixed(0)}`,
    );
  for (const [name, counts] of Object.entries(answers)) console.log(`${name}: ${JSON.stringify(counts)}`);
};

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    pause: { type: "string", default: "250" },
    callers: { type: "string", default: "8" },
    control: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(help);
  process.exit(0);
}
const numbers = [values.rounds, values.pause, values.callers];
if (!numbers.every((text) => /^[1-9]\d{0,4}$/.test(text))) {
  console.error("Set --rounds, --pause and --callers to whole numbers from 1 to 99999");
  process.exit(2);
}

/** A service of its own, so that both begin alike. */
const runControl = async (
  goodCalls: number,
  options: Parameters<typeof measureControl>[2],
): Promise<ControlReport> => {
  const calm = await makeHarness();
  try {
    return await measureControl(await calm.start(), goodCalls, options);
  } finally {
    await calm.clear();
  }
};

const harness = await makeHarness();
try {
  await (await harness.start()).stop();
  const other = await runIdem(["keys", "create", "--tenant", "Other", "--scopes", "all"], {
    IDEM_DATA: harness.directory,
  });
  const service = await harness.start();
  const options = {
    rounds: Number(values.rounds),
    pauseMs: Number(values.pause),
    callers: Number(values.callers),
    quietMs: 20_000,
    settleMsMax: 60_000,
    selfie: toBase64(persons.selfie),
    onProgress: (text: string) => console.error(text),
  };
  const report = await attackBodies(service, other.stdout.trim(), options);
  await service.stop();
  const control = values.control ? await runControl(report.goodCallsInAll, options) : undefined;
  const missed = judge(report, control);
  if (values.json) console.log(JSON.stringify({ ...report, ...(control && { control }), missed }));
  else write(report, control);
  for (const sentence of missed) console.error(sentence);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  await harness.clear();
}
