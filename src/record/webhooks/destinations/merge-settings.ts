import type { DestinationAuth, DestinationSettings } from "./destination.ts";
import { destinationBounds, type WishedAuth, type WishedDestination } from "./judge-destination.ts";

/** The settings of a destination for which the caller names only name, URL and topics. */
export const newSettings = (url: string, secret: string): DestinationSettings => ({
  url,
  headers: {},
  auth: { kind: "none" },
  secret,
  formerSecrets: [],
  handshake: false,
  timeoutMs: destinationBounds.timeoutSeconds.default * 1000,
});

/** The settings with an accepted wish: what it leaves out stays. */
export const mergeSettings = (
  settings: DestinationSettings,
  wish: WishedDestination,
): DestinationSettings => {
  const { url, headers, auth, handshake, timeoutSeconds } = wish;
  const { retrySchedule, maxConcurrent, ...rest } = settings;
  const schedule = wish.retrySchedule?.map((seconds) => seconds * 1000) ?? retrySchedule;
  const concurrent = wish.maxConcurrent ?? maxConcurrent;
  return {
    ...rest,
    ...(url !== undefined && { url }),
    ...(headers && {
      headers: Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value])),
    }),
    ...(auth && { auth: authOf(auth) }),
    ...(handshake !== undefined && { handshake }),
    ...(timeoutSeconds !== undefined && { timeoutMs: timeoutSeconds * 1000 }),
    ...(schedule !== undefined && schedule.length > 0 && { retrySchedule: schedule }),
    ...(concurrent !== undefined && concurrent > 0 && { maxConcurrent: concurrent }),
  };
};

/** An accepted wish has every field of its kind. */
const authOf = ({ kind, ...auth }: WishedAuth): DestinationAuth => {
  const { header = "", value = "", tokenUrl = "", clientId = "", clientSecret = "", scope = "" } = auth;
  if (kind === "none") return { kind };
  if (kind === "api-key") return { kind, header: header.toLowerCase(), value };
  const { credentialsIn = "header" } = auth;
  return { kind, tokenUrl, clientId, clientSecret, ...(scope !== "" && { scope }), credentialsIn };
};

/** The stored headers and credentials as a wish, so that a change of one is judged beside the other. */
export const wishOf = ({
  headers,
  auth,
}: DestinationSettings): Required<Pick<WishedDestination, "headers" | "auth">> => ({
  headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
  auth,
});
