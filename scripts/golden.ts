// Writes the committed files that are generated from code; --check compares them and names each different
// file.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { exampleImages } from "#contract/examples/images";
import { routes } from "#contract/routes";
import { contentSchema } from "#features/signing/evidence/bundle/content";
import { documentModelSchema } from "#judging/document/decision/models/document-model";
import { readDocumentModels, writeShippedCatalogue } from "#judging/document/decision/models/read-models";
import { defaultDocumentPolicy } from "#judging/document/decision/policy";
import { writeReasonPage } from "#judging/document/decision/reason-page";
import { writeModelsPage } from "#judging/document/http/models-page";
import { writeQualityPage } from "#judging/face/attributes/quality-page";
import { writeLivenessPage } from "#judging/face/liveness/liveness-page";
import { writeFacialPage } from "#judging/face/matching/facial-page";
import { defaultFacePolicy } from "#judging/face/policy";
import { writeAsyncApi } from "#machine/http/asyncapi";
import { writeCollection } from "#machine/http/collection";
import { writeErrorsPage } from "#machine/http/errors-page";
import { writeOpenApi } from "#machine/http/openapi";
import { standardVendor } from "#machine/http/options";
import { toYaml } from "#machine/http/to-yaml";
import { manifestSchema } from "#machine/models/manifest";
import { writeStatesPage } from "#record/operations/states-page";
import { personas } from "#sandbox/personas/catalogue/catalogue";
import { writePersonasPage } from "#sandbox/personas/personas-page";
import { writeContractText } from "./contract/contract-text.ts";
import { eventSamples } from "./event-samples/samples.ts";
import { writeGuidancePage } from "./guidance-page.ts";
import { endWithHelp } from "./help.ts";
import { writeOperationsPage } from "./moving/operations-page.ts";
import { findTests } from "./promises/find-tests.ts";
import { writePromisesPage } from "./promises/page.ts";
import { readPromises } from "./promises/promise.ts";
import { writeSealingModule } from "./sealing-module.ts";
import { sqlPages } from "./store-sql/pages.ts";
import { writeVerifyModule } from "./verify-module.ts";
import { writeWidgetModule } from "./widget-module.ts";

endWithHelp(import.meta.filename);

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

const jsonSchemaDialect = "http://json-schema.org/draft-07/schema#";

const read = (path: string): string | undefined => {
  try {
    return readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
  } catch {
    return undefined;
  }
};

const readTests = (path: string): readonly string[] | undefined => {
  const text = read(path);
  return text === undefined ? undefined : findTests(path, text);
};

/** Path from the project's root, and the generator of the file. */
const goldenFiles: readonly { readonly path: string; readonly write: () => string | Promise<string> }[] = [
  {
    path: "api/openapi.yaml",
    write: () => toYaml(writeOpenApi(routes, version), exampleImages),
  },
  { path: "api/contract.txt", write: () => writeContractText(routes) },
  {
    path: "api/idem.postman_collection.json",
    write: () => `${JSON.stringify(writeCollection(), null, 2)}\n`,
  },
  { path: "api/asyncapi.yaml", write: () => toYaml(writeAsyncApi(version, standardVendor)) },
  { path: "api/errors.md", write: () => writeErrorsPage(routes) },
  { path: "api/reason-codes.md", write: () => writeReasonPage(defaultDocumentPolicy) },
  { path: "api/liveness-results.md", write: () => writeLivenessPage(defaultFacePolicy) },
  { path: "api/facial-results.md", write: () => writeFacialPage(defaultFacePolicy) },
  { path: "api/operation-states.md", write: writeStatesPage },
  { path: "api/face-quality.md", write: writeQualityPage },
  { path: "api/guidance-codes.md", write: writeGuidancePage },
  { path: "api/compared-operations.md", write: () => writeOperationsPage(routes) },
  { path: "api/personas.md", write: () => writePersonasPage(personas) },
  {
    path: "api/model-manifest.schema.json",
    write: () => `${JSON.stringify({ $schema: jsonSchemaDialect, ...manifestSchema }, null, 2)}\n`,
  },
  { path: "src/judging/document/decision/models/catalogue.generated.json", write: writeShippedCatalogue },
  { path: "api/document-models.md", write: () => writeModelsPage(readDocumentModels()) },
  {
    path: "api/document-model.schema.json",
    write: () => `${JSON.stringify({ $schema: jsonSchemaDialect, ...documentModelSchema }, null, 2)}\n`,
  },
  {
    path: "api/evidence-bundle.schema.json",
    write: () => `${JSON.stringify({ $schema: jsonSchemaDialect, ...contentSchema }, null, 2)}\n`,
  },
  {
    path: "docs/promises.md",
    write: () => writePromisesPage(readPromises(read("docs/promises.yaml") ?? ""), readTests),
  },
  { path: "api/sealing.js", write: writeSealingModule },
  { path: "api/verify-event.js", write: writeVerifyModule },
  { path: "api/widget/idem.js", write: () => writeWidgetModule("idem") },
  { path: "api/widget/capture-page.js", write: () => writeWidgetModule("capture-page") },
  { path: "api/widget/demo-page.js", write: () => writeWidgetModule("demo-page") },
  { path: "api/widget/worker.js", write: () => writeWidgetModule("worker") },
  ...eventSamples().map(({ path, text }) => ({ path, write: () => text })),
  ...sqlPages,
];

const isCheck = process.argv.includes("--check");
const different: string[] = [];
for (const { path, write } of goldenFiles) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  const text = await write();
  if (read(path) !== text) {
    different.push(path);
    if (!isCheck) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
}

for (const path of different) console.log(isCheck ? `differs: ${path}` : `written: ${path}`);
if (isCheck && different.length > 0) {
  console.error("Run `npm run golden` and commit the result.");
  process.exitCode = 1;
}
