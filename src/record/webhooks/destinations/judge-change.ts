/** Pure judges of changes: what each writes, or why it is refused. */
import { Failure } from "#contract/failure";
import type { Json } from "#contract/json";
import { type RequestFault, wrong } from "#contract/request";
import type { DestinationChange, StoredDestination } from "../store/stored-destination.ts";
import type { DestinationSettings } from "./destination.ts";
import type { DestinationEvidenceKind } from "./evidence.ts";
import { type JudgeUrl, judgeDestination, type WishedDestination } from "./judge-destination.ts";
import { mergeSettings, wishOf } from "./merge-settings.ts";
import { formerHoursMax, rotate } from "./secret.ts";

/** A stored destination with its opened settings. */
export type OpenedDestination = {
  readonly stored: StoredDestination;
  readonly settings: DestinationSettings;
};

/** What a change writes. */
export type Change = Omit<DestinationChange, "at" | "sealedSettings"> & {
  readonly settings?: DestinationSettings;
  readonly kind: DestinationEvidenceKind;
  readonly facts?: Readonly<Record<string, Json>>;
};

/** Throws request_invalid with every fault. */
export const refuse = (faults: readonly RequestFault[]): void => {
  const [first] = faults;
  if (first === undefined) return;
  const errors = faults.map(({ field, message }) => `${field}: ${message}`);
  throw new Failure("request_invalid", { errors, code: first.code });
};

/**
 * The change of settings, which a wish states. Another URL is another receiver: failures and a first 410 of
 * the former one say nothing about it, so they are forgotten. Throws request_invalid.
 */
export const changeOf = (
  judgeUrl: JudgeUrl,
  { stored, settings }: OpenedDestination,
  wish: WishedDestination,
): Change => {
  const isOfHeaders = wish.headers !== undefined || wish.auth !== undefined;
  refuse(judgeDestination({ ...(isOfHeaders && wishOf(settings)), ...wish }, judgeUrl));
  const merged = mergeSettings(settings, wish);
  const fields = Object.entries(wish)
    .flatMap(([field, value]) => (value === undefined ? [] : [field]))
    .toSorted();
  const waiting = waitingState(merged);
  const mustConsent = stored.state === "active" && waiting.is === "paused";
  const waitsNoMore = stored.stateReason === "handshake" && waiting.is === "active";
  return {
    kind: "destination_changed",
    facts: { fields },
    settings: merged,
    ...(wish.name !== undefined && { name: wish.name }),
    ...(wish.topics && { topics: wish.topics }),
    ...(wish.isOrdered !== undefined && { isOrdered: wish.isOrdered }),
    ...((mustConsent || waitsNoMore) && { state: waiting }),
    ...(merged.url !== settings.url && { forgetsFailures: true }),
  };
};

type State = NonNullable<DestinationChange["state"]>;

/** Active, unless the receiver must consent and has not yet consented to messages at this URL. */
export const waitingState = ({ handshake, consentedUrl, url }: DestinationSettings): State =>
  handshake && consentedUrl !== url ? { is: "paused", reason: "handshake" } : { is: "active" };

/** Undefined where nothing changes. Throws destination_state_refused, as the next two. */
export const pauseOf = ({ stored: { state, stateReason } }: OpenedDestination): Change | undefined => {
  if (stateReason === "operator") return undefined;
  if (state !== "active") throw stateRefused(state, stateReason);
  return { kind: "destination_paused", state: { is: "paused", reason: "operator" } };
};

export const resumeOf = ({ stored, settings }: OpenedDestination): Change | undefined => {
  const { state, stateReason } = stored;
  if (state === "active") return undefined;
  if (stateReason !== "operator") throw stateRefused(state, stateReason);
  return { kind: "destination_resumed", state: waitingState(settings) };
};

export const enableOf = ({ stored, settings }: OpenedDestination): Change | undefined => {
  const { state, stateReason } = stored;
  if (state === "active") return undefined;
  if (state !== "disabled") throw stateRefused(state, stateReason);
  return { kind: "destination_enabled", state: waitingState(settings), forgetsFailures: true };
};

/** The receiver consents to messages at the URL of the settings. */
export const consentOf = ({ stored: { stateReason }, settings }: OpenedDestination): Change => ({
  kind: "destination_consented",
  settings: { ...settings, consentedUrl: settings.url },
  ...(stateReason === "handshake" && { state: { is: "active" } }),
});

const stateRefused = (state: string, reason: string | undefined): Failure =>
  new Failure("destination_state_refused", { state, ...(reason !== undefined && { reason }) });

/** Throws request_invalid and destination_secret_limit. */
export const rotationOf = (
  settings: DestinationSettings,
  secret: string,
  hours: number,
  now: Date,
): Change => {
  if (!Number.isInteger(hours) || hours < 0 || hours > formerHoursMax) {
    refuse([wrong("formerHours", `is ${hours}, and must be a whole number from 0 to ${formerHoursMax}`)]);
  }
  const until = new Date(now.getTime() + hours * 3_600_000);
  const rotated = rotate(settings, secret, now, until);
  if (rotated === undefined) throw new Failure("destination_secret_limit");
  return {
    kind: "destination_secret_rotated",
    facts: { formerUntil: hours === 0 ? null : until.toISOString() },
    settings: { ...settings, ...rotated },
  };
};
