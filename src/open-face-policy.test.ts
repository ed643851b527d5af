import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readConfig } from "./config.ts";
import { writeFusion } from "./face/fusion-file.ts";
import { defaultFacePolicy } from "./face/policy.ts";
import { assuranceWith, readFacePolicy, requireAssurance } from "./open-face-policy.ts";

const folder = await mkdtemp(join(tmpdir(), "idem-policy-"));
afterAll(() => rm(folder, { recursive: true }));
const production = { IDEM_MODE: "production", IDEM_MASTER_KEY: Buffer.alloc(32, 7).toString("base64") };
const network = { slot: "liveness", role: "active", name: "net 1", sha256: "ab".repeat(32) } as const;

describe("production", () => {
  it("does not start with advisory liveness until that is accepted in words, or a model decides", () => {
    const refusing = readConfig(production);
    expect(() => requireAssurance(refusing, [])).toThrow("IDEM_ADVISORY_LIVENESS=accepted");
    expect(() => requireAssurance(refusing, [{ ...network, role: "shadow" }])).toThrow("models use");
    expect(() => requireAssurance(refusing, [network])).not.toThrow();
    const accepting = readConfig({ ...production, IDEM_ADVISORY_LIVENESS: "accepted" });
    expect(() => requireAssurance(accepting, [])).not.toThrow();
    expect(() => requireAssurance(readConfig({}), [])).not.toThrow();
    expect([assuranceWith([]), assuranceWith([network])]).toEqual(["advisory", "model"]);
  });
});

describe("a fitted fusion", () => {
  const content = {
    format: "idem-liveness-fusion" as const,
    version: 1 as const,
    madeAt: "2026-11-21T00:00:00.000Z",
    offset: -2,
    scales: { moire: 1.5 },
    data: { persons: 30, live: 90, attacks: { print: 90 } },
    models: {},
  };
  const policyWith = async (text: string) => {
    const file = join(folder, "fusion.json");
    await writeFile(file, text);
    return await readFacePolicy(readConfig({ IDEM_LIVENESS_FUSION: file }));
  };

  it("is taken over by the policy, whose version names it", async () => {
    const policy = await policyWith(writeFusion(content));
    expect(policy.liveness.fusion).toMatchObject({ offset: -2, scales: { moire: 1.5 } });
    expect(policy.version).toMatch(/^face-\d+\+fitted-[0-9a-f]{12}$/);
    expect((await readFacePolicy(readConfig({}))).liveness.fusion).toBe(defaultFacePolicy.liveness.fusion);
  });

  it("that is missing or was changed stops the start with the reason", async () => {
    await expect(policyWith(writeFusion(content).replace("1.5", "2.5"))).rejects.toThrow("was changed");
    const missing = readConfig({ IDEM_LIVENESS_FUSION: join(folder, "nowhere.json") });
    await expect(readFacePolicy(missing)).rejects.toThrow(/nowhere\.json/);
  });
});
