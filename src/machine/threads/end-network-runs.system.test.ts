import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const program = new URL("../../../test/support/threads/end-network-runs.ts", import.meta.url);

describe("a thread that is ended while a network runs", () => {
  it("ends alone: its process continues, with a new thread", async () => {
    // In a process of its own: without the wait for the run, this process ended (SIGABRT) at the first end.
    const { stdout } = await promisify(execFile)(process.execPath, [program.pathname], { timeout: 110_000 });
    expect(stdout.trim().split("\n")).toEqual(["timed_out", "timed_out", "1"]);
  });
});
