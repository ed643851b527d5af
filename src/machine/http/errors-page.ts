import { commonFailures, failuresOf, type Route } from "#contract/endpoint";
import { type FailureCode, failureKinds, uniformFailures } from "#contract/failure";
import { idempotencyFailures } from "#contract/idempotency";
import { sentValidationCodes, validationCode } from "#contract/validation-code";

const names = Object.keys(failureKinds).filter((name): name is FailureCode => name in failureKinds);

/** The failure of that name, or undefined. */
export const findFailure = (name: string): FailureCode | undefined => names.find((known) => known === name);

const whereOf = (code: FailureCode, routes: readonly Route[]): string => {
  const common: readonly FailureCode[] = [...commonFailures, "path_unknown", "method_not_allowed"];
  if (common.includes(code)) return "any endpoint";
  if (code in idempotencyFailures && code !== "idempotency_secret_shown") return "every POST";
  const declaring = routes.filter((route) => failuresOf(route).includes(code));
  return declaring.map((route) => route.name).join(", ") || "no endpoint of this release";
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
  const codes = Object.values(validationCode).map(
    ({ code, meaning }) => `| ${code} | ${meaning} | ${sentValidationCodes.has(code) ? "yes" : ""} |`,
  );
  return [
    "# Errors",
    "",
    "Written by `npm run golden` from `src/contract/failure.ts`. Problem details (RFC 9457) carry the name in",
    "`failure`; 401 and 504 answer only `message`. Names are never changed.",
    "",
    "Every answer has the header `x-request-id`; the service takes the caller's own id if it has at most 128 letters, digits",
    "and `._:/+=-`. Every problem repeats it as `requestId`, and the log of the service names it: quote it to the operator.",
    `Only ${uniformFailures.map((code) => `\`${code}\``).join(" and ")} leave \`requestId\` out. Their answers are the same to the byte for an unknown`,
    "reference and for one of another tenant.",
    "",
    ...names.map((name) => writeFailurePage(name, routes)),
    "## Validation codes",
    "",
    "The member `code` of a problem, where one fits. The table is the interface's; this release sends the marked codes.",
    "",
    "| code | meaning | sent |",
    "|---|---|---|",
    ...codes,
    "",
  ].join("\n");
};
