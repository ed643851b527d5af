import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runIdem } from "./harness/run-idem.ts";
import { environmentOf, type Harness, makeHarness, program } from "./harness/service.ts";

const holding = fileURLToPath(new URL("./support/storage/hold-data-directory.ts", import.meta.url));

let harness: Harness;
let holder: ChildProcess;
beforeEach(async () => {
  harness = await makeHarness();
  await runIdem(["migrate"], { IDEM_DATA: harness.directory });
  holder = spawn(process.execPath, [holding, harness.directory], { stdio: ["ignore", "pipe", "inherit"] });
  await once(holder.stdout!, "data");
});
afterEach(async () => {
  holder.kill("SIGKILL");
  await harness.clear();
});

const settings = (waitMs: number) => ({
  IDEM_DATA: harness.directory,
  IDEM_DATA_WAIT_MS: String(waitMs),
  IDEM_PORT: "0",
  IDEM_WORKERS: "1",
  IDEM_SIGNING_THREADS: "1",
  IDEM_LOG_LEVEL: "silent",
});

/** Starts `idem`, and collects what it says. */
const start = (args: readonly string[], waitMs: number) => {
  const child = spawn(process.execPath, [program, ...args], { env: environmentOf(settings(waitMs)) });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => void (said += String(part)));
  const until = async (words: RegExp): Promise<void> =>
    await expect.poll(() => said, { timeout: 240_000, interval: 50 }).toMatch(words);
  return { child, until, said: () => said };
};

const waiting = (): RegExp =>
  new RegExp(`^Process ${holder.pid} has the data directory open: waiting for it`, "m");

describe("while a process has the data directory open", () => {
  it("a start of the service waits, names that process once, and serves when it has ended", async () => {
    const { child, until, said } = start(["serve"], 240_000);
    await until(waiting());
    holder.kill("SIGKILL");
    await until(/Idem is ready at/);
    expect(said().match(/waiting for it/g)).toHaveLength(1);
    child.kill("SIGTERM");
    await once(child, "close");
    expect(child.exitCode).toBe(0);
  });

  it("a start that waits ends on SIGTERM", async () => {
    const { child, until } = start(["serve"], 240_000);
    await until(waiting());
    child.kill("SIGTERM");
    await once(child, "close");
    expect(child.exitCode).toBe(0);
  });

  it("a command waits, and works when that process has ended", async () => {
    const { child, until } = start(["tokens", "rotate"], 240_000);
    await until(waiting());
    holder.kill("SIGKILL");
    await until(/New key \S+\./);
    if (child.exitCode === null) await once(child, "close");
    expect(child.exitCode).toBe(0);
  });

  it.each([["serve"], ["users blocked"]])(
    "idem %s is refused when the time is over, with that process",
    async (line) => {
      const run = await runIdem(line.split(" "), settings(300));
      expect(run.code).toBe(1);
      expect(run.stderr).toContain(`is in use by process ${holder.pid}`);
    },
  );
});
