import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readConfig } from "./config.ts";
import { openFaceEngine, pictureOf } from "./face/testing/pictures.ts";
import { makeMeasuring } from "./measuring.ts";
import { readBlocked } from "./models/catalogue.ts";
import { openShelf } from "./models/shelf.ts";

const folder = await mkdtemp(join(tmpdir(), "idem-measuring-"));
afterAll(() => rm(folder, { recursive: true }));

it("judges liveness as the service does where the chosen network was blocked since: no answer at all", async () => {
  const blocked = readBlocked()[0]!.sha256;
  await openShelf(join(folder, "models")).choose("liveness", { active: [blocked], shadow: [] });
  const { liveness, training } = makeMeasuring(readConfig({ IDEM_DATA: folder }));
  const person = await openFaceEngine().measure(pictureOf("franck_02159.jpg"), { liveness: true });
  for (const { judge } of [liveness, training]) {
    expect(await judge(person)).toMatchObject({ result: "NoneBecauseLicenseError" });
  }
});
