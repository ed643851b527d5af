import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { isDiskFull, requireSpace } from "./disk-space.ts";
import { isOutage } from "./outage.ts";

describe("the space of a disk", () => {
  it("is enough up to the bytes that are free, and an outage beyond", async () => {
    await requireSpace(tmpdir(), 1);
    const { bavail, bsize } = await statfs(tmpdir());
    const refused: unknown = await requireSpace(tmpdir(), bavail * bsize * 2).catch(
      (error: unknown) => error,
    );
    expect([isDiskFull(refused), isOutage(refused)]).toEqual([true, true]);
  });

  it("is named as the cause of a failure, wherever in its causes it stands", () => {
    const causes = [
      Object.assign(new Error("no space left on device"), { code: "ENOSPC" }),
      Object.assign(new Error("could not extend file"), { code: "53100" }),
      new Error("The store could not commit: database or disk is full"),
    ];
    for (const cause of causes) {
      expect(isDiskFull(new Failure("store_unavailable", {}, { cause }))).toBe(true);
      expect(isDiskFull(new Error("outer", { cause: new Failure("store_unavailable", {}, { cause }) }))).toBe(
        true,
      );
    }
    const others = [
      new Error("connection refused"),
      Object.assign(new Error("x"), { code: "EIO" }),
      undefined,
      "disk is full",
    ];
    expect(others.filter(isDiskFull)).toEqual([]);
  });
});
