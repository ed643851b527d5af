import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commandSet } from "#app/store-commands";
import type { Tables } from "#app/tables";
import { migrate } from "./migrate.ts";
import { sqliteDialect } from "./sql-dialect.ts";
import { openSqliteConnection, type SqliteConnection } from "./sqlite-database.ts";
import { makeGroupCommit } from "./sqlite-group-commit.ts";
import type { Request } from "./sqlite-message.ts";
import { pingSqlite } from "./sqlite-ping.ts";

const create = (number: number, id: string): Request => ({
  number,
  name: "createTenant",
  args: [{ id, name: `${number} ${id}`, createdAt: new Date() }],
});

describe("group commit", () => {
  let connection: SqliteConnection<Tables>;
  let commit: ReturnType<typeof makeGroupCommit>;
  const tenants = (): unknown => connection.sqlite.prepare("select id from tenants").pluck().all();

  beforeEach(async () => {
    connection = openSqliteConnection(":memory:");
    await migrate(connection.db, commandSet.migrations, sqliteDialect, new Date());
    const { sqlite, db } = connection;
    const commands = {
      ...commandSet.makeCommands({ db, locksRows: false }),
      ping: () => pingSqlite({ db }),
    };
    commit = makeGroupCommit({ sqlite, commands, erasing: commandSet.erasing });
  });
  afterEach(() => connection.sqlite.close());

  it("commits a batch once and rolls back only the refused command", async () => {
    const replies = await commit([create(1, "a"), create(2, "a"), create(3, "b")]);
    expect(replies).toMatchObject([
      { number: 1, answer: { id: "a" } },
      { number: 2, refusal: { kind: "error" } },
      { number: 3, answer: { id: "b" } },
    ]);
    expect(tenants()).toStrictEqual(["a", "b"]);
  });

  it("refuses the whole batch and everything after it when COMMIT fails", async () => {
    // A foreign key that is checked at COMMIT makes COMMIT itself fail.
    connection.sqlite.exec(`create table broken (tenant text references tenants deferrable initially deferred);
      create trigger break after insert on tenants when new.id = 'bad' begin insert into broken values ('none'); end`);
    const refused = { refusal: { kind: "unhealthy" } };
    expect(await commit([create(1, "a"), create(2, "bad")])).toMatchObject([refused, refused]);
    expect(tenants()).toStrictEqual([]);
    expect(await commit([create(3, "c")])).toMatchObject([{ number: 3, ...refused }]);
    expect(tenants()).toStrictEqual([]);
  });

  it("distinguishes a read-only disk from a wrong command, and lets a later batch retry", async () => {
    const ping: Request = { number: 2, name: "ping", args: [] };
    connection.sqlite.pragma("query_only = ON");
    const refusal = { kind: "unavailable", message: expect.stringContaining("readonly") };
    expect(await commit([create(1, "a"), ping])).toMatchObject([{ refusal }, { refusal }]);
    connection.sqlite.pragma("query_only = OFF");
    expect(await commit([create(1, "a"), ping, ping])).toMatchObject([
      { number: 1 },
      { number: 2 },
      { number: 2 },
    ]);
    expect(tenants()).toStrictEqual(["a"]);
    expect(connection.sqlite.pragma("user_version", { simple: true })).toBe(0);
  });

  it("refuses writes that a full file cannot hold, and continues once there is space", async () => {
    const { sqlite } = connection;
    const pages = sqlite.pragma("page_count", { simple: true });
    sqlite.pragma(`max_page_count = ${String(pages)}`);
    const large = create(2, "x".repeat(20_000));
    const refused = { refusal: { kind: "unavailable", message: expect.stringContaining("full") } };
    expect(await commit([create(1, "a"), large])).toMatchObject([refused, refused]);
    expect(tenants()).toStrictEqual([]);
    sqlite.pragma("max_page_count = 1000000");
    expect(await commit([create(3, "b")])).toMatchObject([{ number: 3, answer: { id: "b" } }]);
    expect(tenants()).toStrictEqual(["b"]);
  });

  it("refuses the whole batch when a command loses the transaction", async () => {
    connection.sqlite.exec(`create trigger break after insert on tenants when new.id = 'bad'
      begin select raise(rollback, 'the disk is full'); end`);
    const refused = { refusal: { kind: "unhealthy" } };
    expect(await commit([create(1, "a"), create(2, "bad"), create(3, "c")])).toMatchObject([
      refused,
      refused,
      refused,
    ]);
    expect(tenants()).toStrictEqual([]);
  });
});
