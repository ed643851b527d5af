import { Type } from "typebox";
import { type Route, route } from "./endpoint.ts";
import { envelopeFields } from "./envelope.ts";
import { pdfFailures } from "./signing.routes.ts";
import { choice, file, nullableText, personalText, time } from "./wire.ts";

const sha256 = (description: string) =>
  Type.String({ description, examples: ["0123456789abcdef".repeat(4)] });

const nullableTime = (description: string) =>
  Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
    description,
    examples: ["2031-11-21T09:30:00.000Z"],
  });

const plain = (description: string, example: string) => Type.String({ description, examples: [example] });

const bytes = (description: string) => Type.Integer({ minimum: 0, description, examples: [120_000] });

const yesOrNo = (description: string) => Type.Boolean({ description, examples: [true] });

const signatureVerdict = choice(
  ["valid", "unknown_signer", "indeterminate", "invalid"],
  "valid: whole, with allowed changes alone, of a signer that leads to a root of the deployment. unknown_signer: the same without " +
    "such a root. indeterminate: nothing is broken, but something is not proven. invalid: broken or changed.",
);

const reason = Type.Object({
  code: plain("Stable code. New ones are added freely.", "digest_differs"),
  text: plain("The reason in words.", "The signed bytes were changed."),
});

const change = Type.Object({
  kind: choice(
    [
      "validation_data",
      "timestamp",
      "metadata",
      "signature",
      "form_filling",
      "annotation",
      "attachment",
      "content",
    ],
    "Kind of the change.",
  ),
  what: plain("The page, field or entry that changed.", "document time-stamp"),
  field: nullableText(undefined, "Full name of the field that was filled or signed; else null."),
  judgement: choice(
    ["allowed", "doubtful", "forbidden"],
    "Whether the signature allows it. doubtful: no rule of the file allows or refuses it.",
  ),
});

const certificate = Type.Object({
  name: personalText("identity", "Subject.", { examples: ["CN=Signer"] }),
  issuer: plain("Issuer.", "CN=Authority"),
  serial: plain("Serial number, hex.", "01ab"),
  sha256: sha256("SHA-256 of the certificate, hex."),
  validFrom: time("Start of its validity."),
  validTo: time("End of its validity."),
});

const stamp = Type.Object({
  at: time("The time that it states."),
  authority: nullableText(undefined, "Subject of the authority's certificate."),
  isWhole: yesOrNo("Whether it is intact and covers the signature."),
  isProof: yesOrNo("Whether it proves its time."),
  doubt: nullableText(undefined, "Why it proves no time; null where it does.", null),
});

const coverage = Type.Object({
  scope: choice(
    ["whole_file", "revision", "partial"],
    "revision: a complete earlier state of the file. partial: bytes that are no complete state.",
  ),
  bytes: bytes("Bytes from the start of the file up to the end of what it signs."),
});

const profile = Type.Object({
  level: Type.Union(
    [choice(["PAdES-B-LTA", "PAdES-B-LT", "PAdES-B-T", "PAdES-B-B"], "Level of PAdES."), Type.Null()],
    { description: "Level of PAdES (ETSI EN 319 142-1); null for none.", examples: ["PAdES-B-LTA"] },
  ),
  reasons: Type.Array(Type.String(), { description: "Why the level is not higher.", examples: [[]] }),
});

const chain = Type.Object({
  trust: choice(
    ["trusted", "unknown", "out_of_time", "unfit"],
    "Whether the signer's certificate leads to a root of the deployment, at the proven time and for this use.",
  ),
  names: Type.Array(Type.String(), {
    description: "Subjects from the signer up.",
    examples: [["CN=Signer", "CN=Authority"]],
  }),
  revocation: choice(
    ["good", "not_asked", "unknown", "revoked"],
    "What the file states on the revocation of the chain. not_asked: there was no chain to ask for.",
  ),
  revokedAt: nullableTime("When a certificate of the chain was revoked; else null."),
});

const claimed = Type.Object(
  {
    at: nullableTime("Time of signing; null where the file states none that can be read."),
    name: nullableText("identity", "Name of the signer."),
    reason: nullableText(undefined, "Reason."),
    location: nullableText("contact", "Place."),
    contact: nullableText("contact", "Contact."),
  },
  { description: "What the signer claims. Nothing proves it." },
);

const signature = Type.Object({
  field: plain("Full name of its field.", "Signature1"),
  kind: choice(["signature", "timestamp"], "A signature, or a document time-stamp."),
  format: nullableText(undefined, "The SubFilter, as written.", "ETSI.CAdES.detached"),
  verdict: signatureVerdict,
  reasons: Type.Array(reason, { description: "Why the verdict is not valid.", examples: [[]] }),
  integrity: choice(["intact", "broken", "unchecked"], "Whether the signed bytes and the signature fit."),
  coverage,
  changes: Type.Array(change, { description: "What changed after it." }),
  certification: Type.Union([Type.Integer({ minimum: 1, maximum: 3 }), Type.Null()], {
    description:
      "What a certification allows later: 1 nothing, 2 forms, 3 annotations too; null for no certification.",
    examples: [null],
  }),
  profile,
  signer: Type.Union([certificate, Type.Null()], {
    description: "Certificate of the signer; null where the file holds none.",
    examples: [
      {
        name: "CN=Signer",
        issuer: "CN=Authority",
        serial: "01ab",
        sha256: "0123456789abcdef".repeat(4),
        validFrom: "2026-01-01T00:00:00.000Z",
        validTo: "2029-01-01T00:00:00.000Z",
      },
    ],
  }),
  chain,
  stamps: Type.Array(stamp, { description: "Time-stamps over the signature itself." }),
  claimed,
  provenAt: nullableTime("The earliest time at which a time-stamp proves that it existed; null for none."),
  provableUntil: nullableTime("Until when that can be proven; null where it cannot be."),
});

const envelope = envelopeFields("verifySignature");

/** POST /services/verifySignature: beside the interface. */
export const verifySignatureRoute = route({
  name: "verifySignature",
  method: "POST",
  path: "/services/verifySignature",
  scope: "signing",
  tag: "Signing",
  cost: 4,
  summary: "Verifies the signatures of a PDF",
  description:
    "Beyond the interface. Judges every signature and document time-stamp of any PDF: what it covers, what changed afterwards, its " +
    "PAdES level, who signed, when, and until when that can be proven. Roots of trust are those of the deployment " +
    "(IDEM_SIGNING_ROOTS and the time-stamp authorities'). No server is asked: the file alone decides. The file is not kept.",
  request: Type.Object({ file: file("document", "PDF to verify.") }),
  response: Type.Object({
    serviceTransactionId: envelope.serviceTransactionId,
    serviceResultCode: envelope.serviceResultCode,
    serviceResultLog: envelope.serviceResultLog,
    serviceTime: envelope.serviceTime,
    timestamp: envelope.timestamp,
    verdict: choice(
      ["valid", "unknown_signer", "indeterminate", "invalid", "unsigned"],
      "The worst of the verdicts; unsigned: the file holds no signature.",
    ),
    fileBytes: bytes("Bytes of the file."),
    sha256: sha256("SHA-256 of the file, hex."),
    signatures: Type.Array(signature, { description: "In the order in which they were made." }),
    removed: Type.Array(Type.String(), {
      description:
        "Fields whose signature stands in an earlier state of the file and in the last one no more.",
      examples: [[]],
    }),
  }),
  failures: [...pdfFailures.filter((code) => code !== "pdf_needs_password"), "engine_busy", "engine_failed"],
});

/** In the order of the docs page. */
export const verifySignatureRoutes: readonly Route[] = [verifySignatureRoute];
