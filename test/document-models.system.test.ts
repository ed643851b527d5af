import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeClient } from "#cli/kit/service/client";
import { sealToken } from "#trust/tokens/seal";
import { drawCases } from "./harness/images.ts";
import { runIdem } from "./harness/run-idem.ts";
import { type Harness, makeHarness } from "./harness/service.ts";

let harness: Harness;
let folder: string;
beforeEach(async () => {
  harness = await makeHarness();
  folder = join(harness.directory, "../models");
  await mkdir(folder);
});
afterEach(() => harness.clear());

/** The demo's passport as an operator would describe it: no shipped model covers that country's passports. */
const passport = `
id: CHL-PP-2013
title: Pasaporte
country: CHL
type: PASSPORT
size: ID-3
sides: { front: required, back: none, sure: S }
mrz: { side: front, format: TD3, codes: [P], number: documentNumber, optional1: unknown, optional2: unknown, digits: reliable, sure: O }
barcodes: []
fields:
  - { name: lastName, side: front, labels: [Apellidos / Surname, Apellidos], format: name, printed: always, sure: S }
checks: []
identify: { words: [[REPÚBLICA DE CHILE]], wordsMin: 1 }
`;

const Answer = Compile(Type.Object({ serviceDocument: Type.String(), serviceTransactionId: Type.String() }));

it("a document is read by an operator's own model", async () => {
  await writeFile(join(folder, "chl-pp-2013.yaml"), passport);
  const service = await harness.start({ IDEM_DOCUMENT_MODELS: folder });
  const { genuine } = await drawCases();
  const keys = await (await fetch(`${service.url}/.well-known/idem-keys.json`)).json();
  const { body } = await makeClient(service.url, service.apiKey).post("/services/extractDocumentDataWeb", {
    tokenFrontDocument: await sealToken({
      keys,
      kind: "document-image",
      payload: genuine!.document,
      now: new Date(),
    }),
    countryCode: "PSP",
  });
  if (!Answer.Check(body)) throw new Error(JSON.stringify(body));
  expect(JSON.parse(body.serviceDocument)).toMatchObject({
    DOC_MODEL: "CHL-PP-2013",
    SUBTYPE: "CHL-PP-2013",
    ASK4BACK: false,
    FRONTSIDE: { FIELD_DATA: { APELLIDOS_SURNAME: expect.any(String) } },
  });
});

it("the lint refuses the same models as the start: a wrong file name, and the id of a shipped model", async () => {
  const [sound, misnamed, taken] = ["chl-pp-2013.yaml", "passport.yaml", "per-ce.yaml"].map((name) =>
    join(folder, name),
  );
  await writeFile(sound!, passport);
  await writeFile(misnamed!, passport);
  await writeFile(taken!, passport.replace("CHL-PP-2013", "PER-CE").replace("CHL", "PER"));
  const { code, stdout } = await runIdem(["document", "lint", sound!, misnamed!, taken!]);
  expect(code).toBe(1);
  expect(stdout.trim().split("\n")).toEqual([
    `${sound}: CHL-PP-2013, 1 fields, 0 checks`,
    `${misnamed}: /id: the file is called passport.yaml, not chl-pp-2013.yaml, its id in lower case`,
    `${taken}: /id: a model that ships is called PER-CE: give yours an id of its own`,
  ]);
});

it("a broken model in the folder stops the start, and doctor and measure report the same fault", async () => {
  const environment = { IDEM_DATA: harness.directory, IDEM_PORT: "0", IDEM_DOCUMENT_MODELS: folder };
  const file = join(folder, "chl-pp-2013.yaml");
  await writeFile(file, passport);
  expect((await runIdem(["doctor"], environment)).stdout).toMatch(
    /ok {3}document models +the \d+ bundled ones and CHL-PP-2013, SHA-256 \w{12}…/,
  );
  await writeFile(file, passport.replace("size: ID-3", "size: A5"));
  const why = /IDEM_DOCUMENT_MODELS names .*\n.*chl-pp-2013.yaml: \/size: must be one of ID-1, ID-2, ID-3/;
  const doctor = await runIdem(["doctor"], environment);
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toMatch(/RED {2}document models/);
  expect(doctor.stdout).toMatch(why);
  const refused = await runIdem(["serve"], environment);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(why);
  expect(refused.stderr).not.toMatch(/^\s+at /m);
  const measured = await runIdem(["measure", "document-attacks", "--labels", file], environment);
  expect(measured.code).toBe(1);
  expect(measured.stderr).toMatch(why);
});
