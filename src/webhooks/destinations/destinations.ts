import { Failure } from "#contract/failure";
import { knownReference } from "#contract/reference";
import type { RequestFault } from "#contract/request";
import type { Keyring } from "#storage/blobs";
import type { Step } from "#transactions/record";
import { stepOf } from "#transactions/record-call";
import type { DestinationCommands } from "../store/destination-store.ts";
import type { DestinationChange, DestinationOwner, StoredDestination } from "../store/stored-destination.ts";
import type { DestinationSettings } from "./destination.ts";
import { type DestinationEvidenceKind, evidenceOf } from "./evidence.ts";
import {
  destinationBounds,
  type JudgeUrl,
  judgeDestination,
  missingFields,
  type WishedDestination,
} from "./judge-destination.ts";
import { mergeSettings, newSettings, wishOf } from "./merge-settings.ts";
import { formerEnd, formerHoursMax, rotate, secretOf } from "./secret.ts";
import { openSettings, sealSettings } from "./settings.ts";
import { type ShownDestination, showDestination } from "./shown-destination.ts";

/** Who changes a destination: an API key, or the operator's command, which has none. */
export type DestinationActor = DestinationOwner & { readonly keyId?: string };

/** One destination of its owner. */
export type DestinationName = DestinationOwner & { readonly id: string };

/** The deliveries of a destination, as a change of its state needs them. Implemented by the delivery part of the module. */
export type DeliveriesOf = {
  /** Due deliveries wait from now on. */
  readonly hold: (of: DestinationName) => Promise<void>;
  /** Held deliveries become due. */
  readonly release: (of: DestinationName) => Promise<void>;
};

export type DestinationDeps = {
  readonly store: DestinationCommands;
  readonly keyring: Pick<Keyring, "seal" | "open">;
  readonly judgeUrl: JudgeUrl;
  readonly deliveries: DeliveriesOf;
  readonly clock: () => Date;
  readonly newId: () => string;
  /** 32 random bytes for a new secret. */
  readonly newSecret: () => Uint8Array;
};

/**
 * Receivers of events. Every change commits with its evidence. Made by {@link makeDestinations}. Methods with an id fail
 * with not_found, and changes with destination_changed where another change came first.
 */
export type Destinations = {
  /** The secret is shown here and nowhere else. Fails with request_invalid | destination_limit. */
  readonly create: (
    actor: DestinationActor,
    wish: WishedDestination,
  ) => Promise<{ readonly destination: ShownDestination; readonly secret: string }>;
  readonly list: (of: DestinationOwner) => Promise<readonly ShownDestination[]>;
  readonly find: (of: DestinationOwner, id: string) => Promise<ShownDestination>;
  /** Fails with request_invalid. */
  readonly change: (
    actor: DestinationActor,
    id: string,
    wish: WishedDestination,
  ) => Promise<ShownDestination>;
  /** Deliveries that wait end as failed. */
  readonly remove: (actor: DestinationActor, id: string) => Promise<void>;
  /** Deliveries are held from now on. */
  readonly pause: (actor: DestinationActor, id: string) => Promise<ShownDestination>;
  /** Ends a pause of the operator and delivers what was held. Fails with destination_state_refused in another state. */
  readonly resume: (actor: DestinationActor, id: string) => Promise<ShownDestination>;
  /** Ends a disabling. Held deliveries wait for a replay, or are delivered now. Fails with destination_state_refused. */
  readonly enable: (
    actor: DestinationActor,
    id: string,
    options: { readonly delivers: boolean },
  ) => Promise<ShownDestination>;
  /** The former secret signs too for these hours. Fails with request_invalid | destination_secret_limit. */
  readonly rotateSecret: (
    actor: DestinationActor,
    id: string,
    formerHours: number,
  ) => Promise<{ readonly destination: ShownDestination; readonly secret: string }>;
  /** Records the consent of the receiver, and ends the wait for it. */
  readonly consent: (actor: DestinationActor, id: string, revision: number) => Promise<ShownDestination>;
  /** Removes secrets that sign no more from the settings of every tenant. Returns how many destinations it changed. */
  readonly dropFormerSecrets: () => Promise<number>;
};

type Opened = { readonly stored: StoredDestination; readonly settings: DestinationSettings };

/** What a change writes; undefined for none. */
type Change = Omit<DestinationChange, "at" | "sealedSettings"> & {
  readonly settings?: DestinationSettings;
  readonly kind: DestinationEvidenceKind;
  readonly facts?: Parameters<typeof evidenceOf>[3];
};

