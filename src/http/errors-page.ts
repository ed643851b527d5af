import { commonFailures, type Route } from "#contract/endpoint";
import { type FailureCode, failureKinds } from "#contract/failure";
import { validationCode } from "#contract/validation-code";

const names = Object.keys(failureKinds).filter((name): name is FailureCode => name in failureKinds);

/** The failure of that name, or undefined. */
export const findFailure = (name: string): FailureCode | undefined => names.find((known) => known === name);

const whereOf = (code: FailureCode, routes: readonly Route[]): string => {
  const common: readonly FailureCode[] = [...commonFailures, "method_unknown", "method_not_allowed"];
  if (common.includes(code)) return "any endpoint";
  if (code === "not_built") return "endpoints of a later release";
  const declaring = routes.filter((route) => route.failures.includes(code)).map((route) => route.name);
  return declaring.length === 0 ? "no endpoint of this release" : declaring.join(", ");
};

/** One failure as a page in Markdown. */
export const writeFailurePage = (code: FailureCode, routes: readonly Route[]): string => {
  const kind = failureKinds[code];
  return [
    `## ${code}`,
    "",
    `**${kind.status}** ${kind.title}.`,
    "",
    kind.detail,
    "",
    `Sending the same request again: ${kind.retry === "later" ? "later, it may succeed" : "never helps"}.`,
    `Declared by: ${whereOf(code, routes)}.`,
    "",
  ].join("\n");
};

/** The page of all failures and validation codes, in Markdown: a pure function of the catalogue. */
export const writeErrorsPage = (routes: readonly Route[]): string => {
  const codes = Object.values(validationCode).map(({ code, meaning }) => `| ${code} | ${meaning} |`);
  return [
    "# Errors",
    "",
    "Written by `npm run golden` from `src/contract/failure.ts`. Problem details (RFC 9457) carry the name in",
    "`failure`; 401 and 504 answer `message` alone. Names are never changed.",
    "",
    ...names.map((name) => writeFailurePage(name, routes)),
    "## Validation codes",
    "",
    "The member `code` of a problem, where one fits.",
    "",
    "| code | meaning |",
    "|---|---|",
    ...codes,
    "",
  ].join("\n");
};
