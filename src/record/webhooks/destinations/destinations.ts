import { Failure } from "#contract/failure";
import type { RequestFault } from "#contract/request";
import type { DestinationOwner } from "../store/stored-destination.ts";
import {
  type Change,
  changeOf,
  consentOf,
  enableOf,
  type OpenedDestination,
  pauseOf,
  resumeOf,
  rotationOf,
} from "./judge-change.ts";
import { judgeDestination, type WishedDestination } from "./judge-destination.ts";
import { secretOf } from "./secret.ts";
import { openSettings } from "./settings.ts";
import { type ShownDestination, showDestination } from "./shown-destination.ts";
import {
  type DestinationActor,
  makeCreate,
  makeDropFormerSecrets,
  makeOpen,
  makeRemove,
  makeWrite,
  type WriteDeps,
} from "./write-destination.ts";

/** One destination of its owner. */
export type DestinationName = DestinationOwner & { readonly id: string };

/**
 * The deliveries of a destination, as a change of its state needs them. Implemented by the delivery part of
 * the module.
 */
export type DeliveriesOf = {
  /** Due deliveries wait from now on. */
  readonly hold: (of: DestinationName) => Promise<void>;
  /** Held deliveries become due. */
  readonly release: (of: DestinationName) => Promise<void>;
};

/** A destination that the service did not write as it stands. Its settings may be of anyone. */
export type ForgedDestination = { readonly id: string; readonly name: string };

export type DestinationDeps = WriteDeps & { readonly deliveries: DeliveriesOf };

/**
 * Receivers of events. Every change commits with its evidence. Made by {@link makeDestinations}. Methods with
 * an id fail with not_found, and changes with destination_changed where another change came first.
 */
export type Destinations = {
  /** Every fault of the stated fields in both environments; none for those that are absent. */
  readonly judge: (wish: WishedDestination) => readonly RequestFault[];
  /** The secret is shown here and nowhere else. Fails with request_invalid | destination_limit. */
  readonly create: (
    actor: DestinationActor,
    wish: WishedDestination,
  ) => Promise<{ readonly destination: ShownDestination; readonly secret: string }>;
  /** Without those that were changed past the service. */
  readonly list: (of: DestinationOwner) => Promise<readonly ShownDestination[]>;
  /**
   * Those that were added or changed past the service: nothing is delivered to them, and they can be removed.
   */
  readonly listForged: (of: DestinationOwner) => Promise<readonly ForgedDestination[]>;
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
  /**
   * Ends a pause of the operator and delivers what was held. Fails with destination_state_refused in another
   * state.
   */
  readonly resume: (actor: DestinationActor, id: string) => Promise<ShownDestination>;
  /**
   * Ends a disabling. Held deliveries wait for a replay, or are delivered now. Fails with
   * destination_state_refused.
   */
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
  /**
   * Removes secrets that sign no more from the settings of every tenant. Returns how many destinations it
   * changed.
   */
  readonly dropFormerSecrets: () => Promise<number>;
};

export const makeDestinations = (deps: DestinationDeps): Destinations => {
  const { store, keyring, clock } = deps;
  const open = makeOpen(deps);
  const write = makeWrite(deps);
  const shown = makeShown(deps);
  return {
    judge: (wish) => judgeDestination(wish, (url) => deps.judgeUrl(url)),
    create: makeCreate(deps),
    list: async (of) => {
      const listed: ShownDestination[] = [];
      // One after the other, because the first reads the tenant's keys for all.
      for (const stored of (await store.listDestinations(of)).filter(({ isForged }) => isForged !== true))
        listed.push(shown({ stored, settings: await openSettings(keyring, stored) }));
      return listed;
    },
    listForged: async (of) =>
      (await store.listDestinations(of))
        .filter(({ isForged }) => isForged === true)
        .map(({ id, name }) => ({ id, name })),
    find: async (of, id) => shown(await open(of, id)),
    remove: makeRemove(deps),
    rotateSecret: async (actor, id, formerHours) => {
      const secret = secretOf(deps.newSecret());
      const opened = await open(actor, id);
      const rotation = rotationOf(opened.settings, secret, formerHours, clock());
      const rotated = await write(actor, opened, rotation);
      return { destination: shown(rotated), secret };
    },
    ...makeStateChanges(deps),
    dropFormerSecrets: makeDropFormerSecrets(deps),
  };
};

const makeShown =
  ({ clock }: Pick<DestinationDeps, "clock">) =>
  ({ stored, settings }: OpenedDestination): ShownDestination =>
    showDestination(stored, settings, clock());

/** Changes after which deliveries wait or start. */
const makeStateChanges = (
  deps: DestinationDeps,
): Pick<Destinations, "change" | "pause" | "resume" | "enable" | "consent"> => {
  const open = makeOpen(deps);
  const write = makeWrite(deps);
  const shown = makeShown(deps);
  /**
   * Writes the change; deliveries follow the new state. A change to active makes the first held ones due in
   * its commit. Where the destination is active already, a repeated command makes due what an interrupted one
   * left.
   */
  const follow = async (
    actor: DestinationActor,
    opened: OpenedDestination,
    changing: (opened: OpenedDestination) => Change | undefined,
    delivers = true,
  ): Promise<ShownDestination> => {
    const change = changing(opened);
    const former = opened.stored.state;
    const releases = delivers && former !== "active" && change?.state?.is === "active";
    const changed =
      change === undefined
        ? opened
        : await write(actor, opened, { ...change, ...(releases && { releases }) });
    const { tenantId, environment, id, state } = changed.stored;
    const isRepeated = change === undefined && state === "active" && delivers;
    if (former !== "paused" && state === "paused") await deps.deliveries.hold({ tenantId, environment, id });
    if (releases || isRepeated) await deps.deliveries.release({ tenantId, environment, id });
    return shown(changed);
  };
  return {
    change: async (actor, id, wish) => {
      const judge = (url: string) => deps.judgeUrl(url, actor.environment);
      return await follow(actor, await open(actor, id), (opened) => changeOf(judge, opened, wish));
    },
    pause: async (actor, id) => await follow(actor, await open(actor, id), pauseOf),
    resume: async (actor, id) => await follow(actor, await open(actor, id), resumeOf),
    enable: async (actor, id, { delivers }) => await follow(actor, await open(actor, id), enableOf, delivers),
    consent: async (actor, id, revision) => {
      const opened = await open(actor, id);
      if (opened.stored.revision !== revision) throw new Failure("destination_changed");
      return await follow(actor, opened, consentOf);
    },
  };
};
