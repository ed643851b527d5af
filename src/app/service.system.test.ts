import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { prepareDirectory } from "#cli/kit/store/deployment";
import { settleMasterKey } from "#cli/kit/store/development-master-key";
import { packCohort } from "#judging/face/matching/cohort";
import { readConfig } from "#machine/config/config";
import { openDataDirectory } from "#machine/storage/data-directory";
import { readCohort } from "#support/face/images";
import { makeFirstTenant } from "../../test/harness/first-tenant.ts";
import { runIdem } from "../../test/harness/run-idem.ts";
import { openIdem, readIdem } from "./service.ts";

/** One thread of each kind: each loads its modules for itself. */
const threads = { IDEM_WORKERS: "1", IDEM_SIGNING_THREADS: "1" };

/** What threads of this process keep open: those of other files, too. */
const countPorts = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === "MessagePort").length;

it("opens with the files that were read before, even if they are gone since", async () => {
  const home = await mkdtemp(path.join(tmpdir(), "idem-main-"));
  const cohortFile = path.join(home, "cohort.bin");
  const { hash: _, ...cohort } = readCohort();
  await writeFile(cohortFile, packCohort(cohort));
  const config = readConfig({
    IDEM_DATA: path.join(home, "data"),
    IDEM_PORT: "0",
    ...threads,
    IDEM_FACE_COHORT: cohortFile,
  });
  const reading = await readIdem(config);
  await rm(cohortFile);
  const lines: string[] = [];
  await prepareDirectory(config);
  const idem = await openIdem(config, reading, settleMasterKey, (line) => lines.push(line));
  await idem.server.listen(config.http);
  await idem.stop();
  const { name } = reading.policies.facePolicy.comparison.scale!;
  expect(lines.join("\n")).toContain(`"faceCohort":"${name}"`);
  await rm(home, { recursive: true });
});

it("leaves no lock and no thread behind when a start fails after the store was opened", async () => {
  const ports = countPorts();
  const home = await mkdtemp(path.join(tmpdir(), "idem-main-"));
  const settings = { IDEM_DATA: path.join(home, "data"), ...threads, IDEM_LOG_LEVEL: "silent" };
  const masterKey = randomBytes(32).toString("base64");
  const config = readConfig({ ...settings, IDEM_MASTER_KEY: masterKey });
  const reading = await readIdem(config);
  const environment = { ...settings, IDEM_MASTER_KEY: masterKey };
  await makeFirstTenant(environment);
  expect(await runIdem(["tokens", "rotate"], environment)).toMatchObject({ code: 0 });
  const wrong = readConfig({ ...settings, IDEM_MASTER_KEY: randomBytes(32).toString("base64") });
  await expect(openIdem(wrong, reading, settleMasterKey)).rejects.toThrow("under another master key");
  expect(countPorts()).toBe(ports);
  (await openDataDirectory(config.dataDirectory)).release();
  const [damaged, pepFile] = [path.join(home, "damaged"), path.join(home, "list.json")];
  const list = { format: "idem-pep-1", source: "Register", version: "1", importedAt: "", people: [] };
  await writeFile(pepFile, JSON.stringify(list));
  const listed = readConfig({ ...settings, IDEM_DATA: damaged, IDEM_PEP_LIST: pepFile });
  const readingListed = await readIdem(listed);
  await prepareDirectory(listed);
  await writeFile(path.join(damaged, "idem.sqlite"), "no database ".repeat(1000));
  await expect(openIdem(listed, readingListed, settleMasterKey)).rejects.toThrow();
  expect(countPorts()).toBe(ports);
  await (await openIdem(config, reading, settleMasterKey)).stop();
  await rm(home, { recursive: true });
});
