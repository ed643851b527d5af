import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openSigningSources, type SigningSources } from "#app/signing";
import { openStore } from "#app/storage";
import { Failure } from "#contract/failure";
import { readConfig } from "#machine/config/config";
import { makeEgress } from "#machine/egress/make-egress";
import { openMemoryAuthority } from "#trust/signers/memory-authority";
import { UsageError } from "../command.ts";
import { signer } from "./signer.command.ts";
import { checkSources } from "./signer.ts";

const now = new Date();
const masterKey = randomBytes(32).toString("base64");
let folder: string;
let sources: SigningSources;

const readyConfig = () => ({
  ...readConfig({ IDEM_DATA: folder }),
  masterKey: Buffer.from(masterKey, "base64"),
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-signer-"));
  const config = readyConfig();
  const { store, close } = await openStore(config, { migrate: true });
  const parts = { config, egress: makeEgress(config.egress), store, clock: () => now, note: () => undefined };
  const opened = await openSigningSources(parts);
  if (opened === undefined) throw new Error("No signer is open");
  sources = opened;
  await close();
});
afterAll(() => rm(folder, { recursive: true }));

const redOf = async (change: Partial<SigningSources>): Promise<readonly string[]> =>
  (await checkSources({ ...sources, ...change }, now)).flatMap(({ subject, advice }) =>
    advice === undefined ? [] : [subject],
  );

describe("idem signer check", () => {
  it("prints each part of the development authority as ok, and ends with 0", async () => {
    vi.stubEnv("IDEM_DATA", folder);
    vi.stubEnv("IDEM_MASTER_KEY", masterKey);
    const printed: string[] = [];
    const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      printed.push(String(text));
      return true;
    });
    const code = await signer.run(["check", "--json"]).finally(() => {
      write.mockRestore();
      vi.unstubAllEnvs();
    });
    const report: unknown = JSON.parse(printed.join(""));
    expect(code).toBe(0);
    expect(report).toMatchObject({ ok: true, level: "B-LTA" });
    const subjects = ["signer", "key", "time-stamp", "status", "status", "root"];
    expect(report).toMatchObject({ checks: subjects.map((subject) => ({ subject, ok: true })) });
  });

  it("works beside the process that owns the data directory", async () => {
    vi.stubEnv("IDEM_DATA", folder);
    vi.stubEnv("IDEM_MASTER_KEY", masterKey);
    const { close } = await openStore(readyConfig());
    const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    const code = await signer.run(["check"]).finally(async () => {
      write.mockRestore();
      vi.unstubAllEnvs();
      await close();
    });
    expect(code).toBe(0);
  });

  it("shows an expired signer, a key that fails, an authority that gives no stamp, and a missing status", async () => {
    expect(await redOf({})).toEqual([]);
    const fault = { reason: "expired", words: "it expired" } as const;
    expect(await redOf({ signer: { ...sources.signer, judge: () => fault } })).toEqual(["signer"]);
    const sign = async (): Promise<never> => {
      throw new Failure("signer_unusable", { reason: "its key does not fit its certificate" });
    };
    expect(await redOf({ signer: { ...sources.signer, sign } })).toEqual(["key"]);
    const stamp = async (): Promise<never> => {
      throw new Error("tsa.example: no answer");
    };
    const authorities = [...sources.authorities, { name: "tsa.example", stamp }];
    expect(await redOf({ authorities })).toEqual(["time-stamp"]);
    const ports = { ...sources.ports, fetch: async () => undefined };
    expect(await redOf({ ports })).toEqual(["status", "status"]);
    expect(await redOf({ ports, terms: { ...sources.terms, level: "B-T" } })).toEqual([]);
  });

  it("shows a revoked signer at every level", async () => {
    const made = await openMemoryAuthority({ form: "p256" });
    made.setStatus(made.signer.certificate, { kind: "revoked", at: now });
    const terms = { ...sources.terms, signer: made.signer, known: made.roots, level: "B-B" } as const;
    expect(await redOf({ terms, ports: made.ports })).toEqual(["status"]);
  });

  it("refuses another action", async () => {
    await expect(signer.run(["chek"])).rejects.toBeInstanceOf(UsageError);
    await expect(signer.run([])).rejects.toBeInstanceOf(UsageError);
  });
});
