import { isReasonCode, type ReasonCode, reasons, reasonText } from "#contract/reason-code";
import type { VerificationStatus } from "#contract/verification-code";
import type { Persona, SteeredDocument } from "../persona.ts";
import { cardPersonas } from "./cards.ts";
import { documentPersonas, steeredDocument } from "./documents.ts";

const ages = [
  [13, 530],
  [14, 531],
  [16, 532],
  [18, 533],
  [20, 534],
  [21, 535],
  [25, 536],
] as const;

const youngPersonas: readonly Persona[] = ages.map(([ageYearsMin, code]) =>
  steeredDocument(
    `under-${ageYearsMin}`,
    `The passport of a child. The mark sets a policy that requires an age of ${ageYearsMin}.`,
    { status: "Declined", reasons: [code] },
    { policy: { ageYearsMin } },
    "a passport of a child",
  ),
);

const policyPersonas: readonly Persona[] = [
  steeredDocument(
    "country-not-served",
    "A genuine passport. The mark sets a policy that serves another country alone.",
    { status: "Declined", reasons: [510] },
    { policy: { countries: ["PER"] } },
  ),
  steeredDocument(
    "portrait-limit",
    "A covered portrait at the tenth attempt, which the mark sets.",
    { status: "Declined", reasons: [539, 537] },
    { attempt: 10 },
    "a passport with a covered portrait",
  ),
  steeredDocument(
    "mrz-limit",
    "A covered MRZ at the tenth attempt, which the mark sets.",
    { status: "Declined", reasons: [539, 540] },
    { attempt: 10 },
    "a passport with a covered MRZ",
  ),
];

type Row = readonly [
  name: string,
  what: string,
  status: VerificationStatus,
  code: ReasonCode,
  steered: SteeredDocument,
];

const historyRows: readonly Row[] = [
  ["listed", "the operator listed its number", "Declined", 106, { history: { listed: ["documentNumber"] } }],
  [
    "too-often",
    "its number came twice where the policy allows one attempt",
    "Review",
    107,
    { history: { attempts: 2 }, policy: { velocity: { attemptsMax: 1, hours: 24 } } },
  ],
  [
    "registered-user",
    "its portrait is that of another registered user",
    "Review",
    108,
    { history: { registeredFace: { match: "sure", isForbidden: false } } },
  ],
  [
    "number-of-another",
    "its number is another customer's",
    "Review",
    110,
    { history: { numberOfAnother: true } },
  ],
  [
    "reference-differs",
    "its portrait is not the registered user's",
    "Review",
    120,
    { history: { reference: "other" } },
  ],
  [
    "user-unnamed",
    "the policy requires a user, and none is named",
    "Declined",
    121,
    { history: { reference: "unnamed" } },
  ],
  [
    "user-unregistered",
    "the policy requires a registered user",
    "Declined",
    122,
    { history: { reference: "unregistered" } },
  ],
  [
    "registry-differs",
    "the civil registry has other data",
    "Declined",
    123,
    { history: { registry: "differs" } },
  ],
  [
    "face-in-collection",
    "its portrait is registered, and duplicates are refused",
    "Review",
    124,
    { history: { registeredFace: { match: "sure", isForbidden: true } } },
  ],
  [
    "exposed-person",
    "its holder has the name of an exposed person",
    "Review",
    126,
    { history: { exposed: { matches: { count: 1 }, list: "persona" } } },
  ],
  [
    "face-blocked",
    "its portrait is on the block list",
    "Declined",
    127,
    { history: { blockedFace: "sure" } },
  ],
  [
    "registry-silent",
    "the civil registry does not answer",
    "Review",
    544,
    { history: { registry: "silent" } },
  ],
];

const historyPersonas: readonly Persona[] = historyRows.map(([name, what, status, code, steered]) =>
  steeredDocument(name, `A genuine passport. By its mark ${what}.`, { status, reasons: [code] }, steered),
);

const statuses = { decline: "Declined", resubmit: "Resubmission", review: "Review" } as const;

const statusOf = (code: ReasonCode): VerificationStatus => {
  const { alone } = reasons[code];
  if (alone === "never") return code < 600 ? "Declined" : "Resubmission";
  return statuses[alone];
};

/**
 * Reasons that no check of this service states: a finding of the mark states them, or a reported decision.
 */
const statedPersona = (code: ReasonCode): Persona => {
  const status = statusOf(code);
  const isReported = reasons[code].alone === "never";
  return steeredDocument(
    `reason-${code}`,
    isReported
      ? `A genuine passport. The mark reports the decision of a provider: ${reasonText(code)}.`
      : `A genuine passport. The mark adds a finding: ${reasonText(code)}.`,
    { status, reasons: [code] },
    isReported ? { reported: { status, code } } : { finding: { code } },
  );
};

const reached = [
  ...documentPersonas,
  ...cardPersonas,
  ...youngPersonas,
  ...policyPersonas,
  ...historyPersonas,
].flatMap(({ produces }) => produces.flatMap(({ table, value }) => (table === "reason" ? [value] : [])));

const statedPersonas: readonly Persona[] = Object.keys(reasons)
  .map(Number)
  .filter(isReasonCode)
  .filter((code) => !reached.includes(code))
  .map(statedPersona);

const statePersonas: readonly Persona[] = [
  steeredDocument(
    "started",
    "A validation that has only begun, as a provider reports it. This service has its images from the start.",
    { status: "Started" },
    { reported: { status: "Started", code: null } },
  ),
  steeredDocument(
    "abandoned",
    "A validation that waited for seven days, by its mark.",
    { status: "Expired/Abandoned" },
    { reported: { status: "Expired/Abandoned", code: null } },
  ),
];

/** Personas of the reason codes and states that images alone do not reach. */
export const reasonPersonas: readonly Persona[] = [
  ...youngPersonas,
  ...policyPersonas,
  ...historyPersonas,
  ...statedPersonas,
  ...statePersonas,
];
