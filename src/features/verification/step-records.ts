/** What the records of the steps say to a verification. */
import { Type } from "typebox";
import { assuranceLevels } from "#contract/liveness";
import { makeCheck } from "#contract/make-check";
import type { TransactionRecord } from "#record/transactions/record";
import type { FaceFinding } from "./verification.ts";

const nullableNumber = Type.Union([Type.Number(), Type.Null()]);

/** The members of records of identity and authenticateUser, which both calls write. */
const faceRecord = makeCheck(
  Type.Object({
    result: Type.Object({ facial: Type.Integer(), liveness: Type.Integer() }),
    measurements: Type.Object({
      comparison: Type.Object({ similarity: nullableNumber, falseMatchRate: nullableNumber }),
      liveness: Type.Object({ assurance: Type.Enum([...assuranceLevels]) }),
    }),
  }),
);

/** The finding of a committed face call. Throws Error where the record is of another form. */
export const readFaceRecord = ({ result, measurements }: TransactionRecord): FaceFinding => {
  const record: unknown = { result, measurements };
  if (!faceRecord.Check(record)) throw new Error("The record of a face call has another form");
  const { similarity, falseMatchRate } = record.measurements.comparison;
  return {
    facial: record.result.facial,
    liveness: record.result.liveness,
    assurance: record.measurements.liveness.assurance,
    similarity,
    falseMatchRate,
  };
};

const startRecord = makeCheck(Type.Object({ scanReference: Type.String() }));

/** The reference of a committed start of a validation. Throws Error where the record is of another form. */
export const readScanReference = ({ result }: Pick<TransactionRecord, "result">): string =>
  startRecord.Parse(result).scanReference;
