import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readConfig } from "./config.ts";
import { writeFusion } from "./face/liveness/fusion-file.ts";
import { isJudged, judgeLiveness } from "./face/liveness/judge-liveness.ts";
import { defaultFacePolicy } from "./face/policy.ts";
import { openFaceEngine, pictureOf } from "./face/testing/pictures.ts";
import type { Blocked } from "./models/catalogue.ts";
import { readSelected } from "./models/selected.ts";
import { manifestOf, openTestModels, smallNetwork } from "./models/testing/small-models.ts";
import { inspectLiveness, readFacePolicy, requireAssurance } from "./open-face-policy.ts";
import { adviseOnAdded, describeAdded, listAdded } from "./open-models.ts";

const folder = await mkdtemp(join(tmpdir(), "idem-policy-"));
afterAll(() => rm(folder, { recursive: true }));
const production = { IDEM_MODE: "production", IDEM_MASTER_KEY: Buffer.alloc(32, 7).toString("base64") };
const folderOf = (name: string): string => join(folder, name);

/** A small liveness network, put into a folder of models and chosen. */
const chosen = async (
  name: string,
  blocked: readonly Blocked[] = [],
  role: "active" | "shadow" = "active",
) => {
  const models = openTestModels(folderOf(name));
  const file = join(folder, "small.onnx");
  await writeFile(file, smallNetwork);
  const { manifest } = await models.add(file, manifestOf(smallNetwork));
  await models.shelf.choose("liveness", { active: [], shadow: [], [role]: [manifest.sha256] });
  return await readSelected({ ...models, blocked, share: (bytes) => bytes });
};

describe("production", () => {
  it("does not start with advisory liveness until that is accepted in words, or a model decides", async () => {
    const refusing = readConfig(production);
    expect(() => requireAssurance(inspectLiveness(refusing, {}))).toThrow("IDEM_ADVISORY_LIVENESS=accepted");
    const model = inspectLiveness(refusing, await chosen("model"));
    expect(model).toMatchObject({ level: "model" });
    expect(() => requireAssurance(model)).not.toThrow();
    const accepting = readConfig({ ...production, IDEM_ADVISORY_LIVENESS: "accepted" });
    expect(() => requireAssurance(inspectLiveness(accepting, {}))).not.toThrow();
    expect(inspectLiveness(readConfig({}), {})).toMatchObject({ level: "advisory" });
  });
});

describe("a chosen liveness network whose terms are found to forbid its use", () => {
  const blocked = [
    { sha256: manifestOf(smallNetwork).sha256, name: "Somebody's network", licence: "For research only" },
  ];

  it("judges nobody, and nothing takes its place: every answer is 15, and the operator is told", async () => {
    const selected = await chosen("blocked", blocked);
    const config = readConfig(production);
    const policy = await readFacePolicy(config, selected);
    const { imaging, measure } = openFaceEngine();
    const person = await measure(pictureOf("franck_02159.jpg"), { liveness: true });
    const answer = judgeLiveness(person, policy.liveness);
    expect(answer.result).toBe("NoneBecauseLicenseError");
    expect(isJudged(answer)).toBe(false);
    const noPicture = await imaging.encodePng({ width: 9, height: 9, data: new Uint8Array(243) });
    expect(judgeLiveness(await measure(noPicture, {}), policy.liveness).result).toBe(
      "NoneBecauseLicenseError",
    );
    expect(policy.version).toMatch(/\+unlicensed$/);
    const state = inspectLiveness(config, selected);
    expect(state).toMatchObject({ level: "unlicensed", words: expect.stringContaining("For research only") });
    expect(() => requireAssurance(state)).not.toThrow();
  });

  it("does not stop the service where it only looked on: it is left out, and the operator is told", async () => {
    const selected = await chosen("blocked-shadow", blocked, "shadow");
    expect(selected.liveness).toEqual({ active: [], shadow: [], blockedShadow: blocked });
    expect(inspectLiveness(readConfig({}), selected)).toMatchObject({ level: "advisory" });
    const added = listAdded(selected);
    expect(describeAdded(added)).toBe(
      "liveness Somebody's network (blocked: its licence forbids that it looks on)",
    );
    expect(adviseOnAdded(added)).toContain("idem models shadow --none liveness");
    expect(adviseOnAdded(listAdded(await chosen("shadow", [], "shadow")))).toBeUndefined();
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
    return await readFacePolicy(readConfig({ IDEM_LIVENESS_FUSION: file }), {});
  };

  it("is taken over by the policy, whose version names it", async () => {
    const policy = await policyWith(writeFusion(content));
    expect(policy.liveness.fusion).toMatchObject({ offset: -2, scales: { moire: 1.5 } });
    expect(policy.version).toMatch(/^face-\d+\+fitted-[0-9a-f]{12}$/);
    expect((await readFacePolicy(readConfig({}), {})).liveness.fusion).toBe(
      defaultFacePolicy.liveness.fusion,
    );
  });

  it("that is missing or was changed stops the start with the reason", async () => {
    await expect(policyWith(writeFusion(content).replace("1.5", "2.5"))).rejects.toThrow("was changed");
    const missing = readConfig({ IDEM_LIVENESS_FUSION: join(folder, "nowhere.json") });
    await expect(readFacePolicy(missing, {})).rejects.toThrow(/nowhere\.json/);
  });
});
