import type { FailureCode } from "#contract/failure";
import type { Json } from "#contract/json";
import type { ReasonCode } from "#contract/reason-code";
import type { VerificationStatus } from "#contract/verification-code";
import type { DocumentHistory } from "#judging/document/decision/history/history";
import type { DocumentPolicy } from "#judging/document/decision/policy";
import type { DocumentReading } from "#judging/document/reading/reading";
import type { MeasuredImage } from "#judging/face/measurement";
import type { PersonaDrawing } from "../specimen/persona-images.ts";

/** A drawing of the specimen generator. */
export type Drawing = PersonaDrawing;

/** What a document is judged by beside its images: each part takes the place of what the service holds. */
export type SteeredDocument = {
  /** The answers of history checks, watchlists and registries. */
  readonly history?: DocumentHistory;
  readonly policy?: Partial<DocumentPolicy>;
  /** The number of the submission, from 1. */
  readonly attempt?: number;
  /** A finding with this code, of the strongest consequence that the code may have alone, or of this one. */
  readonly finding?: { readonly code: ReasonCode; readonly consequence?: "decline" | "resubmit" | "review" };
  /** The decision that an external provider would report: for what no finding of this service may cause. */
  readonly reported?: { readonly status: VerificationStatus; readonly code: ReasonCode | null };
};

/**
 * What a mark changes. `face` and `reading` change a measurement, and `document` the facts beside it: the
 * judges decide as always. `failure` and `delay` stand for an outage.
 */
export type Steering =
  | { readonly kind: "face"; readonly change: (measured: MeasuredImage) => MeasuredImage }
  | { readonly kind: "unlicensed" }
  | { readonly kind: "reading"; readonly change: (reading: DocumentReading) => DocumentReading }
  | { readonly kind: "document"; readonly of: SteeredDocument }
  | { readonly kind: "failure"; readonly code: FailureCode; readonly at: "inspect" | "measure" }
  | { readonly kind: "delay"; readonly ms: number };

export type PersonaImage = {
  readonly drawing: Drawing;
  /** If absent, the engines judge the image as any other. */
  readonly steering?: Steering;
};

/** The tables of codes that personas cover. */
export const codeTables = [
  "facial",
  "liveness",
  "authenticateUser",
  "updateUserTemplate",
  "verification",
  "scan",
  "reason",
  "padDecision",
  "padReason",
  "civil",
  "event",
  "facialEvent",
  "livenessEvent",
  "finishedStatus",
  "callback",
  "outage",
  "delivery",
] as const;

export type CodeTable = (typeof codeTables)[number];

/** A value of a code table that the calls of a persona produce. */
export type Produced = { readonly table: CodeTable; readonly value: number | string };

/** A call of a persona. `{run}` in a text stands for an id of the caller's choice, new for each run. */
export type PersonaCall = {
  /** Unique within the persona. */
  readonly name: string;
  /** Name of the route. */
  readonly route: string;
  readonly fields: Readonly<Record<string, Json>>;
  /** Images of the persona by the field that takes them, in Base64. */
  readonly images?: Readonly<Record<string, string>>;
  /** Values of earlier answers: the field, the name of the call, and the member of its answer. */
  readonly taken?: readonly { readonly field: string; readonly from: string; readonly member: string }[];
  /** Sent again while this member of the answer has this value. */
  readonly repeatedWhile?: { readonly member: string; readonly value: string | number };
  /** Members of the answer, with their values. A member of JSON in a text is read. */
  readonly expected: Readonly<Record<string, Json>>;
  /** The code of a field in `civilDataValidation` of the answer. */
  readonly civil?: { readonly field: string; readonly code: string };
  /** Reason codes that the answer states, in front or further. */
  readonly reasons?: readonly number[];
  /** Status of the answer; 200 by default. */
  readonly status?: number;
};

/** A named subject of tests: its images, the calls that send them, and what the calls produce. */
export type Persona = {
  readonly name: string;
  /** What the images show, or what happens. */
  readonly story: string;
  readonly produces: readonly Produced[];
  readonly images: Readonly<Record<string, PersonaImage>>;
  readonly calls: readonly PersonaCall[];
  /** What steers beside the images, in words; absent where no call steers. */
  readonly steeredBy?: string;
};

/**
 * Who decides on the result: the engines on what the images show, or a steered measurement, fact or outage.
 */
export const judgedBy = ({ images, steeredBy }: Persona): "engines" | "steered" =>
  steeredBy !== undefined || Object.values(images).some(({ steering }) => steering !== undefined)
    ? "steered"
    : "engines";
