import type { ReasonCode } from "#contract/reason-code";
import type { FieldName } from "../field-name.ts";
import type { Finding, Question } from "../finding.ts";
import type { MrzFields } from "../mrz/parse.ts";
import { finding } from "./answer.ts";

/** Is every field there that this kind of zone always carries (625 to 633)? */
export const askCollected: Question = ({ fields }) => {
  const zone = fields.mrz;
  if (zone === undefined || !zone.sighting.accepted) {
    return [];
  }
  return mandatory
    .filter(({ isCarried }) => isCarried(zone.fields))
    .map(
      ({ field, code, isStated }): Finding =>
        finding({
          name: `${field}-not-collected`,
          stage: "capture",
          code,
          consequence: "resubmit",
          holds: fields.values[field] === undefined && isStated?.(zone.fields) !== true,
        }),
    );
};

/** Fields of which a zone is asked. */
type Zoned = Extract<
  FieldName,
  "lastName" | "documentNumber" | "dateOfBirth" | "dateOfExpiry" | "sex" | "nationality"
>;

type Mandatory = {
  readonly field: Zoned;
  readonly code: ReasonCode;
  readonly isCarried: (zone: MrzFields) => boolean;
  /** The document itself says that it does not know the value, by fillers: that is an answer (9303-3, 4.8). */
  readonly isStated?: (zone: MrzFields) => boolean;
};

const always = (): boolean => true;
const isIcao = ({ format }: MrzFields): boolean => !["FRA-LICENCE", "CHE-LICENCE", "FRA-ID"].includes(format);

/** Given names are not among them: a person may have one name only (9303-3, 4.6). Issue dates stand in no zone. */
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
