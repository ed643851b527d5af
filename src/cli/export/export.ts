import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type DecisionReads, readDecisions } from "#app/decision-export";
import { readConfig } from "#machine/config/config";
import type { TimeRange } from "#record/transactions/record";
import { CommandError, parseOptions, type Run, say, suggestion, UsageError } from "../command.ts";
import { makeProgress } from "../kit/progress.ts";
import { openToRead } from "../kit/store/open-to-read.ts";
import { findTenant } from "../kit/store/tenant.ts";
import { timeOption } from "../kit/time-option.ts";
import { writeOutFile } from "../kit/write-out-file.ts";
import { type Format, formats, headOf, writeDecision } from "./write-decision.ts";

const environments = ["live", "test"] as const;
type Environment = (typeof environments)[number];

export const runExportDecisions: Run = async (args) => {
  const wish = wishOf(args);
  const opened = await openToRead(readConfig());
  try {
    const { id, name } = await findTenant(opened.store, wish.tenant);
    const counted = await exportTo(opened.store, id, wish);
    say(`${counted} ${counted === 1 ? "decision" : "decisions"} of tenant "${name}".`);
    return 0;
  } finally {
    await opened.close();
  }
};

type Wish = {
  readonly range: TimeRange;
  readonly format: Format;
  readonly environment: Environment | undefined;
  readonly tenant: string | undefined;
  readonly out: string | undefined;
};

const wishOf = (args: readonly string[]): Wish => {
  const { values } = parseOptions(args, {
    since: { type: "string" },
    until: { type: "string" },
    format: { type: "string" },
    environment: { type: "string" },
    tenant: { type: "string" },
    out: { type: "string" },
  });
  const { since, until, tenant, out } = values;
  if (since === undefined) throw new UsageError("Name the first day: --since 2026-11-01");
  const range = {
    since: timeOption("--since", since),
    until: until === undefined ? new Date() : timeOption("--until", until),
  };
  if (range.until <= range.since) {
    throw new UsageError(
      `--until is ${range.until.toISOString()}, which is not after --since, ${range.since.toISOString()}.`,
    );
  }
  const format = wordOption("--format", values.format, formats);
  if (format === undefined) throw new UsageError("Name the format: --format csv or --format jsonl");
  return {
    range,
    format,
    environment: wordOption("--environment", values.environment, environments),
    tenant,
    out,
  };
};

const wordOption = <Word extends string>(
  option: string,
  given: string | undefined,
  words: readonly Word[],
): Word | undefined => {
  if (given === undefined) return undefined;
  const word = words.find((one) => one === given);
  if (word !== undefined) return word;
  throw new UsageError(
    `${option} is "${given}", not one of: ${words.join(", ")}.${suggestion(given, words)}`,
  );
};

/** Returns the number of decisions. */
const exportTo = async (
  store: DecisionReads,
  tenantId: string,
  { range, format, environment, out }: Wish,
): Promise<number> => {
  const total = await store.countResults(tenantId, range);
  const progress = makeProgress("Export");
  let counted = 0;
  async function* lines(): AsyncGenerator<string> {
    yield headOf(format);
    for await (const decision of readDecisions(store, tenantId, range, (read) =>
      progress.show(read, total),
    )) {
      if (environment !== undefined && decision.environment !== environment) continue;
      counted++;
      yield writeDecision(format, decision);
    }
  }
  try {
    const parts = joined(lines());
    await (out === undefined ? writeToStdout(parts) : writeOutFile(out, parts));
  } finally {
    progress.end();
  }
  return counted;
};

/** Most characters of one write. */
const partLength = 65_536;

async function* joined(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let part = "";
  for await (const line of lines) {
    part += line;
    if (part.length < partLength) continue;
    yield Buffer.from(part);
    part = "";
  }
  yield Buffer.from(part);
}

/**
 * Waits for a slow reader, so that the memory stays bounded. Throws CommandError where the reader ends before
 * the export does.
 */
const writeToStdout = async (parts: AsyncIterable<Uint8Array>): Promise<void> => {
  await pipeline(Readable.from(parts), process.stdout, { end: false }).catch((error: unknown) => {
    const isClosed = error instanceof Error && "code" in error && error.code === "EPIPE";
    throw isClosed ? new CommandError("The reader of the export ended before its last line.") : error;
  });
};
