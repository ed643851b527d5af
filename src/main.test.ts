import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { prepareDirectory } from "./cli/first-start.ts";
import { readConfig } from "./config.ts";
import { packCohort } from "./face/matching/cohort.ts";
import { readCohort } from "./face/testing/pictures.ts";
import { openIdem, readIdem } from "./main.ts";

it("opens with what was read before, whatever became of the files meanwhile", async () => {
  const home = await mkdtemp(path.join(tmpdir(), "idem-main-"));
  const cohortFile = path.join(home, "cohort.bin");
  const { hash: _, ...cohort } = readCohort();
  await writeFile(cohortFile, packCohort(cohort));
  const config = readConfig({
    IDEM_DATA: path.join(home, "data"),
    IDEM_PORT: "0",
    IDEM_WORKERS: "1",
    IDEM_FACE_COHORT: cohortFile,
  });
  const reading = await readIdem(config);
  await rm(cohortFile);
  const lines: string[] = [];
  const idem = await openIdem(await prepareDirectory(config), reading, (line) => lines.push(line));
  await idem.server.listen(config.http);
  await idem.stop();
  const { name } = reading.policies.facePolicy.comparison.scale!;
  expect(lines.join("\n")).toContain(`"faceCohort":"${name}"`);
  await rm(home, { recursive: true });
}, 120_000);
