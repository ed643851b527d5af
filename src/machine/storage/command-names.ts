import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import type { CommandSet, Commands } from "./commands.ts";

/** The names of all commands. */
export const namesOf = <Own extends Commands, Tables>({
  makeCommands,
}: Pick<CommandSet<Own, Tables>, "makeCommands">): readonly string[] =>
  Object.keys(makeCommands({ db: openWithoutDatabase(), locksRows: false }));

/** A connection without a database: commands can be built over it, but none runs. */
const openWithoutDatabase = <Tables>(): Kysely<Tables> =>
  new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
