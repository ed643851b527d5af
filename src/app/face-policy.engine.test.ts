import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { writeFusion } from "#judging/face/liveness/fusion-file";
import { isJudged, judgeLiveness } from "#judging/face/liveness/judge-liveness";
import { defaultFacePolicy } from "#judging/face/policy";
import { readConfig } from "#machine/config/config";
import type { Blocked } from "#machine/models/catalogue";
import { readSelected } from "#machine/models/selected";
import { imageOf, openFaceEngine } from "#support/face/images";
import { manifestOf, openTestModels, smallNetwork } from "#support/models/small-models";
import { inspectLiveness, readFacePolicy, requireAssurance } from "./face-policy.ts";
import { adviseOnAdded, describeAdded, listAdded } from "./models.ts";

const folder = await mkdtemp(join(tmpdir(), "idem-policy-"));
afterAll(() => rm(folder, { recursive: true }));
const production = { IDEM_MODE: "production", IDEM_MASTER_KEY: randomBytes(32).toString("base64") };
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
  await models.modelStore.choose("liveness", { active: [], shadow: [], [role]: [manifest.sha256] });
  return await readSelected({ ...models, blocked, share: (bytes) => bytes });
};

describe("production", () => {
  it("refuses to start with advisory liveness until the operator accepts it or a model decides", async () => {
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

describe("a chosen liveness network whose licence forbids its use", () => {
  const blocked = [
    { sha256: manifestOf(smallNetwork).sha256, name: "Somebody's network", licence: "For research only" },
  ];

  it("judges no image and has no replacement: every answer is 15, and the operator reads why", async () => {
    const selected = await chosen("blocked", blocked);
    const config = readConfig(production);
    const policy = await readFacePolicy(config, selected);
    const { imaging, measure } = openFaceEngine();
    const person = await measure(imageOf("franck_02159.jpg"), { liveness: true });
    const answer = judgeLiveness(person, policy.liveness);
    expect(answer.result).toBe("NoneBecauseLicenseError");
    expect(isJudged(answer)).toBe(false);
    const noImage = await imaging.encodePng({ width: 9, height: 9, data: new Uint8Array(243) });
    expect(judgeLiveness(await measure(noImage, {}), policy.liveness).result).toBe("NoneBecauseLicenseError");
    expect(policy.version).toMatch(/\+unlicensed$/);
    const state = inspectLiveness(config, selected);
    expect(state).toMatchObject({ level: "unlicensed", words: expect.stringContaining("For research only") });
    expect(() => requireAssurance(state)).not.toThrow();
  });

  it("does not stop the service in shadow mode: it is left out, and the operator reads why", async () => {
    const selected = await chosen("blocked-shadow", blocked, "shadow");
    expect(selected.liveness).toEqual({ active: [], shadow: [], blockedShadow: blocked });
    expect(inspectLiveness(readConfig({}), selected)).toMatchObject({ level: "advisory" });
    const added = listAdded(selected);
    expect(describeAdded(added)).toBe(
      "liveness Somebody's network (blocked: its licence forbids shadow mode)",
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

  it("replaces the policy's fusion, and the policy's version names it", async () => {
    const policy = await policyWith(writeFusion(content));
    expect(policy.liveness.fusion).toMatchObject({ offset: -2, scales: { moire: 1.5 } });
    expect(policy.version).toMatch(/^face-\d+\+fitted-[0-9a-f]{12}$/);
    expect((await readFacePolicy(readConfig({}), {})).liveness.fusion).toBe(
      defaultFacePolicy.liveness.fusion,
    );
  });

  it("stops the start with the reason if it is missing or altered", async () => {
    await expect(policyWith(writeFusion(content).replace("1.5", "2.5"))).rejects.toThrow("was changed");
    const missing = readConfig({ IDEM_LIVENESS_FUSION: join(folder, "nowhere.json") });
    await expect(readFacePolicy(missing, {})).rejects.toThrow(/nowhere\.json/);
  });
});
