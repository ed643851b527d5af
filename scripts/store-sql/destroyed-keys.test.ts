/**
 * Every command that is given sealed bytes looks at their data key before it writes them. The calls are those
 * of the SQL pages, and the statements are answered without a database: each key is destroyed.
 */
import { describe, expect, it } from "vitest";
import { commandSet } from "#app/store-commands";
import { tables } from "#app/tables";
import { commandOf } from "#machine/storage/commands";
import { dataKeyIdIn } from "#machine/storage/sealed-box";
import { type Column, snakeOf } from "#machine/storage/table";
import { storePages } from "./pages.ts";
import { openRecording } from "./record.ts";

/** Tables with a column that a data key seals. */
const sealedTables: readonly string[] = tables
  .filter(({ columns }) =>
    Object.values<Column>(columns).some(({ seal }) => seal !== undefined && "purpose" in seal),
  )
  .map(({ name }) => snakeOf(name));

const isSealed = (value: unknown): boolean => value instanceof Uint8Array && dataKeyIdIn(value) !== undefined;

/** The tables into which a statement of this list writes sealed bytes. */
const writtenBy = (
  statements: readonly { readonly sql: string; readonly parameters: readonly unknown[] }[],
) =>
  statements.flatMap(({ sql, parameters }) => {
    const [, table = ""] = /^(?:insert into|update) "?(\w+)/.exec(sql.trim()) ?? [];
    return sealedTables.includes(table) && parameters.some(isSealed) ? [table] : [];
  });

const calls = storePages.flatMap(({ calls: ofPage, makeParts }) =>
  Object.entries(ofPage).flatMap(([name, list]) => list.map((call) => ({ name, makeParts, ...call }))),
);

const run = async (
  { name, args, findsNothing, makeParts }: (typeof calls)[number],
  destroyedAt: number | null,
) => {
  const { statements, session } = openRecording("postgres", {
    ...(findsNothing !== undefined && { findsNothing }),
    changed: { destroyed_at: destroyedAt },
  });
  const command = commandOf({ ...commandSet.makeCommands(session), ...makeParts(session) }, name);
  const code = await command(...args).then(
    () => undefined,
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
  );
  return { code, written: writtenBy(statements) };
};

const writing: (typeof calls)[number][] = [];
for (const call of calls) if ((await run(call, null)).written.length > 0) writing.push(call);

describe("a command that is given bytes of a destroyed key", () => {
  it("is tried for every table with a sealed column", async () => {
    const written = await Promise.all(writing.map(async (call) => (await run(call, null)).written));
    expect([...new Set(written.flat())].toSorted()).toEqual(sealedTables.toSorted());
  });

  it.each(writing)("writes none of them: $name $when", async (call) => {
    const { code, written } = await run(call, 1);
    expect(written).toEqual([]);
    // A batch of ends of deliveries keeps its attempts without their answers.
    if (call.name !== "finishDeliveries") expect(code).toBe("store_unavailable");
  });
});
