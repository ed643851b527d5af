// Needs root on Linux: it mounts its own small file system.

import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { missingStorage } from "#app/storage-errors";
import { openSqliteStore } from "#app/store";

it("accepts writes again once a full disk has free space, and keeps all acknowledged writes", async () => {
  const folder = await mkdtemp(join(tmpdir(), "idem-full-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", folder]);
  const path = join(folder, "idem.sqlite");
  const filler = join(folder, "filler");
  try {
    const store = await openSqliteStore({ path });
    await writeFile(filler, Buffer.alloc(2_000_000));
    const kept: string[] = [];
    const fill = async (): Promise<never> => {
      for (let number = 0; ; number += 1) {
        const id = `${number}`.padEnd(5_000, "x");
        await store.createTenant({ id, name: id, createdAt: new Date() });
        kept.push(id);
      }
    };
    const full = { code: "store_unavailable", cause: { message: expect.stringContaining("full") } };
    await expect(fill()).rejects.toMatchObject(full);
    expect([kept.length > 0, store.isBroken()]).toStrictEqual([true, false]);
    // The small write of a ping alone would still fit into the free pages of the log.
    const refused: unknown = await store.ping().catch((error: unknown) => error);
    expect(missingStorage("the store")(refused)).toBe("the disk of the store is full");
    await rm(filler);
    await store.ping();
    await store.createTenant({ id: "after", name: "after", createdAt: new Date() });
    await store.close();
    const again = await openSqliteStore({ path });
    const found = (await again.listTenants()).map(({ id }) => id);
    expect(found.toSorted()).toStrictEqual([...kept, "after"].toSorted());
    await again.close();
  } finally {
    execFileSync("umount", ["--lazy", folder]);
    await rm(folder, { recursive: true });
  }
});