export const makeDestinations = (deps: DestinationDeps): Destinations => {
  const { store, keyring, deliveries, clock } = deps;
  const open = makeOpen(deps);
  const write = makeWrite(deps);
  const shown = ({ stored, settings }: Opened): ShownDestination =>
    showDestination(stored, settings, clock());
  return {
    create: makeCreate(deps),
    list: async (of) => {
      const listed: ShownDestination[] = [];
      // One after the other, because the first reads the tenant's keys for all.
      for (const stored of await store.listDestinations(of))
        listed.push(shown({ stored, settings: await openSettings(keyring, stored) }));
      return listed;
    },
    find: async (of, id) => shown(await open(of, id)),
    change: async (actor, id, wish) =>
      shown(await write(actor, await open(actor, id), (one) => changeOf(deps, one, wish))),
    remove: async (actor, id) => {
      const { stored } = await open(actor, id);
      const at = clock();
      const step = stepFor(deps, actor, at, stored.id, { kind: "destination_removed" });
      if (!(await store.removeDestination(stored, at, step))) throw new Failure("destination_changed");
    },
    pause: async (actor, id) => {
      const paused = await write(actor, await open(actor, id), ({ stored }) => pauseOf(stored));
      await deliveries.hold(nameOf(paused));
      return shown(paused);
    },
    resume: async (actor, id) => {
      const resumed = await write(actor, await open(actor, id), ({ stored }) => resumeOf(stored));
      await deliveries.release(nameOf(resumed));
      return shown(resumed);
    },
    enable: async (actor, id, { delivers }) => {
      const enabled = await write(actor, await open(actor, id), ({ stored }) => enableOf(stored));
      if (delivers) await deliveries.release(nameOf(enabled));
      return shown(enabled);
    },
    rotateSecret: async (actor, id, formerHours) => {
      const secret = secretOf(deps.newSecret());
      const rotated = await write(actor, await open(actor, id), ({ settings }) =>
        rotationOf(settings, secret, formerHours, clock()),
      );
      return { destination: shown(rotated), secret };
    },
    consent: async (actor, id, revision) => {
      const opened = await open(actor, id);
      if (opened.stored.revision !== revision) throw new Failure("destination_changed");
      const waits = opened.stored.stateReason === "handshake";
      const consented = await write(actor, opened, () => ({
        kind: "destination_consented",
        ...(waits && { state: { is: "active" } }),
      }));
      if (waits) await deliveries.release(nameOf(consented));
      return shown(consented);
    },
    dropFormerSecrets: makeDropFormerSecrets(deps),
  };
};

const nameOf = ({ stored: { tenantId, environment, id } }: Opened) => ({ tenantId, environment, id });

const makeOpen =
  ({ store, keyring }: DestinationDeps) =>
  async (of: DestinationOwner, reference: string): Promise<Opened> => {
    const stored = await store.findDestination(of, knownReference(reference));
    if (stored === undefined) throw new Failure("not_found");
    return { stored, settings: await openSettings(keyring, stored) };
  };

const refuse = (faults: readonly RequestFault[]): void => {
  const [first] = faults;
  if (first === undefined) return;
  const errors = faults.map(({ field, message }) => `${field}: ${message}`);
  throw new Failure("request_invalid", { errors, code: first.code });
};

const makeCreate =
  (deps: DestinationDeps): Destinations["create"] =>
  async (actor, wish) => {
    const { store, keyring, judgeUrl, newId, newSecret, clock } = deps;
    refuse([...missingFields(wish), ...judgeDestination(wish, judgeUrl)]);
    const { tenantId, environment } = actor;
    const [id, secret, createdAt] = [newId(), secretOf(newSecret()), clock()];
    const settings = mergeSettings(newSettings(wish.url ?? "", secret), wish);
    const created = {
      tenantId,
      environment,
      id,
      name: wish.name ?? "",
      topics: wish.topics ?? [],
      isOrdered: wish.isOrdered ?? false,
      ...initialState(settings),
      sealedSettings: await sealSettings(keyring, { tenantId, id }, settings),
      createdAt,
    };
    const step = stepFor(deps, actor, createdAt, id, {
      kind: "destination_created",
      facts: { topics: created.topics, auth: settings.auth.kind },
    });
    const { countMax } = destinationBounds;
    if (!(await store.createDestination(created, countMax, step))) {
      throw new Failure("destination_limit", { countMax });
    }
    const stored = { ...created, revision: 1, changedAt: createdAt };
    return { destination: showDestination(stored, settings, createdAt), secret };
  };

/** A receiver that must consent gets nothing before. */
const initialState = ({
  handshake,
}: DestinationSettings): Pick<StoredDestination, "state" | "stateReason"> =>
  handshake ? { state: "paused", stateReason: "handshake" } : { state: "active" };

const stepFor = (
  { newId }: Pick<DestinationDeps, "newId">,
  { keyId }: DestinationActor,
  at: Date,
  destination: string,
  { kind, facts = {} }: Pick<Change, "kind" | "facts">,
): Step =>
  stepOf({
    evidence: [evidenceOf(newId(), kind, at, { destination, ...(keyId && { key: keyId }), ...facts })],
  });

