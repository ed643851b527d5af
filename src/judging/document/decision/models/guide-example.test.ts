import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { printed } from "#support/document/printed-lines";
import { labelReaderOf, readVizFields } from "../viz/read-viz-fields.ts";
import { lintModel } from "./lint-model.ts";
import { readDocumentModels } from "./read-models.ts";

const guide = readFileSync(
  new URL("../../../../../docs/guides/extend/document-models.md", import.meta.url),
  "utf8",
);
const [, example = ""] = /^```yaml\n(.*?)^```$/ms.exec(guide) ?? [];

it("the guide's model lints without a problem, and reads a card that prints its labels", () => {
  const { model, problems, notes } = lintModel(example, "xxa-id-2020.yaml");
  expect(problems).toEqual([]);
  expect(notes).toEqual(["/fields: unconfirmed, so never missed: address"]);
  const lines = printed(
    [0.2, 0.04, "REPUBLICA DE EJEMPLO"],
    [0.36, 0.2, "Apellidos / Surname"],
    [0.36, 0.25, "SOLÍS"],
    [0.36, 0.3, "PRUEBA"],
    [0.36, 0.4, "Nombres / Given names"],
    [0.36, 0.45, "ANA MARÍA"],
    [0.36, 0.55, "Documento N°"],
    [0.36, 0.6, "12345678"],
    [0.36, 0.7, "Fecha de nacimiento"],
    [0.36, 0.75, "01 ENE 1990"],
  );
  const { fields } = readVizFields(model!, "front", lines, "2026-11-21", labelReaderOf(readDocumentModels()));
  expect(Object.fromEntries(fields.map(({ name, value }) => [name, value]))).toEqual({
    lastName: "SOLÍS PRUEBA",
    firstName: "ANA MARÍA",
    documentNumber: "12345678",
    dateOfBirth: "1990-01-01",
  });
});
