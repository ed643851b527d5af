import type { documentTypesV2 } from "#contract/document-type";
import type { ReasonCode } from "#contract/reason-code";
import { type VerificationStatus, verificationCode } from "#contract/verification-code";
import type { AlteredPassportName } from "../../specimen/altered-passports.ts";
import type { Drawing, Persona, PersonaCall, Produced, SteeredDocument, Steering } from "../persona.ts";

export type Declared = { readonly country: string; readonly idType: (typeof documentTypesV2)[number] };

const passportOfChile: Declared = { country: "CHL", idType: "PASSPORT" };

export const passport = (name: AlteredPassportName): Drawing => ({ kind: "passport", name });

/** Starts a validation of the image `front`. */
const startCall = ({ country, idType }: Declared): PersonaCall => ({
  name: "start",
  route: "startDocumentValidation",
  fields: {
    country,
    idType,
    merchantIdScanReference: "persona-{run}",
    tracking: { operationId: "persona-{run}" },
  },
  images: { documentFrontRawImage: "front" },
  expected: {},
});

const scanTaken = [{ field: "scanReference", from: "start", member: "scanReference" }] as const;

type Decided = {
  readonly status: VerificationStatus;
  /** Every reason that the answer states, in front or further. */
  readonly reasons?: readonly ReasonCode[];
};

const dataCall = ({ status, reasons = [] }: Decided): PersonaCall => ({
  name: "data",
  route: "documentValidationData",
  fields: {},
  taken: scanTaken,
  repeatedWhile: { member: "verification.code", value: verificationCode.Submitted },
  expected: {
    "verification.code": verificationCode[status],
    "verification.status": status,
    ...(reasons.length === 0 && { "verification.reasonCode": null }),
  },
  ...(reasons.length > 0 && { reasons }),
});

const producedBy = ({ status, reasons = [] }: Decided): readonly Produced[] => [
  { table: "verification", value: verificationCode[status] },
  ...reasons.map((value): Produced => ({ table: "reason", value })),
];

export type Validated = Decided & {
  readonly name: string;
  readonly story: string;
  readonly drawing: Drawing;
  readonly declared?: Declared;
  readonly steering?: Steering;
};

/** A persona whose document is validated. */
export const validated = ({
  name,
  story,
  drawing,
  declared = passportOfChile,
  steering,
  ...decided
}: Validated): Persona => ({
  name,
  story,
  produces: [...producedBy(decided), { table: "scan", value: "DONE" }],
  images: { front: { drawing, ...(steering && { steering }) } },
  calls: [startCall(declared), dataCall(decided)],
});

/** A document whose images the engines judge. */
const drawn = (
  name: string,
  story: string,
  image: AlteredPassportName,
  status: VerificationStatus,
  reasons: readonly ReasonCode[],
  declared?: Declared,
): Persona =>
  validated({
    name: `document-${name}`,
    story,
    drawing: passport(image),
    status,
    reasons,
    ...(declared && { declared }),
  });

const captureFaults: readonly Persona[] = [
  drawn("thumbnail", "A passport of 200 pixels.", "a thumbnail of a passport", "Resubmission", [204]),
  drawn(
    "compressed",
    "A passport of JPEG quality 40.",
    "a passport compressed too much",
    "Resubmission",
    [204],
  ),
  drawn("two", "Two passports in one image.", "two passports in one image", "Resubmission", [642]),
  drawn(
    "cut-left",
    "A passport whose left side is missing.",
    "a passport cut on the left",
    "Resubmission",
    [614],
  ),
  drawn(
    "cut-right",
    "A passport whose right side is missing.",
    "a passport cut on the right",
    "Resubmission",
    [614],
  ),
  drawn("cut-top", "A passport whose top is missing.", "a passport cut at the top", "Resubmission", [614]),
  drawn(
    "portrait-covered",
    "A sheet lies over the portrait.",
    "a passport with a covered portrait",
    "Resubmission",
    [643],
  ),
  drawn("mrz-covered", "A sheet lies over the MRZ.", "a passport with a covered MRZ", "Resubmission", [645]),
  drawn("closed", "A closed passport.", "a closed passport", "Resubmission", [657]),
  drawn(
    "no-birth-date",
    "The MRZ states a birth in month 13.",
    "a passport born in month 13",
    "Resubmission",
    [627],
  ),
  drawn(
    "no-expiry-date",
    "The MRZ states an expiry in month 13.",
    "a passport that ends in month 13",
    "Resubmission",
    [629],
  ),
  drawn(
    "no-number",
    "The MRZ has fillers in place of the number.",
    "a passport without a number",
    "Resubmission",
    [631],
  ),
  drawn(
    "declared-visa",
    "A passport that is declared as a visa.",
    "a genuine passport",
    "Resubmission",
    [602],
    {
      country: "CHL",
      idType: "VISA",
    },
  ),
];

