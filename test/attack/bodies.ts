/**
 * Attacks a fresh service with hostile bodies while good callers verify, and prints what they notice:
 * node test/attack/bodies.ts --rounds 100. Ends with 1 where a limit is missed.
 */
import { parseArgs } from "node:util";
import { persons, toBase64 } from "../harness/images.ts";
import { makeHarness, runIdem } from "../harness/service.ts";
import { type AttackReport, attackBodies } from "./attack-bodies.ts";

const help = `Usage: node test/attack/bodies.ts [--rounds N] [--pause MS] [--callers N] [--json]

Starts a service in a fresh directory. While callers of one tenant verify a selfie, another tenant's key sends each hostile
body N times. Limits: /healthz answers within 50 ms, good calls keep 80 % of their rate and none fails, resident memory returns
within 10 %. Keep the machine idle: on a busy one the first two limits measure the other work.

  --rounds    how often each body is sent, default 3
  --pause     milliseconds between two hostile bodies, default 250
  --callers   good callers at once, default 8
  --json      one JSON object on stdout instead of the table`;

const limits = { healthzMsMax: 50, rateShareMin: 0.8, memoryShareMax: 1.1 };

const judge = ({ quiet, attack, residentMiB, wrong }: AttackReport): readonly string[] => {
  const share = attack.perSecond / quiet.perSecond;
  const memory = residentMiB.after / residentMiB.before;
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

const write = ({ quiet, attack, residentMiB, answers }: AttackReport): void => {
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
  console.log(`Resident MiB: ${memory.join(", ")}`);
  for (const [name, counts] of Object.entries(answers)) console.log(`${name}: ${JSON.stringify(counts)}`);
};

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    pause: { type: "string", default: "250" },
    callers: { type: "string", default: "8" },
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

const harness = await makeHarness();
try {
  await (await harness.start()).stop();
  const other = await runIdem(["keys", "create", "--tenant", "Other", "--scopes", "all"], {
    IDEM_DATA: harness.directory,
  });
  const report = await attackBodies(await harness.start(), other.stdout.trim(), {
    rounds: Number(values.rounds),
    pauseMs: Number(values.pause),
    callers: Number(values.callers),
    quietMs: 20_000,
    settleMsMax: 60_000,
    selfie: toBase64(persons.selfie),
    onProgress: (text) => console.error(text),
  });
  const missed = judge(report);
  if (values.json) console.log(JSON.stringify({ ...report, missed }));
  else write(report);
  for (const sentence of missed) console.error(sentence);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  await harness.clear();
}
