import { itemsOf } from "./comma-list.ts";

/** Settings that only a time-stamping authority needs. */
const authorityOnly = ["IDEM_TIMESTAMP_CA", "IDEM_TIMESTAMP_AUTHORIZATION"] as const;

/** Problems of the settings of time-stamping authorities, which belong together. */
export const judgeAuthorities = (values: Readonly<Record<string, unknown>>): readonly string[] => {
  const { IDEM_TIMESTAMP_URL: urls, IDEM_TIMESTAMP_AUTHORIZATION: credentials } = values;
  if (typeof urls !== "string") {
    return authorityOnly
      .filter((name) => values[name] !== undefined)
      .map((name) => `${name} is set, but IDEM_TIMESTAMP_URL is not. Name the authority, or leave it out.`);
  }
  const problems: string[] = [];
  if (values["IDEM_TIMESTAMP_CA"] === undefined) {
    problems.push(
      "IDEM_TIMESTAMP_URL is set, but IDEM_TIMESTAMP_CA is not. Name a PEM file with the root certificates of those authorities.",
    );
  }
  const authorities = itemsOf(urls).length;
  // The credentials of a single authority may hold a comma.
  const given = authorities > 1 && typeof credentials === "string" ? itemsOf(credentials) : undefined;
  if (given !== undefined && (given.length !== authorities || given.includes(""))) {
    const counted = given.filter((value) => value !== "").length;
    problems.push(
      `IDEM_TIMESTAMP_AUTHORIZATION has ${counted} ${counted === 1 ? "value" : "values"} for ${authorities} authorities. Give one for each, and - for none.`,
    );
  }
  return problems;
};
