// Long form of the kills, by hand: npm run test:crash -- --rounds 50
import { parseArgs } from "node:util";
import { type ShowReport, showKills } from "./show-kills.ts";
import { showWebhookKills, type WebhookKillReport } from "./show-webhook-kills.ts";

const help = `Kills the service with SIGKILL at random moments under a load of validations, and judges what became of them.
With --webhooks the load is calls of operations, whose events go to a receiver in a process of its own.

npm run test:crash -- [options]

  --rounds N          kills (50)
  --seed N            seed of the moments (1)
  --life-seconds N    longest life of a process after it is ready (12)
  --callers N         callers, each with four open validations at most (3)
  --lease-ms N        IDEM_LEASE_MS (2000)
  --rest-minutes N    longest wait for the last decision after the last restart (30)
  --processes N       processes on one PostgreSQL; one of them dies in each round (1)
  --postgres URL      an empty database; absent: the embedded store
  --roles             with --webhooks and --postgres: one process of the role api and two of the role delivery
  --webhooks          calls of operations and deliveries of their events instead of validations
  --slots N           with --webhooks: IDEM_DELIVERY_SLOTS (16)
  --json              the report as JSON

Exit code 0: every acknowledged validation has the answer of an undisturbed service, and nothing is lost, twice or half.
With --webhooks: every event of an acknowledged call arrived at each destination with one id, no more often twice than the
slots of the killed processes, and no row is half.`;

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
    roles: { type: "boolean", default: false },
    webhooks: { type: "boolean", default: false },
    slots: { type: "string", default: "16" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const wholeNumber = (
  name: "rounds" | "seed" | "life-seconds" | "callers" | "lease-ms" | "rest-minutes" | "processes" | "slots",
): number => {
  const number = Number(values[name]);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new Error(`--${name} takes a whole number above 0, not ${values[name]}`);
};

const describe = ({ kills, lifeMs, load, stored }: ShowReport): readonly string[] => [
  `Kills: ${kills}, after ${Math.round(lifeMs / 1000)} s of service.`,
  `Answers of the undisturbed service: ${Object.entries(load.undisturbed)
    .map(([name, answer]) => `${name} ${answer}`)
    .join("; ")}.`,
  `Acknowledged validations: ${load.acknowledged.length}, with another answer: ${load.wrong.length}.`,
  `Stored validations: ${stored.validations}, undecided: ${stored.undecided}; last decision ${Math.round(load.restMs / 1000)} s after the last restart.`,
  `Validations by deaths of a process that ran them alone (-1: no process died with them): ${JSON.stringify(stored.deaths)}.`,
  `Calls refused, by status: ${JSON.stringify(load.refused)}.`,
  `Evidence entries: ${stored.evidenceEntries}. Faults of the rows: ${stored.faults.length}.`,
  ...load.wrong,
  ...stored.faults,
];

const describeWebhooks = ({
  kills,
  lifeMs,
  load,
  faults,
  duplicatesMax,
}: WebhookKillReport): readonly string[] => [
  `Kills: ${kills}, after ${Math.round(lifeMs / 1000)} s of service.`,
  `Acknowledged operations: ${load.acknowledged.length}, lost at a destination: ${load.lost.length}.`,
  `Arrivals twice: ${load.duplicates}, at most ${duplicatesMax}; events with two ids: ${load.otherIds.length}.`,
  `Last arrival ${Math.round(load.restMs / 1000)} s after the last restart. Faults of the rows: ${faults.length}.`,
  ...load.lost,
  ...load.otherIds,
  ...faults,
];

const roles = ["api", "delivery", "delivery"] as const;

const common = () => {
  const processes = values.roles ? roles.length : wholeNumber("processes");
  if (values.roles && !values.webhooks) throw new Error("--roles needs --webhooks");
  if (processes > 1 && values.postgres === undefined) {
    throw new Error(
      "--roles, and --processes above 1, need --postgres: the embedded store serves one process",
    );
  }
  return {
    rounds: wholeNumber("rounds"),
    seed: wholeNumber("seed"),
    lifeMsMax: wholeNumber("life-seconds") * 1000,
    callers: wholeNumber("callers"),
    restMsMax: wholeNumber("rest-minutes") * 60_000,
    processes,
    ...(values.roles && { roles }),
    ...(values.postgres !== undefined && { postgresUrl: values.postgres }),
    say: (line: string) => void process.stderr.write(`${line}\n`),
  };
};

const end = (report: object, lines: readonly string[], isSound: boolean): void => {
  process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : `${lines.join("\n")}\n`);
  process.exitCode = isSound ? 0 : 1;
};

if (values.help) {
  process.stdout.write(`${help}\n`);
} else if (values.webhooks) {
  const report = await showWebhookKills({ ...common(), slots: wholeNumber("slots") });
  const { lost, otherIds, duplicates } = report.load;
  const isWhole = lost.length + otherIds.length + report.faults.length === 0;
  end(report, describeWebhooks(report), isWhole && duplicates <= report.duplicatesMax);
} else {
  const report = await showKills({ ...common(), leaseMs: wholeNumber("lease-ms") });
  const isSound = report.load.wrong.length + report.stored.faults.length + report.stored.undecided === 0;
  end(report, describe(report), isSound);
}
