import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openStore } from "#app/storage";
import { readConfig } from "#machine/config/config";
import { openDataDirectory } from "#machine/storage/data-directory";
import { commands } from "./commands.ts";
import { wayOut } from "./kit/store/way-out.ts";

let folder: string;
let release: () => void;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-held-"));
  await writeFile(join(folder, "users.csv"), "user_id,selfie\n");
  const directory = join(folder, "data");
  vi.stubEnv("IDEM_DATA", directory);
  vi.stubEnv("IDEM_DATA_WAIT_MS", "0");
  vi.stubEnv("IDEM_MASTER_KEY", randomBytes(32).toString("base64"));
  const { store, close } = await openStore(readConfig());
  await store.createTenant({ id: randomUUID(), name: "Bank", createdAt: new Date() });
  await close();
  ({ release } = await openDataDirectory(directory));
});
afterAll(async () => {
  release();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

/** Runs a command as `idem` finds it. */
const run = async ([name = "", ...words]: readonly string[]): Promise<number> => {
  let command = await commands[name]!.load();
  let args = words;
  for (let topic = command.topics?.[args[0] ?? ""]; topic !== undefined; ) {
    command = await topic();
    args = args.slice(1);
    topic = command.topics?.[args[0] ?? ""];
  }
  return await command.run(args);
};

describe("a command that needs the embedded store for itself, while another process has it", () => {
  it.each([
    ["replay", wayOut.copy],
    ["models report", wayOut.copy],
    ["webhooks list", wayOut.destinations],
    ["webhooks deliveries --event 4711", wayOut.deliveries],
    ["webhooks replay 4711 --dry-run", wayOut.deliveries],
    ["users show --user ana", wayOut.stop],
    ["users enable --user ana", wayOut.stop],
    ["users blocked", wayOut.stop],
    ["users import --csv users.csv --environment test", wayOut.stop],
    ["document blocked", wayOut.stop],
    ["registry list", wayOut.stop],
    ["clearing credentials show", wayOut.stop],
    ["tokens rotate", wayOut.stop],
    ["erase --confirm Bank", wayOut.stop],
    ["migrate", wayOut.plan],
  ])("is refused with the way out in one sentence: idem %s", async (line, way) => {
    const words = line.replace("users.csv", join(folder, "users.csv")).split(" ");
    await expect(run(words)).rejects.toThrow(
      `The data directory ${join(folder, "data")} is in use by process ${process.pid}: ${way}.`,
    );
  });
});
