import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prepareDirectory } from "./cli/first-start.ts";
import { readConfig } from "./config.ts";
import { groupPhotograph } from "./face/testing/altered.ts";
import { openFaceEngine, pictureOf } from "./face/testing/pictures.ts";
import { type BlockDesk, openBlockDesk, readOutdated } from "./open-block-list.ts";
import { openStore } from "./open-storage.ts";
import { drawTable } from "./specimen/photograph.ts";

const folder = await mkdtemp(join(tmpdir(), "idem-block-"));
const tenantId = randomUUID();
let desk: BlockDesk;
let close: () => Promise<void>;
beforeAll(async () => {
  const config = await prepareDirectory(readConfig({ IDEM_DATA: folder, IDEM_WORKERS: "1" }));
  const opened = await openStore(config);
  ({ close } = opened);
  await opened.store.createTenant({ id: tenantId, name: "t", createdAt: new Date() });
  desk = openBlockDesk(opened.store, config);
});
afterAll(async () => {
  await close();
  await rm(folder, { recursive: true });
});

const portrait = "franck_02159.jpg";
const { imaging } = openFaceEngine();

describe("a picture that is to be blocked", () => {
  it("gives the template of its face, which is listed once and in use", async () => {
    const template = await desk.readPicture(pictureOf(portrait));
    if (typeof template === "string") throw new Error(template);
    const faces = [{ world: "live", template }] as const;
    const [first] = await desk.block(tenantId, faces, "case 17");
    expect(await desk.block(tenantId, faces, "")).toStrictEqual([{ ...first, isNew: false }]);
    const entries = await Array.fromAsync(desk.list(tenantId));
    expect(entries).toMatchObject([{ id: first?.id, world: "live", note: "case 17" }]);
    const isOutdated = await readOutdated(readConfig({ IDEM_DATA: folder }));
    expect([entries[0]!, { recogniser: "another" }].map(isOutdated)).toStrictEqual([false, true]);
  });

  it.each([
    ["several faces", "The picture shows several faces", () => groupPhotograph(1)],
    [
      "nobody",
      "shows no face that could be known again",
      () => imaging.encodeJpeg(drawTable(800, 600, 5), 90),
    ],
    [
      "a face too far away",
      "shows no face that could be known again",
      async () => imaging.encodeJpeg(await imaging.open(pictureOf(portrait), { longSideMax: 60 }), 90),
    ],
    ["no picture at all", "The file is no picture", () => new TextEncoder().encode("no picture")],
  ])("is refused in a sentence where it shows %s", async (_what, sentence, draw) => {
    expect(await desk.readPicture(await draw())).toContain(sentence);
  });
});
