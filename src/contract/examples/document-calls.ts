import {
  startValidationRoute,
  startValidationV1Route,
  validationDataRoute,
  validationDataV1Route,
  validationStatusRoute,
  validationStatusV1Route,
} from "../document-validation.routes.ts";
import { exampleScanReference } from "../example.ts";
import { extractDocumentDataRoute, extractDocumentDataWebRoute } from "../ocr.routes.ts";
import { padDiagnosticRoute } from "../pad.routes.ts";
import type { ExampleCall } from "./example-call.ts";
import { exampleImages } from "./images.ts";

const { passport, contradictoryPassport } = exampleImages;
const declared = { country: "CHL", idType: "PASSPORT" } as const;

const extractions: readonly ExampleCall[] = [
  {
    name: "passportOfCapture",
    route: extractDocumentDataRoute,
    summary: "The open image of a drawn passport in the place of a token, as a test key may send it.",
    fields: { tokenOcr: passport },
  },
  {
    name: "passportFields",
    route: extractDocumentDataWebRoute,
    summary: "The open image of a drawn passport in the place of a token. A passport needs no back.",
    fields: { tokenFrontDocument: passport, countryCode: "PSP", decompose: false },
  },
];

const referenceOf = (from: string) =>
  ({
    fields: { scanReference: exampleScanReference },
    taken: [{ field: "scanReference", from, member: "scanReference" }],
    alone: "not_found",
  }) as const;

const untilDecided = { member: "status", value: "PENDING" } as const;

const validations: readonly ExampleCall[] = [
  {
    name: "passport",
    route: startValidationRoute,
    summary: "A drawn passport whose MRZ is valid.",
    fields: { ...declared, documentFrontRawImage: passport, merchantIdScanReference: "order-4711" },
  },
  {
    name: "passportStatus",
    route: validationStatusRoute,
    summary: "The state of the validation of a passport. Ask again while it is PENDING.",
    ...referenceOf("passport"),
    repeatedWhile: untilDecided,
  },
  {
    name: "passportData",
    route: validationDataRoute,
    summary: "The decision on a passport whose MRZ is valid.",
    ...referenceOf("passport"),
  },
  {
    name: "contradictory",
    route: startValidationRoute,
    summary: "A drawn passport whose birth date does not fit its check digit.",
    fields: {
      ...declared,
      documentFrontRawImage: contradictoryPassport,
      merchantIdScanReference: "order-4712",
    },
  },
  {
    name: "contradictoryStatus",
    route: validationStatusRoute,
    summary: "The state of the validation of a contradictory passport.",
    ...referenceOf("contradictory"),
    repeatedWhile: untilDecided,
  },
  {
    name: "contradictoryData",
    route: validationDataRoute,
    summary: "The decision on a contradictory passport: a person decides.",
    ...referenceOf("contradictory"),
  },
];

const firstVersion: readonly ExampleCall[] = [
  {
    name: "passportV1",
    route: startValidationV1Route,
    summary: "A drawn passport whose MRZ is valid.",
    fields: { ...declared, frontsideImage: passport, merchantIdScanReference: "order-4713" },
  },
  {
    name: "passportStatusV1",
    route: validationStatusV1Route,
    summary: "The state of the validation of a passport. Ask again while it is PENDING.",
    ...referenceOf("passportV1"),
    repeatedWhile: untilDecided,
  },
  {
    name: "passportDataV1",
    route: validationDataV1Route,
    summary: "The decision on a passport whose MRZ is valid.",
    ...referenceOf("passportV1"),
  },
];

const diagnostic: ExampleCall = {
  name: "diagnostic",
  route: padDiagnosticRoute,
  summary: "A drawn passport. It has no back, so its page is sent twice.",
  fields: {
    frontSideImage: passport,
    backSideImage: passport,
    tokenized: false,
    countryCode: "CHL",
    idType: "PASSPORT",
  },
};

/** Examples of the document services, in an order that works. */
export const documentCalls: readonly ExampleCall[] = [
  ...extractions,
  ...validations,
  ...firstVersion,
  diagnostic,
];
