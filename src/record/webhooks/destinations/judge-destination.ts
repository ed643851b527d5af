import { missing, type RequestFault, wrong } from "#contract/request";
import { headerFaults, type NamedHeader, nameFaults, valueFaults } from "./judge-headers.ts";
import { knownTopics, wildcards } from "./topics.ts";

/** The credentials of a destination, as a caller states them. */
export type WishedAuth = {
  readonly kind: "none" | "api-key" | "oauth2";
  readonly header?: string;
  readonly value?: string;
  readonly tokenUrl?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scope?: string;
  readonly credentialsIn?: "header" | "body";
};

/** A destination as a caller states it. In a change absent members stay as they are. */
export type WishedDestination = {
  readonly name?: string;
  readonly url?: string;
  readonly topics?: readonly string[];
  readonly isOrdered?: boolean;
  readonly headers?: readonly NamedHeader[];
  readonly auth?: WishedAuth;
  readonly handshake?: boolean;
  readonly timeoutSeconds?: number;
  /** Seconds before each attempt; an empty list: those of the deployment. */
  readonly retrySchedule?: readonly number[];
  /** Deliveries in flight; 0: as many as the deployment allows. */
  readonly maxConcurrent?: number;
};

/** Bounds of a destination. Numbers without another source are our choice. */
export const destinationBounds = {
  /** Of one tenant and environment. */
  countMax: 50,
  nameLengthMax: 100,
  urlLengthMax: 2_048,
  /** Standard Webhooks advises 15 to 30 s. */
  timeoutSeconds: { min: 1, max: 30, default: 15 },
  attemptsMax: 20,
  /** Two days between two attempts. */
  pauseSecondsMax: 172_800,
  maxConcurrent: 64,
  credentialLengthMax: 2_048,
} as const;

/**
 * The reason why a URL may not be called; undefined for an acceptable one. Made by `makeJudgeUrl` of egress.
 */
export type JudgeUrl = (url: string) => string | undefined;

const isGiven = (text: string | undefined): text is string => text !== undefined && text !== "";

/** Every fault of a destination: each names the field, and its value where it is no secret. */
export const judgeDestination = (
  { name, url, topics, headers, auth, ...rest }: WishedDestination,
  judgeUrl: JudgeUrl,
): readonly RequestFault[] => [
  ...(name === undefined ? [] : nameOfDestinationFaults(name)),
  ...(url === undefined ? [] : urlFaults("url", url, judgeUrl)),
  ...(topics === undefined ? [] : topicFaults(topics)),
  ...(headers === undefined ? [] : headerFaults(headers)),
  ...(auth === undefined ? [] : authFaults(auth, judgeUrl)),
  ...(auth?.kind === "api-key" ? sameHeaderFaults(headers ?? [], auth.header ?? "") : []),
  ...numberFaults(rest),
];

/** The fields that a new destination must have. */
export const missingFields = ({ name, url, topics }: WishedDestination): readonly RequestFault[] => [
  ...(isGiven(name) ? [] : [missing("name")]),
  ...(isGiven(url) ? [] : [missing("url")]),
  ...(topics === undefined ? [missing("topics")] : []),
];

/** Letters of any script; no control characters, which would break a table or a log. */
const nameOfDestinationFaults = (name: string): readonly RequestFault[] =>
  name.length <= destinationBounds.nameLengthMax && /^\P{C}+$/u.test(name) && name.trim() !== ""
    ? []
    : [
        wrong(
          "name",
          `is ${JSON.stringify(name.slice(0, 120))}, and must be 1 to ${destinationBounds.nameLengthMax} printable characters`,
        ),
      ];

const urlFaults = (field: string, url: string, judgeUrl: JudgeUrl): readonly RequestFault[] => {
  if (url.length > destinationBounds.urlLengthMax) {
    return [
      wrong(field, `has ${url.length} characters, and at most ${destinationBounds.urlLengthMax} are allowed`),
    ];
  }
  const reason = judgeUrl(url);
  return reason === undefined ? [] : [wrong(field, `${JSON.stringify(shownUrl(url))} is refused: ${reason}`)];
};

