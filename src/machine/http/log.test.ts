import { expect, it } from "vitest";
import { makeCallLog } from "./log.ts";

it("a fact named level or time hides neither level nor time of its line", () => {
  const lines: unknown[] = [];
  const log = makeCallLog(
    (line) => lines.push(JSON.parse(line)),
    () => new Date("2026-11-25T22:10:40.422Z"),
  );
  log.service("The signer is open", { level: "B-LTA", time: "never", signer: "CN=X" });
  expect(lines).toEqual([
    {
      time: "2026-11-25T22:10:40.422Z",
      level: "info",
      message: "The signer is open",
      component: "service",
      signer: "CN=X",
    },
  ]);
});
