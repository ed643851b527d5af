// Records the SQL of a module's commands: builds them over connections that answer every statement with a
// sample row.
import {
  CamelCasePlugin,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { commandSet } from "#app/store-commands";
import type { Tables } from "#app/tables";
import { commandOf } from "#machine/storage/commands";
import type { Session } from "#machine/storage/database";
import type { Rights } from "#machine/storage/rights/door";
import type { Recorded, SqlPage } from "#support/storage/sql-page";
import { sampleRow } from "#support/storage/sql-sample";
import { writeStatement } from "./statement.ts";

type Dialects = { readonly sqlite: Dialect; readonly postgres: Dialect };

/** Holds a key, and takes every sample row as whole. */
const rights: Rights = {
  hold: () => undefined,
  isHeld: () => true,
  sealOf: () => new Uint8Array(32),
  faultOf: () => undefined,
};

const nothing = (): Promise<void> => Promise.resolve();

/** What a recorder answers. */
type Answers = Pick<Recorded, "findsNothing"> & {
  /** Columns with other values than those of the sample. */
  readonly changed?: Readonly<Record<string, unknown>>;
};

/** Records the statements, and answers them without a database. */
const makeRecorder = ({ findsNothing, changed }: Answers) => {
  const statements: CompiledQuery[] = [];
  const connection: DatabaseConnection = {
    executeQuery: <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
      statements.push(query);
      const isFound = findsNothing === undefined || !query.sql.includes(findsNothing);
      const rows: Row[] = isFound ? [{ ...JSON.parse(sampleRow), ...changed }] : [];
      return Promise.resolve({ rows, numAffectedRows: isFound ? 1n : 0n });
    },
    streamQuery: () => {
      throw new Error("No command streams");
    },
  };
  const driver = {
    init: nothing,
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: nothing,
    commitTransaction: nothing,
    rollbackTransaction: nothing,
    releaseConnection: nothing,
    destroy: nothing,
  };
  const dialects: Dialects = {
    sqlite: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    postgres: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  };
  return { statements, dialects };
};

/** A session without a database, and the statements that its commands run. */
export const openRecording = (database: keyof Dialects, answers: Answers) => {
  const { statements, dialects } = makeRecorder(answers);
  const db = new Kysely<Tables>({ dialect: dialects[database], plugins: [new CamelCasePlugin()] });
  const session: Session<Tables> = { db, locksRows: database === "postgres", rights };
  return { statements, session };
};

const record = async (
  database: keyof Dialects,
  findsNothing: string | undefined,
  run: (session: Session<Tables>) => Promise<unknown>,
): Promise<readonly string[]> => {
  const { statements, session } = openRecording(database, {
    ...(findsNothing !== undefined && { findsNothing }),
  });
  await run(session);
  return statements.map(({ sql }) => writeStatement(sql));
};

/** A heading, and the statements of one call. */
const writeCall = async (
  heading: string,
  findsNothing: string | undefined,
  run: (session: Session<Tables>) => Promise<unknown>,
): Promise<string> => {
  const [sqlite, postgres] = [
    await record("sqlite", findsNothing, run),
    await record("postgres", findsNothing, run),
  ];
  return `## ${heading}\n\n\`\`\`sql\n${join(sqlite, postgres)}\n\`\`\`\n`;
};

/**
 * The statements of PostgreSQL are those of SQLite plus row locks: its own lines are marked. Throws if it
 * runs fewer.
 */
const join = (sqlite: readonly string[], postgres: readonly string[]): string => {
  const common = sqlite.flatMap((statement) => statement.split("\n"));
  const lines = postgres
    .join("\n\n")
    .split("\n")
    .map((line) => {
      if (line === "") return line;
      if (line !== common[0]) return `${line} -- PostgreSQL`;
      common.shift();
      return line;
    });
  if (common.length > 0) {
    throw new Error(`SQLite alone runs: ${common.join(" ")}`);
  }
  return lines.join("\n");
};

const opening = (file: string): string => `# SQL of \`${file}\`

Written by \`npm run golden\`. Identifiers stand without quotes and parameters as \`?\`; a blank line ends a statement. Lines marked
PostgreSQL lock rows there; SQLite has one writer and runs the others alone. Every statement finds or changes one row
unless the heading says otherwise. Steps are empty: \`src/record/transactions/store/step-store.sql.md\` has their statements.
`;

/** The page of a store file: every command, or function that is part of commands, with its statements. */
export const writeSqlPage = async ({ file, calls, makeParts }: SqlPage): Promise<string> => {
  const sections: string[] = [];
  for (const [name, list] of Object.entries(calls)) {
    for (const { args, when, findsNothing } of list) {
      const heading = when === undefined ? name : `${name}, ${when}`;
      const run = async (session: Session<Tables>): Promise<unknown> =>
        await commandOf({ ...commandSet.makeCommands(session), ...makeParts(session) }, name)(...args);
      sections.push(await writeCall(heading, findsNothing, run));
    }
  }
  return [opening(`${file.slice(file.lastIndexOf("/") + 1)}.ts`), ...sections].join("\n");
};
