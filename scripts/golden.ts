// Writes the files that are made from code and committed; --check compares them and names each that differs.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { routes } from "../src/contract/routes.ts";
import { writeModelsPage } from "../src/document/http/models-page.ts";
import { documentModelSchema } from "../src/document/models/document-model.ts";
import { readDocumentModels } from "../src/document/models/read-models.ts";
import { defaultDocumentPolicy } from "../src/document/policy.ts";
import { writeReasonPage } from "../src/document/reason-page.ts";
import { writeQualityPage } from "../src/face/attributes/quality-page.ts";
import { writeLivenessPage } from "../src/face/liveness/liveness-page.ts";
import { defaultFacePolicy } from "../src/face/policy.ts";
import { writeErrorsPage } from "../src/http/errors-page.ts";
import { toYaml, writeOpenApi } from "../src/http/openapi.ts";
import { manifestSchema } from "../src/models/manifest.ts";
import { writeSealingModule } from "./sealing-module.ts";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

const jsonSchemaDialect = "http://json-schema.org/draft-07/schema#";

/** Path from the project's root, and how the file is made. */
const goldenFiles: readonly { readonly path: string; readonly write: () => string | Promise<string> }[] = [
  {
    path: "api/openapi.yaml",
    write: () => toYaml(writeOpenApi(routes, version)),
  },
  { path: "api/errors.md", write: () => writeErrorsPage(routes) },
  { path: "api/reason-codes.md", write: () => writeReasonPage(defaultDocumentPolicy) },
  { path: "api/liveness-results.md", write: () => writeLivenessPage(defaultFacePolicy) },
  { path: "api/face-quality.md", write: writeQualityPage },
  {
    path: "api/model-manifest.schema.json",
    write: () => `${JSON.stringify({ $schema: jsonSchemaDialect, ...manifestSchema }, null, 2)}\n`,
  },
  { path: "api/document-models.md", write: () => writeModelsPage(readDocumentModels()) },
  {
    path: "api/document-model.schema.json",
    write: () => `${JSON.stringify({ $schema: jsonSchemaDialect, ...documentModelSchema }, null, 2)}\n`,
  },
  { path: "api/sealing.js", write: writeSealingModule },
];

const read = (file: string): string | undefined => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
};

const isCheck = process.argv.includes("--check");
const different: string[] = [];
for (const { path, write } of goldenFiles) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  const text = await write();
  if (read(file) !== text) {
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
