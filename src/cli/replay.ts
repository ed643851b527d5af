import { readFile } from "node:fs/promises";
import type { Replayed } from "#face/replay-halves";
import type { Store, TransactionRecord } from "#storage/store";
import { readConfig } from "../config.ts";
import { openStore } from "../open-storage.ts";
import { makeReplaying, type Replaying } from "../replaying.ts";
import {
  type Command,
  CommandError,
  opening,
  parseOptions,
  print,
  printTable,
  say,
  UsageError,
} from "./command.ts";
import { checkFiguresFile, writeFigures } from "./figures-file.ts";
import { findDeployment } from "./first-start.ts";
import { findTenant } from "./tenant.ts";

type Change = {
  readonly endpoint: string;
  readonly half: keyof Replayed;
  readonly was: string;
  readonly now: string;
};

/** What a replay adds up to. */
type Sums = {
  readonly calls: number;
  readonly replayed: number;
  /** Of those, so many compared faces beside another cohort or recogniser than the one in force. */
  readonly ofOtherScale: number;
  readonly halves: readonly (Change & { readonly count: number; readonly ids: readonly string[] })[];
};

/** So many ids of changed calls are named for each kind of change. */
const idsMax = 100;

export const replay: Command = {
  summary: "what stored decisions would be under another policy",
  help: `Usage: idem replay [--since DATE] [--policy FILE] [--model NAME] [--tenant NAME] [--json FILE]

Judges stored calls of the faces again (identity, liveness, authenticateFacial, authenticateUser) from the measurements that
were kept, and tells what would change. Nothing is written and nobody is asked again. Without --policy or --model it judges
under the settings of now, which shows what a change of settings since then did.

No picture of a face is kept, so another model can be replayed only where it looked on: see idem models shadow.
"cannot be told" says that the answer needs what was not kept, as the score of faces that were not compared, or whether a user
who sent a picture as reference was compared with that or with the registered template. That a reference is the user's stays
as it was, and so does what two faces scored: what another cohort (IDEM_FACE_COHORT) or recogniser would change is not told, and
how many calls were judged beside another is said. updateUserTemplate and the portraits of documents are not judged again.

  --since DATE    first day or time, as 2026-11-01 or 2026-11-01T08:00:00Z; all calls without it
  --policy FILE   JSON with other figures, under the names of docs/guides/operation.md: {"liveness": {"yawDegreesMax": 25},
                  "comparison": {"falseMatchRates": {"document": 0.001}}}
  --model NAME    takes the word of this liveness model, which looked on, in place of the one that decided; its name, or
                  the first eight digits of its hash
  --tenant NAME   whose calls; not needed where there is one tenant
  --json FILE     writes the figures there, with ids of changed calls`,
  run: async (args) => {
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
    const replaying = await opening(makeReplaying(config, await policyOf(values.policy), values.model));
    const { store, close } = await opening(openStore(config));
    try {
      const tenant = await findTenant(store, values.tenant);
      const sums = await addUp(store, tenant.id, since, replaying);
      if (values.model !== undefined) tellLooking(values.model, replaying.lookedOn());
      tell(sums, tenant.name);
      await writeFigures(values.json, sums);
      return 0;
    } finally {
      await close();
    }
  },
};

const sinceOf = (text: string | undefined): Date => {
  if (text === undefined) return new Date(0);
  const at = new Date(text);
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(at.getTime())) {
    throw new UsageError("--since takes a day, as 2026-11-01, or a time, as 2026-11-01T08:00:00Z");
  }
  return at;
};

const policyOf = async (file: string | undefined): Promise<string | undefined> =>
  file === undefined
    ? undefined
    : await readFile(file, "utf8").catch(() => {
        throw new CommandError(`--policy ${file} cannot be read.`);
      });

const addUp = async (
  store: Store,
  tenantId: string,
  since: Date,
  { judge, isOfOtherScale }: Replaying,
): Promise<Sums> => {
  const halves = new Map<string, Change & { count: number; readonly ids: string[] }>();
  let [calls, replayed, ofOtherScale] = [0, 0, 0];
  let after: string | undefined;
  for (;;) {
    const page = await store.listTransactions(tenantId, since, after);
    for (const call of page) {
      calls++;
      const changes = changesOf(call, judge);
      if (changes.length > 0) replayed++;
      if (changes.some(({ half }) => half === "facial") && isOfOtherScale(call)) ofOtherScale++;
      for (const change of changes) count(halves, change, call.id);
    }
    after = page.at(-1)?.id;
    if (after === undefined) return { calls, replayed, ofOtherScale, halves: [...halves.values()] };
    if (calls % 5000 === 0) say(`${calls} calls`);
  }
};

const changesOf = (call: TransactionRecord, judge: Replaying["judge"]): readonly Change[] => {
  const { facial, liveness } = judge(call) ?? {};
  const { endpoint } = call;
  return [
    ...(facial ? [{ endpoint, half: "facial" as const, ...facial }] : []),
    ...(liveness ? [{ endpoint, half: "liveness" as const, ...liveness }] : []),
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

/** Throws CommandError where the model never looked on: that nothing would change says nothing then. */
const tellLooking = (model: string, { pictures, of, others }: ReturnType<Replaying["lookedOn"]>): void => {
  if (pictures > 0) {
    say(`${model} looked on in ${pictures} of ${of} pictures; in the others no network had a say.`);
    return;
  }
  const seen = others.length === 0 ? "No other did either." : `These did: ${others.join(", ")}.`;
  throw new CommandError(
    `${model} looked on in none of these calls. ${seen} Let it look on first: idem models shadow ${model}`,
  );
};

const tell = ({ calls, replayed, ofOtherScale, halves }: Sums, tenant: string): void => {
  const changed = halves.filter(({ was, now }) => was !== now && now !== "unknown");
  const sum = (some: typeof halves): number => some.reduce((total, one) => total + one.count, 0);
  const unknown = halves.filter(({ now }) => now === "unknown");
  say(
    `${calls} calls of tenant "${tenant}", ${replayed} of them judged again: the others judge no face that could be judged again.`,
  );
  if (ofOtherScale > 0) {
    say(
      `${ofOtherScale} of these compared faces beside another cohort or recogniser than the one in force. Their scores stay those of then: what that change does is not told.`,
    );
  }
  say(`${sum(halves)} answers: ${sum(changed)} would change, ${sum(unknown)} cannot be told.`);
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
    print(unknown.length === 0 ? "Nothing would change." : "Nothing would change in what can be told.");
    return;
  }
  printTable([["endpoint", "answer", "was", "would be", "calls", "one of them"], ...rows]);
};
