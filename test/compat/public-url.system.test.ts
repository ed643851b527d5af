import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, it } from "vitest";
import { environmentOf, type Harness, makeHarness, program } from "../harness/service.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await makeHarness();
});
afterAll(() => harness.clear());

/** The notes that a production service logs until it is ready. */
const notesOfStart = async (name: string, settings: Readonly<Record<string, string>>): Promise<string> => {
  const directory = join(harness.directory, "..", name);
  await mkdir(directory, { mode: 0o700 });
  const env = environmentOf({
    IDEM_DATA: directory,
    IDEM_MODE: "production",
    IDEM_PORT: "0",
    IDEM_MASTER_KEY: randomBytes(32).toString("base64"),
    IDEM_ADVISORY_LIVENESS: "accepted",
    IDEM_WORKERS: "1",
    IDEM_SIGNING_THREADS: "1",
    ...settings,
  });
  const child = spawn(process.execPath, [program, "serve"], { env, stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  // The log goes to the output, and words for the operator to the other stream.
  createInterface({ input: child.stderr }).on("line", (line) => {
    if (line.startsWith("Idem is ready")) child.kill("SIGTERM");
  });
  await once(child, "close");
  return log;
};

it("is asked for at a production start that has none, which is no refusal", async () => {
  const without = await notesOfStart("without", {});
  expect(without).toContain("IDEM_PUBLIC_URL is not set");
  expect(without).toContain("The service listens");
  const given = await notesOfStart("given", { IDEM_PUBLIC_URL: "https://idem.example.org" });
  expect(given).not.toContain("IDEM_PUBLIC_URL");
  expect(given).toContain("The service listens");
});
