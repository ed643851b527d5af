import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prepareDirectory } from "#cli/kit/store/deployment";
import { settleMasterKey } from "#cli/kit/store/development-master-key";
import { readConfig } from "#machine/config/config";
import { drawTable } from "#sandbox/specimen/photograph";
import { groupPhotograph } from "#support/face/altered";
import { imageOf, openFaceEngine } from "#support/face/images";
import { type BlockListAdmin, openBlockListAdmin, readOutdated } from "./block-list.ts";
import { openStore } from "./storage.ts";

const folder = await mkdtemp(join(tmpdir(), "idem-block-"));
const tenantId = randomUUID();
let admin: BlockListAdmin;
let close: () => Promise<void>;
beforeAll(async () => {
  const settings = readConfig({ IDEM_DATA: folder, IDEM_WORKERS: "1" });
  await prepareDirectory(settings);
  const opened = await openStore(settings);
  ({ close } = opened);
  const config = await settleMasterKey(settings, opened.store);
  await opened.store.createTenant({ id: tenantId, name: "t", createdAt: new Date() });
  admin = openBlockListAdmin(opened.store, config);
});
afterAll(async () => {
  await close();
  await rm(folder, { recursive: true });
});

const portrait = "franck_02159.jpg";
const { imaging } = openFaceEngine();

describe("an image of a face to block", () => {
  it("gives the template of its face: blocked once, listed once, not outdated", async () => {
    const template = await admin.readImage(imageOf(portrait));
    if (typeof template === "string") throw new Error(template);
    const faces = [{ environment: "live", template }] as const;
    const [first] = await admin.block(tenantId, faces, "case 17");
    expect(await admin.block(tenantId, faces, "")).toStrictEqual([{ ...first, isNew: false }]);
    const entries = await Array.fromAsync(admin.list(tenantId));
    expect(entries).toMatchObject([{ id: first?.id, environment: "live", note: "case 17" }]);
    const isOutdated = await readOutdated(readConfig({ IDEM_DATA: folder }));
    expect([entries[0]!, { recogniser: "another" }].map(isOutdated)).toStrictEqual([false, true]);
  });

  it.each([
    ["several faces", "The image shows several faces", () => groupPhotograph(1)],
    ["no face", "shows no face that can be recognised", () => imaging.encodeJpeg(drawTable(800, 600, 5), 90)],
    [
      "a face too far away",
      "shows no face that can be recognised",
      async () => imaging.encodeJpeg(await imaging.open(imageOf(portrait), { longSideMax: 60 }), 90),
    ],
    [
      "bytes that are not an image",
      "The file is not a readable image",
      () => new TextEncoder().encode("no image"),
    ],
  ])("is refused with a sentence: %s", async (_what, sentence, draw) => {
    expect(await admin.readImage(await draw())).toContain(sentence);
  });
});
