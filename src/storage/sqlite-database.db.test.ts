import { sql } from "kysely";
import { expect, it, vi } from "vitest";
import { openSqliteConnection } from "./sqlite-database.ts";

it("keeps the recently used statements, not every text that was ever prepared", async () => {
  const { sqlite, db } = openSqliteConnection(":memory:");
  const prepare = vi.spyOn(sqlite, "prepare");
  const run = (number: number) => sql.raw(`select ${number}`).execute(db);
  for (let number = 0; number < 300; number += 1) {
    await run(number);
    await run(0);
  }
  expect(prepare).toHaveBeenCalledTimes(300);
  await run(299);
  expect(prepare).toHaveBeenCalledTimes(300);
  await run(1);
  expect(prepare).toHaveBeenCalledTimes(301);
  await db.destroy();
});