/** A URL in a message: without user name, password and query, which may be secret. */
export const shownUrl = (text: string): string => {
  const url = URL.parse(text);
  return url === null || url.host === ""
    ? text.replace(/[?#].*$/s, "").slice(0, 200)
    : `${url.origin}${url.pathname}`;
};

const topicFaults = (topics: readonly string[]): readonly RequestFault[] => {
  const accepted = [...knownTopics, ...wildcards];
  if (topics.length === 0) return [wrong("topics", `is empty. Name one of ${accepted.join(", ")}`)];
  if (topics.length > accepted.length) {
    return [wrong("topics", `has ${topics.length} items, and at most ${accepted.length} are allowed`)];
  }
  return topics.flatMap((topic, at) =>
    accepted.includes(topic)
      ? []
      : [
          wrong(
            `topics.${at}`,
            `${JSON.stringify(topic.slice(0, 80))} is no topic. Use one of ${accepted.join(", ")}`,
          ),
        ],
  );
};

/** The members of each kind of credentials. */
const membersOf = {
  "api-key": ["header", "value"],
  oauth2: ["tokenUrl", "clientId", "clientSecret", "scope", "credentialsIn"],
} as const;

const kinds = ["api-key", "oauth2"] as const;

const authFaults = (auth: WishedAuth, judgeUrl: JudgeUrl): readonly RequestFault[] => [
  // Without them the caller would take credentials as set that are never sent.
  ...kinds.flatMap((kind) =>
    kind === auth.kind
      ? []
      : membersOf[kind]
          .filter((member) => isGiven(auth[member]))
          .map((member) => wrong(`auth.${member}`, `belongs to kind ${kind}, and kind is ${auth.kind}`)),
  ),
  ...ownAuthFaults(auth, judgeUrl),
];

const ownAuthFaults = (auth: WishedAuth, judgeUrl: JudgeUrl): readonly RequestFault[] => {
  const { kind, header, value } = auth;
  if (kind === "none") return [];
  if (kind === "oauth2") return oauthFaults(auth, judgeUrl);
  return [
    ...(isGiven(header) ? nameFaults("auth.header", header) : [missing("auth.header")]),
    ...(isGiven(value) ? valueFaults("auth.value", value) : [missing("auth.value")]),
  ];
};

const oauthFaults = (
  { tokenUrl, clientId, clientSecret, scope }: WishedAuth,
  judgeUrl: JudgeUrl,
): readonly RequestFault[] => [
  ...(isGiven(tokenUrl) ? urlFaults("auth.tokenUrl", tokenUrl, judgeUrl) : [missing("auth.tokenUrl")]),
  ...(isGiven(clientId) ? credentialFaults("auth.clientId", clientId) : [missing("auth.clientId")]),
  ...(isGiven(clientSecret)
    ? credentialFaults("auth.clientSecret", clientSecret)
    : [missing("auth.clientSecret")]),
  // RFC 6749, 3.3.
  ...(isGiven(scope) && !/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(scope)
    ? [
        wrong(
          "auth.scope",
          `${JSON.stringify(scope.slice(0, 80))} is no list of scopes with single spaces between them`,
        ),
      ]
    : []),
];

/** RFC 6749, appendix A.1 and A.2: printable ASCII. The sentence never holds the value. */
const credentialFaults = (field: string, value: string): readonly RequestFault[] =>
  /^[\x20-\x7e]+$/.test(value) && value.length <= destinationBounds.credentialLengthMax
    ? []
    : [
        wrong(
          field,
          `has ${value.length} characters, and must be 1 to ${destinationBounds.credentialLengthMax} printable ASCII characters`,
        ),
      ];

const sameHeaderFaults = (headers: readonly NamedHeader[], header: string): readonly RequestFault[] =>
  headers.some(({ name }) => name.toLowerCase() === header.toLowerCase())
    ? [wrong("auth.header", `${JSON.stringify(header.slice(0, 80))} is a custom header too`)]
    : [];

const isWhole = (value: number, min: number, max: number): boolean =>
  Number.isInteger(value) && value >= min && value <= max;

const numberFaults = ({
  timeoutSeconds,
  retrySchedule,
  maxConcurrent,
}: Pick<
  WishedDestination,
  "timeoutSeconds" | "retrySchedule" | "maxConcurrent"
>): readonly RequestFault[] => {
  const {
    timeoutSeconds: seconds,
    attemptsMax,
    pauseSecondsMax,
    maxConcurrent: concurrentMax,
  } = destinationBounds;
  return [
    ...(timeoutSeconds === undefined || isWhole(timeoutSeconds, seconds.min, seconds.max)
      ? []
      : [
          wrong(
            "timeoutSeconds",
            `is ${timeoutSeconds}, and must be a whole number from ${seconds.min} to ${seconds.max}`,
          ),
        ]),
    ...(maxConcurrent === undefined || isWhole(maxConcurrent, 0, concurrentMax)
      ? []
      : [
          wrong(
            "maxConcurrent",
            `is ${maxConcurrent}, and must be a whole number from 0 to ${concurrentMax}`,
          ),
        ]),
    ...(retrySchedule === undefined ? [] : scheduleFaults(retrySchedule, attemptsMax, pauseSecondsMax)),
  ];
};

const scheduleFaults = (
  schedule: readonly number[],
  attemptsMax: number,
  pauseSecondsMax: number,
): readonly RequestFault[] => {
  if (schedule.length > attemptsMax) {
    return [wrong("retrySchedule", `has ${schedule.length} items, and at most ${attemptsMax} are allowed`)];
  }
  return schedule.flatMap((pause, at) =>
    isWhole(pause, 0, pauseSecondsMax)
      ? []
      : [
          wrong(
            `retrySchedule.${at}`,
            `is ${pause}, and must be a whole number of seconds from 0 to ${pauseSecondsMax}`,
          ),
        ],
  );
};
