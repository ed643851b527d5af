import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { verificationReasons } from "#contract/verification";

it("the guide states every reason of a verification in its table", async () => {
  const guide = await readFile(
    new URL("../../../docs/guides/integrate/verifications.md", import.meta.url),
    "utf8",
  );
  const rows = guide.split("\n").filter((line) => line.startsWith("| "));
  expect(verificationReasons.filter((reason) => !rows.some((row) => row.includes(`\`${reason}\``)))).toEqual(
    [],
  );
});