/** Writes a change to the revision that was read. */
const makeWrite =
  (deps: DestinationDeps) =>
  async (actor: DestinationActor, opened: Opened, changing: (opened: Opened) => Change): Promise<Opened> => {
    const { store, keyring, clock } = deps;
    const { stored } = opened;
    const { settings = opened.settings, kind, facts, ...change } = changing(opened);
    const at = clock();
    const isSame = settings === opened.settings;
    const written: DestinationChange = {
      ...change,
      at,
      ...(!isSame && {
        sealedSettings: await sealSettings(keyring, stored, settings),
        formerUntil: formerEnd(settings) ?? "none",
      }),
    };
    const step = stepFor(deps, actor, at, stored.id, { kind, ...(facts && { facts }) });
    if (!(await store.changeDestination(stored, written, step))) throw new Failure("destination_changed");
    return { stored: changed(stored, written), settings };
  };

/** The row after a change. */
const changed = (stored: StoredDestination, change: DestinationChange): StoredDestination => {
  const { state, stateReason, failingSince, ...rest } = stored;
  const { is = state, reason } = change.state ?? { is: state, reason: stateReason };
  return {
    ...rest,
    ...(change.name !== undefined && { name: change.name }),
    ...(change.topics && { topics: change.topics }),
    ...(change.isOrdered !== undefined && { isOrdered: change.isOrdered }),
    state: is,
    ...(reason && { stateReason: reason }),
    ...(failingSince && change.forgetsFailures !== true && { failingSince }),
    revision: stored.revision + 1,
    changedAt: change.at,
  };
};

const changeOf = (
  { judgeUrl }: DestinationDeps,
  { stored, settings }: Opened,
  wish: WishedDestination,
): Change => {
  const isOfHeaders = wish.headers !== undefined || wish.auth !== undefined;
  refuse(judgeDestination({ ...(isOfHeaders && wishOf(settings)), ...wish }, judgeUrl));
  const merged = mergeSettings(settings, wish);
  const fields = Object.entries(wish)
    .flatMap(([field, value]) => (value === undefined ? [] : [field]))
    .toSorted();
  const mustConsent = merged.handshake && (!settings.handshake || merged.url !== settings.url);
  const waitsNoMore = stored.stateReason === "handshake" && !merged.handshake;
  return {
    kind: "destination_changed",
    facts: { fields },
    settings: merged,
    ...(wish.name !== undefined && { name: wish.name }),
    ...(wish.topics && { topics: wish.topics }),
    ...(wish.isOrdered !== undefined && { isOrdered: wish.isOrdered }),
    ...(mustConsent && stored.state === "active" && { state: { is: "paused", reason: "handshake" } }),
    // Nothing waits for a consent that is not asked for; the operator resumes it.
    ...(waitsNoMore && { state: { is: "paused", reason: "operator" } }),
  };
};

const pauseOf = ({ state, stateReason }: StoredDestination): Change => {
  if (state !== "active") throw stateRefused(state, stateReason);
  return { kind: "destination_paused", state: { is: "paused", reason: "operator" } };
};

const resumeOf = ({ state, stateReason }: StoredDestination): Change => {
  if (state !== "paused" || stateReason === "handshake") throw stateRefused(state, stateReason);
  return { kind: "destination_resumed", state: { is: "active" } };
};

const enableOf = ({ state, stateReason }: StoredDestination): Change => {
  if (state !== "disabled") throw stateRefused(state, stateReason);
  return { kind: "destination_enabled", state: { is: "active" }, forgetsFailures: true };
};

const stateRefused = (state: string, reason: string | undefined): Failure =>
  new Failure("destination_state_refused", { state, ...(reason !== undefined && { reason }) });

const rotationOf = (settings: DestinationSettings, secret: string, hours: number, now: Date): Change => {
  if (!Number.isInteger(hours) || hours < 0 || hours > formerHoursMax) {
    const errors = [`formerHours: is ${hours}, and must be a whole number from 0 to ${formerHoursMax}`];
    throw new Failure("request_invalid", { errors });
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

const makeDropFormerSecrets =
  ({ store, keyring, clock }: DestinationDeps): Destinations["dropFormerSecrets"] =>
  async () => {
    const at = clock();
    let dropped = 0;
    for (const stored of await store.listFormerSecrets(at)) {
      const opened = await openUnlessErased(keyring, stored);
      if (opened === undefined) continue;
      const settings = { ...opened, formerSecrets: [] };
      const sealedSettings = await sealSettings(keyring, stored, settings);
      // Another change that came first has dropped them too, or the next round does.
      const isDropped = await store.changeDestination(
        stored,
        { at, sealedSettings, formerUntil: "none" },
        stepOf(),
      );
      if (isDropped) dropped += 1;
    }
    return dropped;
  };

/** The keys of an erased tenant are gone before its destinations are. */
const openUnlessErased = async (
  keyring: Pick<Keyring, "open">,
  stored: StoredDestination,
): Promise<DestinationSettings | undefined> => {
  try {
    return await openSettings(keyring, stored);
  } catch (error) {
    if (error instanceof Failure && error.code === "not_found") return undefined;
    throw error;
  }
};
