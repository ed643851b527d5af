import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readConfig } from "#machine/config/config";
import { readBlocked } from "#machine/models/catalogue";
import { openModelStore } from "#machine/models/model-store";
import { imageOf, openFaceEngine } from "#support/face/images";
import { makeMeasuring } from "./evaluation.ts";

const folder = await mkdtemp(join(tmpdir(), "idem-measuring-"));
afterAll(() => rm(folder, { recursive: true }));

it("judges liveness as the service does if the chosen network was blocked later: it gives no answer", async () => {
  const blocked = readBlocked()[0]!.sha256;
  await openModelStore(join(folder, "models")).choose("liveness", { active: [blocked], shadow: [] });
  const { liveness, training } = makeMeasuring(readConfig({ IDEM_DATA: folder }));
  const person = await openFaceEngine().measure(imageOf("franck_02159.jpg"), { liveness: true });
  for (const { judge } of [liveness, training]) {
    expect(await judge(person)).toMatchObject({ result: "NoneBecauseLicenseError" });
  }
});
