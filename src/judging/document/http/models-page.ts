import type { DocumentModels } from "../decision/models/catalogue.ts";
import type { DocumentModel, ModelField } from "../decision/models/document-model.ts";
import { groupedName, labelKey } from "./field-names.ts";

/** The page of every document model with its fields, in Markdown: a pure function of the catalogue. */
export const writeModelsPage = ({ national, generic }: DocumentModels): string =>
  [
    ...introduction,
    ...national.map(rowOf),
    "",
    ...national.flatMap(sectionOf),
    "# Every country",
    "",
    "Read without a model of the country: `DOC_MODEL` is null.",
    "",
    ...generic.flatMap(sectionOf),
  ].join("\n");

const introduction = [
  "# Document models",
  "",
  "Written by `npm run golden` from `src/judging/document/decision/models/catalogue`. `DOC_MODEL` and `DocumentCaptured` name one of the",
  "models below where the document itself identifies it. They are null for a passport and any other document without a model,",
  "and where two generations cannot be distinguished. `SUBTYPE` names the same model; without one it is the type by the MRZ or",
  "the barcode (`PASSPORT`, `VISA`, `ID_CARD`, which may be a residence permit, `DRIVING_LICENSE`), else null. An operator's own",
  "models are named in the same way: docs/guides/extend/document-models.md. Column `sure`, the origin of a fact: O official text, L an",
  "open-source library, S press or vendor, ? unconfirmed. A fact that is ? or of a single library never declines a document.",
  "",
  "| model | document | size | issued | MRZ | barcode | chip |",
  "|---|---|---|---|---|---|---|",
];

const rowOf = ({ id, title, size, issued, mrz, barcodes, chip }: DocumentModel): string => {
  const { from, to } = issued ?? {};
  const period = from === undefined && to === undefined ? "" : `${from ?? ""} … ${to ?? ""}`.trim();
  const mrzReading = mrz === undefined ? "" : `${mrz.format} ${mrz.codes.join(", ")}, ${mrz.side}`;
  const barcodeNames = barcodes.map(
    ({ symbology, layout, side }) => `${symbology}${layout === undefined ? "" : ` (${layout})`} ${side}`,
  );
  return `| ${id} | ${title} | ${size} | ${period} | ${mrzReading} | ${barcodeNames.join(", ")} | ${chip?.interface ?? ""} |`;
};

const sectionOf = (model: DocumentModel): readonly string[] =>
  model.fields.length === 0
    ? []
    : [
        `## ${model.id}`,
        "",
        "| `FIELDS` | side | `FIELD_DATA` | labels | kind | printed | sure |",
        "|---|---|---|---|---|---|---|",
        ...model.fields.map(fieldRowOf),
        "",
      ];

const fieldRowOf = ({ name, side, labels, format, printed, sure }: ModelField): string => {
  const [label] = labels;
  const key = label === undefined ? groupedName(name) : labelKey(label);
  return `| ${groupedName(name)} | ${side} | ${key} | ${labels.join(" · ")} | ${format} | ${printed} | ${sure} |`;
};