const doubtful: readonly Persona[] = [
  drawn("expired", "A passport that has expired.", "an expired passport", "Declined", [511]),
  drawn(
    "check-digit",
    "A digit of the MRZ does not fit its check digit.",
    "a passport with a wrong check digit",
    "Review",
    [507],
  ),
  drawn(
    "unknown-issuer",
    "The MRZ names an issuer that ICAO does not know.",
    "a passport of an unknown issuer",
    "Review",
    [507],
    {
      country: "NLD",
      idType: "PASSPORT",
    },
  ),
  drawn("utopia", "A specimen of Utopia, as ICAO prints it.", "a passport of Utopia", "Review", [508], {
    country: "UTO",
    idType: "PASSPORT",
  }),
  drawn("grey-copy", "A black-and-white copy of a passport.", "a grey copy", "Review", [505]),
  drawn("screen", "A passport on a screen.", "a passport on a screen", "Review", [504]),
  drawn(
    "screen-from-afar",
    "A passport on a screen, from afar.",
    "a passport on a screen from afar",
    "Resubmission",
    [636],
  ),
  drawn("grey-screen", "A grey copy on a screen.", "a grey copy on a screen", "Review", [505, 504, 503, 501]),
  drawn(
    "rewritten",
    "The birth date is painted over and written again; the print is pale.",
    "a passport with a rewritten birth date",
    "Review",
    [102, 505, 501],
  ),
  drawn(
    "other-portrait",
    "The portrait comes from another camera.",
    "a passport with another portrait",
    "Review",
    [506],
  ),
];

/** Documents that the engines judge. */
const drawnPersonas: readonly Persona[] = [
  drawn("approved", "A genuine passport.", "a genuine passport", "Approved", []),
  ...captureFaults,
  ...doubtful,
];

/** A genuine passport with facts of the mark beside it. */
export const steeredDocument = (
  name: string,
  story: string,
  decided: Decided,
  of: SteeredDocument,
  image: AlteredPassportName = "a genuine passport",
): Persona =>
  validated({
    name: `document-${name}`,
    story,
    drawing: passport(image),
    steering: { kind: "document", of },
    ...decided,
  });

const submitted: Persona = {
  name: "document-slow",
  story:
    "A genuine passport whose analysis takes ten seconds longer, by its mark: the status is PENDING until then.",
  produces: [
    { table: "verification", value: verificationCode.Submitted },
    { table: "scan", value: "PENDING" },
    { table: "outage", value: "delay" },
  ],
  images: { front: { drawing: passport("a genuine passport"), steering: { kind: "delay", ms: 10_000 } } },
  calls: [
    startCall(passportOfChile),
    {
      name: "status",
      route: "documentValidationStatus",
      fields: {},
      taken: scanTaken,
      expected: { status: "PENDING" },
    },
    {
      name: "submitted",
      route: "documentValidationData",
      fields: {},
      taken: scanTaken,
      expected: { "verification.code": verificationCode.Submitted, "verification.status": "Submitted" },
    },
    dataCall({ status: "Approved" }),
  ],
};

const failed: Persona = {
  name: "document-failed",
  story: "A genuine passport whose analysis fails three times, by its mark.",
  produces: [
    { table: "scan", value: "FAILED" },
    { table: "reason", value: 648 },
  ],
  images: {
    front: {
      drawing: passport("a genuine passport"),
      steering: { kind: "failure", code: "upstream_failed", at: "measure" },
    },
  },
  calls: [
    startCall(passportOfChile),
    { ...dataCall({ status: "Resubmission", reasons: [648] }), name: "data" },
    {
      name: "status",
      route: "documentValidationStatus",
      fields: {},
      taken: scanTaken,
      expected: { status: "FAILED" },
    },
  ],
};

/** Personas of document validation that images reach, and those of its states. */
export const documentPersonas: readonly Persona[] = [...drawnPersonas, submitted, failed];
