import type Database from "better-sqlite3";
import { type Commands, commandOf } from "./commands.ts";
import { codeOf, messageOf } from "./outage.ts";
import { type Refusal, type Reply, type Request, refusalOf } from "./sqlite-message.ts";

type Replies = readonly Reply[];

type GroupCommitDeps = {
  readonly sqlite: Database.Database;
  readonly commands: Commands;
  /** Names of the commands after which the disk must no longer hold a key. */
  readonly erasing: readonly string[];
};

/**
 * Runs a batch of commands in one transaction, each in its savepoint: a refused command leaves nothing and
 * does not affect the others. Resolves after COMMIT. If COMMIT fails, every command of the batch and every
 * later command is refused: after a failed fsync the state of the disk is unknown, and only a restart, which
 * reads it again, may continue. A full disk is no such failure: no commit record was written, and with free
 * space the next batch succeeds.
 */
export const makeGroupCommit = (deps: GroupCommitDeps) => {
  const { sqlite } = deps;
  let sick: Refusal | undefined;

  return async (batch: readonly Request[]): Promise<Replies> => {
    if (sick !== undefined) {
      return refuseAll(batch, sick);
    }
    try {
      // Takes the write lock at once: waiting for it later would risk a stale read.
      sqlite.exec("begin immediate");
    } catch (error) {
      return refuseAll(batch, { kind: "unavailable", message: messageOf(error) });
    }
    try {
      return await commitBatch(deps, batch);
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

/**
 * An fsync that fails for lack of space gives SQLITE_IOERR_FSYNC, not SQLITE_FULL; only a write gives
 * SQLITE_FULL.
 */
const refusalOfCommit = (error: unknown): Refusal => {
  const message = `The store could not commit: ${messageOf(error)}`;
  const isFull = codeOf(error) === "SQLITE_FULL";
  return { kind: isFull ? "unavailable" : "unhealthy", message };
};

const commitBatch = async (
  { sqlite, commands, erasing }: GroupCommitDeps,
  batch: readonly Request[],
): Promise<Replies> => {
  const replies: Reply[] = [];
  for (const request of batch) {
    replies.push(await runInSavepoint(sqlite, commands, request));
  }
  sqlite.exec("commit");
  if (batch.some(({ name }) => erasing.includes(name))) {
    // The log still holds the page with the wrapped key; emptying it completes the erasure on the disk.
    sqlite.pragma("wal_checkpoint(TRUNCATE)");
  }
  return replies;
};

const runInSavepoint = async (
  sqlite: Database.Database,
  commands: Commands,
  { number, name, args }: Request,
): Promise<Reply> => {
  sqlite.exec("savepoint command");
  try {
    const answer = await commandOf(commands, name)(...args);
    sqlite.exec("release command");
    return { number, answer };
  } catch (error) {
    // A full disk or an I/O error ends the whole transaction by itself; no savepoint is left for a rollback.
    if (!sqlite.inTransaction) {
      throw error;
    }
    sqlite.exec("rollback to command; release command");
    return { number, refusal: refusalOf(error) };
  }
};

const refuseAll = (batch: readonly Request[], refusal: Refusal): Replies =>
  batch.map(({ number }) => ({ number, refusal }));
