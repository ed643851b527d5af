import type { MrzFields } from "../../reading/mrz/parse.ts";
import type { FindingRule } from "../finding.ts";
import { isMrzClear } from "./data-read.ts";
import { finding } from "./finding-defaults.ts";

/**
 * The MRZ names an issuer or a nationality that ICAO Doc 9303-3 does not know (507). No check digit covers
 * these codes, so one of them alone may be misread: it is a hint. Where both have the same unknown code, it
 * was written.
 */
export const issuerKnownRule: FindingRule = (document) => {
  const mrz = document.fields.mrz?.fields;
  return [
    finding({
      name: "issuer-unknown",
      stage: "contradiction",
      code: 507,
      consequence: "review",
      source: "mrz",
      ...(mrz !== undefined && isWrittenTwice(mrz) ? {} : { isHint: true as const }),
      holds: mrz === undefined || !isMrzClear(document) ? "unknown" : !mrz.statesKnown,
    }),
  ];
};

const isWrittenTwice = ({ issuer, nationality, statesKnown }: MrzFields): boolean =>
  !statesKnown && issuer === nationality;
