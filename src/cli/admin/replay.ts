import { readFile } from "node:fs/promises";
import { makeReplayer, type Replayer } from "#app/replay";
import type { Replayed } from "#judging/face/replay-halves";
import { readConfig } from "#machine/config/config";
import type { TransactionRecord } from "#record/transactions/record";
import type { TransactionCommands } from "#record/transactions/store/transaction-store";
import { CommandError, opening, parseOptions, print, printTable, type Run, say } from "../command.ts";
import { checkFiguresFile, writeFigures } from "../kit/figures-file.ts";
import { findDeployment } from "../kit/store/deployment.ts";
import { openCommandStorage } from "../kit/store/reach-store.ts";
import { findTenant } from "../kit/store/tenant.ts";
import { wayOut } from "../kit/store/way-out.ts";
import { timeOption } from "../kit/time-option.ts";

type Change = {
  readonly endpoint: string;
  readonly half: keyof Replayed;
  readonly was: string;
  readonly now: string;
};

/** Totals of a replay, with the keys of the `--json` file. */
type Sums = {
  readonly calls: number;
  readonly replayed: number;
  /** Replayed calls whose faces were compared under another cohort or recogniser than the current one. */
  readonly ofOtherScale: number;
  readonly halves: readonly (Change & { readonly count: number; readonly ids: readonly string[] })[];
};

/** Most ids of changed calls that are listed for each kind of change. */
const idsMax = 100;

export const runReplay: Run = async (args) => {
  const { values } = parseOptions(args, {
    since: { type: "string" },
    policy: { type: "string" },
    model: { type: "string" },
    tenant: { type: "string" },
    json: { type: "string" },
  });
  const since = sinceOf(values.since);
  await checkFiguresFile("--json", values.json);
  const config = await findDeployment(readConfig());
  const replayer = await opening(makeReplayer(config, await policyOf(values.policy), values.model));
  const { store, close } = await openCommandStorage(config, wayOut.copy);
  try {
    const tenant = await findTenant(store, values.tenant);
    const sums = await addUp(store, tenant.id, since, replayer);
    if (values.model !== undefined) reportShadow(values.model, replayer.shadowCoverage());
    report(sums, tenant.name);
    await writeFigures(values.json, sums);
    return 0;
  } finally {
    await close();
  }
};

const sinceOf = (text: string | undefined): Date =>
  text === undefined ? new Date(0) : timeOption("--since", text);

const policyOf = async (file: string | undefined): Promise<string | undefined> =>
  file === undefined
    ? undefined
    : await readFile(file, "utf8").catch(() => {
        throw new CommandError(`--policy ${file} cannot be read.`);
      });

const addUp = async (
  store: Pick<TransactionCommands, "listTransactions">,
  tenantId: string,
  since: Date,
  { judge, usesOtherScale }: Replayer,
): Promise<Sums> => {
  const halves = new Map<string, Change & { count: number; readonly ids: string[] }>();
  let [calls, replayed, ofOtherScale] = [0, 0, 0];
  let after: TransactionRecord | undefined;
  for (;;) {
    const page = await store.listTransactions(tenantId, since, after);
    for (const call of page) {
      calls++;
      const changes = changesOf(call, judge);
      if (changes.length > 0) replayed++;
      if (changes.some(({ half }) => half === "facial") && usesOtherScale(call)) ofOtherScale++;
      for (const change of changes) count(halves, change, call.id);
    }
    after = page.at(-1);
    if (after === undefined) return { calls, replayed, ofOtherScale, halves: [...halves.values()] };
    if (calls % 5000 === 0) say(`${calls} calls`);
  }
};

const changesOf = (call: TransactionRecord, judge: Replayer["judge"]): readonly Change[] => {
  const { facial, liveness, capture } = judge(call) ?? {};
  const { endpoint } = call;
  return [
    ...(facial ? [{ endpoint, half: "facial" as const, ...facial }] : []),
    ...(liveness ? [{ endpoint, half: "liveness" as const, ...liveness }] : []),
    ...(capture ? [{ endpoint, half: "capture" as const, ...capture }] : []),
  ];
};

const count = (
  halves: Map<string, Change & { count: number; readonly ids: string[] }>,
  change: Change,
  id: string,
): void => {
  const key = Object.values(change).join(" ");
  const sums = halves.get(key) ?? { ...change, count: 0, ids: [] };
  halves.set(key, sums);
  sums.count++;
  if (change.was !== change.now && sums.ids.length < idsMax) sums.ids.push(id);
};

/** Throws CommandError where the model never ran in shadow mode: then "no change" means nothing. */
const reportShadow = (
  model: string,
  { images, total, others }: ReturnType<Replayer["shadowCoverage"]>,
): void => {
  if (images > 0) {
    say(`${model} ran in shadow mode on ${images} of ${total} images; no network judged the others.`);
    return;
  }
  const otherModels = others.length === 0 ? "No other model did either." : `These did: ${others.join(", ")}.`;
  throw new CommandError(
    `${model} ran in shadow mode on none of these calls. ${otherModels} Run it in shadow mode first: idem models shadow ${model}`,
  );
};

const report = ({ calls, replayed, ofOtherScale, halves }: Sums, tenant: string): void => {
  const changed = halves.filter(({ was, now }) => was !== now && now !== "unknown");
  const sum = (some: typeof halves): number => some.reduce((total, { count: times }) => total + times, 0);
  const unknown = halves.filter(({ now }) => now === "unknown");
  say(
    `${calls} calls of tenant "${tenant}", ${replayed} of them judged again; the others hold no face to judge again.`,
  );
  if (ofOtherScale > 0) {
    say(
      `${ofOtherScale} of these compared faces under another cohort or recogniser than the current one. Their scores are not recomputed.`,
    );
  }
  say(
    `These calls hold ${sum(halves)} answers, up to two each (facial: the comparison; liveness; capture): ${sum(changed)} would change, ${sum(unknown)} cannot be decided.`,
  );
  const rows = changed
    .toSorted((a, b) => b.count - a.count)
    .map(({ endpoint, half, was, now, count: times, ids }) => [
      endpoint,
      half,
      was,
      now,
      String(times),
      ids[0] ?? "",
    ]);
  if (rows.length === 0) {
    print(unknown.length === 0 ? "Nothing would change." : "No decision that can be replayed would change.");
    return;
  }
  printTable([["endpoint", "answer", "was", "would be", "calls", "one of them"], ...rows]);
};
