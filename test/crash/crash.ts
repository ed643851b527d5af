// Long form of the kills, by hand: npm run test:crash -- --rounds 50
import { parseArgs } from "node:util";
import { type ShowReport, showKills } from "./show-kills.ts";

const help = `Kills the service with SIGKILL at random moments under a load of validations, and judges what became of them.

npm run test:crash -- [options]

  --rounds N          kills (50)
  --seed N            seed of the moments (1)
  --life-seconds N    longest life of a process after it is ready (12)
  --callers N         callers, each with four open validations at most (3)
  --lease-ms N        IDEM_LEASE_MS (2000)
  --rest-minutes N    longest wait for the last decision after the last restart (30)
  --processes N       processes on one PostgreSQL; one of them dies in each round (1)
  --postgres URL      an empty database; absent: the embedded store
  --json              the report as JSON

Exit code 0: every acknowledged validation has the answer of an undisturbed service, and nothing is lost, twice or half.`;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "50" },
    seed: { type: "string", default: "1" },
    "life-seconds": { type: "string", default: "12" },
    callers: { type: "string", default: "3" },
    "lease-ms": { type: "string", default: "2000" },
    "rest-minutes": { type: "string", default: "30" },
    processes: { type: "string", default: "1" },
    postgres: { type: "string" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const wholeNumber = (
  name: "rounds" | "seed" | "life-seconds" | "callers" | "lease-ms" | "rest-minutes" | "processes",
): number => {
  const number = Number(values[name]);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new Error(`--${name} takes a whole number above 0, not ${values[name]}`);
};

const describe = ({ kills, lifeMs, load, stored, undisturbed }: ShowReport): readonly string[] => [
  `Kills: ${kills}, after ${Math.round(lifeMs / 1000)} s of service.`,
  `Answers of the undisturbed service: ${Object.entries(undisturbed)
    .map(([name, answer]) => `${name} ${answer}`)
    .join("; ")}.`,
  `Acknowledged validations: ${load.acknowledged.length}, with another answer: ${load.wrong.length}.`,
  `Stored validations: ${stored.validations}, undecided: ${stored.undecided}; last decision ${Math.round(load.restMs / 1000)} s after the last restart.`,
  `Validations by lone deaths (-1: no process died with them): ${JSON.stringify(stored.loneDeaths)}.`,
  `Calls refused, by status: ${JSON.stringify(load.refused)}.`,
  `Evidence entries: ${stored.evidenceEntries}. Faults of the rows: ${stored.faults.length}.`,
  ...load.wrong,
  ...stored.faults,
];

if (values.help) {
  process.stdout.write(`${help}\n`);
} else {
  const processes = wholeNumber("processes");
  if (processes > 1 && values.postgres === undefined) {
    throw new Error("--processes above 1 needs --postgres: the embedded store serves one process");
  }
  const report = await showKills({
    rounds: wholeNumber("rounds"),
    seed: wholeNumber("seed"),
    lifeMsMax: wholeNumber("life-seconds") * 1000,
    callers: wholeNumber("callers"),
    leaseMs: wholeNumber("lease-ms"),
    restMsMax: wholeNumber("rest-minutes") * 60_000,
    processes,
    ...(values.postgres !== undefined && { postgresUrl: values.postgres }),
    say: (line) => process.stderr.write(`${line}\n`),
  });
  process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : `${describe(report).join("\n")}\n`);
  const isSound = report.load.wrong.length + report.stored.faults.length + report.stored.undecided === 0;
  process.exitCode = isSound ? 0 : 1;
}
