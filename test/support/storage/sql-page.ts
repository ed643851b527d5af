/**
 * The calls of a store's commands, from which `npm run golden` writes the page of its SQL
 * (scripts/store-sql/). A file `*-calls.ts` has those of one store.
 */
import type { Tables } from "#app/tables";
import type { Commands } from "#machine/storage/commands";
import type { Session } from "#machine/storage/database";

/** One call of a command. */
export type Recorded<Args extends readonly unknown[] = readonly unknown[]> = {
  readonly args: Args;
  /** Distinguishes this call from others of the same command. */
  readonly when?: string;
  /** Statements with this text find no row; every other statement finds or changes one. */
  readonly findsNothing?: string;
};

/** At least one call of every command. */
export type Calls<Own extends Commands> = {
  readonly [Name in keyof Own]: readonly [
    Recorded<Parameters<Own[Name]>>,
    ...Recorded<Parameters<Own[Name]>>[],
  ];
};

export type SqlPage = {
  /** Its path in `src/`, without suffix. */
  readonly file: string;
  readonly calls: Readonly<Record<string, readonly Recorded[]>>;
  /**
   * What is no command of the store: parts of commands, and commands without the parts that other pages show.
   */
  readonly makeParts: (session: Session<Tables>) => Commands;
};

export const sqlPage = <Own extends Commands>(
  file: string,
  calls: Calls<Own>,
  makeParts: SqlPage["makeParts"] = () => ({}),
): SqlPage => ({ file, calls, makeParts });
