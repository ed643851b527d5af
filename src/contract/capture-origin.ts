/**
 * Rules of the addresses of a capture session: the origin of its page, and where the page leads at its end.
 */
import { isFollowedUrl } from "./followed-url.ts";
import { type RequestFault, type UncheckedFields, wrong } from "./request.ts";
import { isGiven } from "./request-rule.ts";

const originOf = (value: unknown): string | undefined => {
  if (typeof value !== "string" || !URL.canParse(value)) return undefined;
  return new URL(value).origin;
};

/** An origin is https; plain http serves the developer's own machine alone. */
const isOrigin = (value: string): boolean =>
  originOf(value) === value && /^(?:https:|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::|$))/.test(value);

const originFaults = ({ origin }: UncheckedFields): readonly RequestFault[] =>
  !isGiven(origin) || typeof origin !== "string" || isOrigin(origin)
    ? []
    : [
        wrong(
          "origin",
          "must be an https origin without a path, such as https://bank.example, or an http origin of localhost, 127.0.0.1 or [::1]",
        ),
      ];

const httpsOnly = "must be an https URL, or an http URL of localhost, 127.0.0.1 or [::1]";
const undisguised =
  "must be a URL without user information, blanks, backslashes, control characters and invisible characters";

const returnFaults = ({ origin, returnUrl }: UncheckedFields): readonly RequestFault[] => {
  if (!isGiven(returnUrl) || typeof returnUrl !== "string") return [];
  if (!isFollowedUrl(returnUrl)) {
    const isWeb = isOrigin(originOf(returnUrl) ?? "");
    return [wrong("returnUrl", isWeb ? undisguised : httpsOnly)];
  }
  return isGiven(origin) && originOf(returnUrl) !== origin
    ? [wrong("returnUrl", "must be a URL of `origin`")]
    : [];
};

/** The faults of `origin` and `returnUrl`. */
export const addressFaults = (fields: UncheckedFields): readonly RequestFault[] => [
  ...originFaults(fields),
  ...returnFaults(fields),
];
