import type { ReasonCode } from "#contract/reason-code";
import type { MrzFields } from "../../reading/mrz/parse.ts";
import type { FieldName } from "../../values/field-name.ts";
import type { Finding, FindingRule } from "../finding.ts";
import { finding } from "./finding-defaults.ts";

/** A field is missing that this MRZ format always carries (625 to 633). */
export const mrzFieldsRule: FindingRule = ({ fields }) => {
  const mrz = fields.mrz;
  if (mrz === undefined || !mrz.summary.accepted) {
    return [];
  }
  return mandatory
    .filter(({ isCarried }) => isCarried(mrz.fields))
    .map(
      ({ field, code, isStated }): Finding =>
        finding({
          name: `${field}-not-collected`,
          stage: "capture",
          code,
          consequence: "resubmit",
          holds: fields.values[field] === undefined && isStated?.(mrz.fields) !== true,
        }),
    );
};

/** Fields that an MRZ may be required to have. */
type MrzFieldName = Extract<
  FieldName,
  "lastName" | "documentNumber" | "dateOfBirth" | "dateOfExpiry" | "sex" | "nationality"
>;

type Mandatory = {
  readonly field: MrzFieldName;
  readonly code: ReasonCode;
  readonly isCarried: (mrz: MrzFields) => boolean;
  /** The document states by fillers that the value is unknown, which is an answer (9303-3, 4.8). */
  readonly isStated?: (mrz: MrzFields) => boolean;
};

const always = (): boolean => true;
const isIcao = ({ format }: MrzFields): boolean => !["FRA-LICENCE", "CHE-LICENCE", "FRA-ID"].includes(format);

/** Without given names: a person may have one name only (9303-3, 4.6). No MRZ has a date of issue. */
const mandatory: readonly Mandatory[] = [
  { field: "lastName", code: 625, isCarried: always },
  { field: "documentNumber", code: 631, isCarried: always },
  {
    field: "dateOfBirth",
    code: 627,
    isCarried: ({ format }) => format !== "FRA-LICENCE",
    isStated: ({ birth }) => birth.text.includes("<"),
  },
  {
    field: "dateOfExpiry",
    code: 629,
    isCarried: ({ format }) => format === "TD3",
  },
  { field: "sex", code: 630, isCarried: isIcao },
  { field: "nationality", code: 633, isCarried: isIcao },
];
