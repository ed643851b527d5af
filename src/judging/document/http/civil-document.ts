import { passportCountryCode } from "#contract/document-type";
import type { Json } from "#contract/json";
import type { OperationDetails } from "#record/transactions/operation-step";
import { measurementsOf } from "../decision/decide.ts";
import { detailsOfDocument } from "../decision/extract-document.ts";
import type { CollectFields } from "../decision/fields.ts";
import type { DeclaredType } from "../decision/finding.ts";
import { typesOf } from "../decision/findings/type.ts";
import type { DocumentPolicy } from "../decision/policy.ts";
import { sideContradictions } from "../decision/sides/contradiction.ts";
import { findTie } from "../decision/sides/find-tie.ts";
import { reportedValue } from "../decision/verification-record.ts";
import type { DocumentEngine } from "../reading/engine.ts";
import type { DocumentImages } from "../reading/read-document.ts";
import { type FieldName, fieldNames } from "../values/field-name.ts";
import { mobileDocument } from "./mobile-document.ts";
import { webDocument } from "./web-document.ts";

/** A document that was read for another module: its reported values, and what its call records. */
export type CivilDocument = {
  readonly values: Readonly<Partial<Record<FieldName, string>>>;
  /** By its data or its model; absent where neither is certain. */
  readonly type?: DeclaredType;
  /**
   * Its data belongs to the front, and no check of its sides is `false`: what a validation asks of an
   * approval.
   */
  readonly isTied: boolean;
  /** The fields as the services of extraction answer them. */
  readonly serviceDocument: { readonly WEB: Group; readonly MOBILE: Group };
  readonly measurements: Json;
  readonly policyVersion: string;
  readonly models: Readonly<Record<string, string>>;
  readonly operationDetails: OperationDetails;
};

type Group = { readonly [key: string]: Json };

/** What reads the documents of one environment. */
export type CivilReader = {
  readonly engine: DocumentEngine;
  readonly policy: DocumentPolicy;
  readonly collectFields: CollectFields;
};

/**
 * Reads a document and records nothing. Fails with image_unreadable | image_unsupported | image_too_large |
 * engine_busy.
 */
export const readCivilDocument = async (
  { engine, policy, collectFields }: CivilReader,
  images: DocumentImages,
  countryCode: string | undefined,
  { receivedAt, signal }: { readonly receivedAt: Date; readonly signal: AbortSignal },
): Promise<CivilDocument> => {
  const hints = countryCode === passportCountryCode ? { type: "PASSPORT" as const } : {};
  const reading = await engine.read(images, { ...hints, upright: false }, signal);
  const fields = await collectFields(reading, receivedAt, signal);
  const extracted = { reading, fields };
  const [type] = typesOf({ fields });
  return {
    values: Object.fromEntries(
      fieldNames.flatMap((name) => {
        const value = reportedValue(fields, name);
        return value === null ? [] : [[name, value]];
      }),
    ),
    ...(type !== undefined && { type }),
    isTied: sideContradictions(fields).length === 0 && findTie(fields, reading).kind !== "none",
    serviceDocument: {
      WEB: webDocument(extracted, { decompose: false, ...(countryCode !== undefined && { countryCode }) }),
      MOBILE: mobileDocument(extracted),
    },
    measurements: measurementsOf(reading, []),
    policyVersion: policy.version,
    models: engine.models,
    operationDetails: detailsOfDocument(images, extracted),
  };
};
