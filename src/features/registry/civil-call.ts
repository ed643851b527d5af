/** The call of a civil validation: what it asks, and the ports that answer it. */
import type { Call } from "#contract/endpoint";
import type { FacialAuthenticationNumber } from "#contract/facial-authentication";
import type { Json } from "#contract/json";
import type { Outcome } from "#contract/outcome";
import type { CivilDocument, CivilReader } from "#judging/document/http/civil-document";
import type { DocumentImages } from "#judging/document/reading/read-document";
import type { StartValidation } from "#judging/document/validation/start-validation";
import type { PhotoFaces } from "#judging/face/compare-with-photo";
import type { HashAuthentication } from "#record/transactions/authentication-hash";
import type { RecordCall } from "#record/transactions/record-call";
import type { OpenToken } from "#trust/tokens/token";
import type { AskDeps } from "./ask-registry.ts";
import type { ComparedValue } from "./compare-person.ts";
import type { RegistryCountry, RegistryPerson } from "./registry.ts";

/** What a caller asks; Base64 is decoded, and an empty text is absent. */
export type CivilRequest = {
  readonly operation: "FACIAL" | "DATA" | "FULL";
  readonly platform: "WEB" | "MOBILE";
  readonly countryCode?: RegistryCountry;
  readonly documentNumber?: string;
  readonly documentCode?: string;
  readonly gender?: "M" | "F";
  readonly images?: DocumentImages;
  readonly tokenOcr?: Uint8Array;
  readonly templateRaw?: Uint8Array;
  readonly bestImage?: Uint8Array;
  readonly startsValidation: boolean;
  readonly returnsPersonalData: boolean;
};

export type CivilCall = Pick<
  Call<unknown>,
  "caller" | "transactionId" | "receivedAt" | "signal" | "appName" | "tracking" | "family" | "deferCommit"
>;

/** The answer; a part that was not asked for is absent. */
export type CivilAnswer = {
  readonly isKnown: boolean;
  readonly values?: readonly ComparedValue[];
  readonly face?: {
    readonly result: FacialAuthenticationNumber;
    readonly similarity: number;
    readonly hash?: string;
  };
  readonly document?: { readonly [key: string]: Json };
  readonly person?: RegistryPerson["fields"];
  readonly validation?: { readonly scanReference: string; readonly type: string };
  readonly outcome: Outcome;
};

/** Dependencies of {@link makeCivilValidation}; src/app/registry.ts joins them. */
export type CivilDeps = AskDeps & {
  readonly openToken: OpenToken;
  readonly documents: CivilReader;
  readonly faces: PhotoFaces;
  readonly startValidation: StartValidation;
  readonly recordCall: RecordCall;
  readonly hashAuthentication: HashAuthentication;
};

/** The document of a call: its images, and its values where it was read. */
export type CapturedDocument = {
  readonly images: DocumentImages;
  readonly countryCode?: string;
  readonly tokens: readonly Awaited<ReturnType<OpenToken>>[];
  readonly read?: CivilDocument;
};
