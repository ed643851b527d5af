import type { Session } from "./database.ts";
import type { Migration } from "./migrations.ts";

/**
 * A command as the database engines see it: one transaction, with arguments and an answer that survive the
 * structured clone. The method form lets a function with its own parameter types be a command.
 */
export type Command = { run(...args: readonly unknown[]): Promise<unknown> }["run"];

/** Commands by their names. */
export type Commands = Readonly<Record<string, Command>>;

/** The commands of a store: those of every module, joined in one place by the composition. */
export type CommandSet<Own extends Commands, Tables> = {
  /**
   * Builds the commands over one connection that is inside a transaction: the caller begins, commits and
   * rolls back.
   */
  readonly makeCommands: (session: Session<Tables>) => Own;
  /** Commands after which the disk must no longer hold a key. */
  readonly erasing: readonly (keyof Own & string)[];
  /** What brings a store of any earlier release to the tables of these commands, in its order. */
  readonly migrations: readonly Migration[];
};

/** Commands that include `destroyKey`: PostgreSQL cleans its table of keys after it. */
export type KeepsKeys = Commands & { readonly destroyKey: Command };

/** The members of a store that are not commands. */
export type StoreLife = {
  /** The names of its commands, as {@link bindCommands} bound them. */
  readonly commandNames: readonly string[];
  /**
   * Resolves when the store answers and a write would be durable; rejects when the store has become
   * unhealthy.
   */
  readonly ping: () => Promise<void>;
  /**
   * Whether only a restart of the process can repair the store: after a failed commit, or the end of its
   * thread.
   */
  readonly isBroken: () => boolean;
  /** Compares the seals of rows that give a right from now on, and seals what is written. */
  readonly holdRights: (key: Uint8Array) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Runs one command in a transaction of its own and resolves after the commit. */
export type RunCommand = (name: string, args: readonly unknown[]) => Promise<unknown>;

/** Commands with their names. */
export type BoundCommands<Own extends Commands> = Own & Pick<StoreLife, "commandNames">;

/**
 * Binds the commands of these names, which are all of `Own`, to the function that runs one in a transaction.
 */
// The caller alone knows which commands have these names: no argument states their types.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export const bindCommands = <Own extends Commands>(
  commandNames: readonly string[],
  run: RunCommand,
): BoundCommands<Own> => {
  const bound: Commands = Object.fromEntries(
    commandNames.map((name) => [name, (...args: readonly unknown[]) => run(name, args)]),
  );
  // `run` calls the command of that name that a `makeCommands` of `Own` builds: each bound function takes and
  // returns the same as its command. Types cannot follow a name found at run time.
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
  return { ...(bound as Own), commandNames };
};

/** The command of this name. Throws if it does not exist: a message to the thread can hold any name. */
export const commandOf = (commands: Commands, name: string): Command => {
  const command = commands[name];
  if (command === undefined) {
    throw new Error(`The store has no command ${name}`);
  }
  return command;
};
