import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quantile } from "#contract/statistics/quantile";
import { parseOptions, print, printTable, type Run, say, UsageError } from "../command.ts";
import { measurePdfsig } from "./pdfsig.ts";
import { makeSamplePdf } from "./sample-pdf.ts";
import {
  listCases,
  type SigningCase,
  type SigningFigures,
  type SigningOrder,
  type TimeFigures,
} from "./signing-cases.ts";

export const runBenchSigning: Run = async (args) => {
  const { values } = parseOptions(args, {
    runs: { type: "string", default: "100" },
    json: { type: "boolean", default: false },
  });
  if (!/^[1-9]\d{0,4}$/.test(values.runs)) {
    throw new UsageError("Set --runs to a whole number from 1 to 99999");
  }
  const rows = await measureAll(listCases(Number(values.runs)));
  const pdfsig = await measurePdfsig(Math.max(3, Math.ceil(Number(values.runs) / 10)));
  report(rows, pdfsig, values.json);
  return 0;
};

type Row = SigningCase & { readonly figures: Readonly<Record<string, number>> };

const measureAll = async (cases: readonly SigningCase[]): Promise<readonly Row[]> => {
  const folder = await mkdtemp(join(tmpdir(), "idem-bench-"));
  const path = join(folder, "document.pdf");
  try {
    const rows: Row[] = [];
    for (const one of cases) {
      say(`${one.name}, ${one.key}${one.kind === "thread" ? ", in a thread" : ""} …`);
      await writeFile(path, makeSamplePdf(one.bytes));
      rows.push({ ...one, figures: summarise(await runCase({ ...one, path })) });
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** Runs a case in a process of its own. */
const runCase = async (one: SigningOrder): Promise<SigningFigures> => {
  const child = fork(new URL("./signing-worker.ts", import.meta.url), { serialization: "advanced" });
  const answer = once(child, "message");
  const ended = once(child, "exit").then(([code]: readonly unknown[]) => {
    throw new Error(`The process of ${one.name} ended with ${String(code)}`);
  });
  ended.catch(() => undefined);
  child.send(one);
  const [figures]: readonly SigningFigures[] = await Promise.race([answer, ended]);
  return figures!;
};

const medianOf = (values: readonly number[]): number => quantile(values, 0.5) ?? Number.NaN;

const rounded = (value: number): number => Math.round(value * 100) / 100;

const summariseTimes = ({ ownMs, addedBytes, steps }: TimeFigures) => {
  const own = medianOf(ownMs);
  const parts = Object.entries(steps).map(([step, ms]) => [`${step}Ms`, rounded(medianOf(ms))] as const);
  return {
    p50Ms: rounded(own),
    p95Ms: rounded(quantile(ownMs, 0.95) ?? Number.NaN),
    perSecond: rounded(1000 / own),
    addedKb: rounded(addedBytes / 1000),
    ...Object.fromEntries(parts),
  };
};

const summarise = (figures: SigningFigures): Row["figures"] =>
  "ownMs" in figures
    ? summariseTimes(figures)
    : {
        idleMiB: Math.round(figures.idleMiB),
        peakMiB: Math.round(figures.peakMiB),
        aboveIdleMiB: Math.round(figures.peakMiB - figures.idleMiB),
        eventLoopP999Ms: rounded(figures.eventLoopP999Ms),
      };

const report = (rows: readonly Row[], pdfsigP50Ms: number | undefined, isJson: boolean): void => {
  if (isJson) {
    print(JSON.stringify({ rows, ...(pdfsigP50Ms !== undefined && { pdfsigP50Ms }) }));
    return;
  }
  printTable([
    ["document", "key", "p50 ms", "p95 ms", "per s", "added kB"],
    ...rows
      .filter(({ kind }) => kind === "times")
      .map(({ name, key, figures: f }) => [
        name,
        key,
        ...[f.p50Ms, f.p95Ms, f.perSecond, f.addedKb].map(String),
      ]),
  ]);
  for (const { name, figures: f } of rows.filter(({ kind }) => kind === "thread")) {
    print(
      `${name} in a thread: ${f.peakMiB} MiB at most, ${f.aboveIdleMiB} above idle; event loop p99.9 ${f.eventLoopP999Ms} ms`,
    );
  }
  print(
    pdfsigP50Ms === undefined
      ? "pdfsig is not installed, or cannot sign"
      : `pdfsig -add-signature, 50 KB B-B RSA-3072, process included: p50 ${rounded(pdfsigP50Ms)} ms`,
  );
};
