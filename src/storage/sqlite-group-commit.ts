import type Database from "better-sqlite3";
import type { Answers, CommandName, Commands } from "./commands.ts";
import { codeOf, messageOf } from "./outage.ts";
import { type Refusal, type Reply, type Request, refusalOf } from "./sqlite-message.ts";

/** Commands after which a key must not be found on the disk any more. */
const destroying: ReadonlySet<CommandName> = new Set(["destroyKey", "replaceTemplate", "deletePeople"]);

type Replies = readonly Reply<Answers[CommandName]>[];

/**
 * Runs a batch of commands in one transaction, each in its savepoint: a refused command leaves nothing and takes no
 * other with it. Resolves after COMMIT. When COMMIT fails, every command of the batch is refused and so is all that
 * follows: after a failed fsync the state of the disk is unknown, and only a restart, which reads it again, may go on.
 * A full disk is no such failure: no commit record was written, and with space the next batch succeeds.
 */
export const makeGroupCommit = (sqlite: Database.Database, commands: Commands) => {
  let sick: Refusal | undefined;

  return async (batch: readonly Request[]): Promise<Replies> => {
    if (sick !== undefined) {
      return refuseAll(batch, sick);
    }
    try {
      // Takes the write lock at once: a lock wanted later could not be waited for without risking a stale read.
      sqlite.exec("begin immediate");
    } catch (error) {
      return refuseAll(batch, { kind: "unavailable", message: messageOf(error) });
    }
    try {
      return await commitBatch(sqlite, commands, batch);
    } catch (error) {
      const refusal = refusalOfCommit(error);
      sick = refusal.kind === "unhealthy" ? refusal : undefined;
      if (sqlite.inTransaction) {
        sqlite.exec("rollback");
      }
      return refuseAll(batch, refusal);
    }
  };
};

/** An fsync that fails for want of space is SQLITE_IOERR_FSYNC and not SQLITE_FULL, which a write alone gives. */
const refusalOfCommit = (error: unknown): Refusal => {
  const message = `The store could not commit: ${messageOf(error)}`;
  const isFull = codeOf(error) === "SQLITE_FULL";
  return { kind: isFull ? "unavailable" : "unhealthy", message };
};

const commitBatch = async (
  sqlite: Database.Database,
  commands: Commands,
  batch: readonly Request[],
): Promise<Replies> => {
  const replies: Reply<Answers[CommandName]>[] = [];
  for (const request of batch) {
    replies.push(await runInSavepoint(sqlite, commands, request));
  }
  sqlite.exec("commit");
  if (batch.some(({ name }) => destroying.has(name))) {
    // The log still holds the page with the wrapped key; emptying it makes the erasure true on the disk as well.
    sqlite.pragma("wal_checkpoint(TRUNCATE)");
  }
  return replies;
};

const runInSavepoint = async <Name extends CommandName>(
  sqlite: Database.Database,
  commands: Commands,
  { number, name, args }: Request<Name>,
): Promise<Reply<Answers[Name]>> => {
  sqlite.exec("savepoint command");
  try {
    const answer = await commands[name](...args);
    sqlite.exec("release command");
    return { number, answer };
  } catch (error) {
    // A full disk or an I/O error ends the whole transaction by itself; there is no savepoint left to return to.
    if (!sqlite.inTransaction) {
      throw error;
    }
    sqlite.exec("rollback to command; release command");
    return { number, refusal: refusalOf(error) };
  }
};

const refuseAll = (batch: readonly Request[], refusal: Refusal): Replies =>
  batch.map(({ number }) => ({ number, refusal }));
