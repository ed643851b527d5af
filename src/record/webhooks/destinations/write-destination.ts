/** The writing of destinations: every write commits with its evidence, to the revision that was read. */
import { Failure } from "#contract/failure";
import { knownReference } from "#contract/reference";
import type { Keyring } from "#machine/storage/blobs";
import type { Step } from "#record/transactions/record";
import { stepOf } from "#record/transactions/record-call";
import type { DestinationCommands } from "../store/destination-store.ts";
import type { DestinationChange, DestinationOwner, StoredDestination } from "../store/stored-destination.ts";
import type { DestinationSettings } from "./destination.ts";
import { evidenceOf } from "./evidence.ts";
import { type Change, type OpenedDestination, refuse, waitingState } from "./judge-change.ts";
import {
  destinationBounds,
  judgeDestination,
  missingFields,
  type WishedDestination,
} from "./judge-destination.ts";
import type { JudgeReceiver } from "./judge-test-receiver.ts";
import { mergeSettings, newSettings } from "./merge-settings.ts";
import { formerEnd, secretOf } from "./secret.ts";
import { openSettings, sealSettings } from "./settings.ts";
import { type ShownDestination, showDestination } from "./shown-destination.ts";

/** Who changes a destination: an API key, or the operator's command, which has none. */
export type DestinationActor = DestinationOwner & { readonly keyId?: string };

export type WriteDeps = {
  readonly store: DestinationCommands;
  readonly keyring: Pick<Keyring, "seal" | "open">;
  readonly judgeUrl: JudgeReceiver;
  readonly clock: () => Date;
  readonly newId: () => string;
  /** 32 random bytes for a new secret. */
  readonly newSecret: () => Uint8Array;
};

type CreateDestination = (
  actor: DestinationActor,
  wish: WishedDestination,
) => Promise<{ readonly destination: ShownDestination; readonly secret: string }>;

/** Finds a destination and opens its settings. Fails with not_found. */
export const makeOpen =
  ({ store, keyring }: WriteDeps) =>
  async (of: DestinationOwner, reference: string): Promise<OpenedDestination> => {
    const stored = await store.findDestination(of, knownReference(reference));
    if (stored === undefined) throw new Failure("not_found");
    return { stored, settings: await openSettings(keyring, stored) };
  };

/** Fails with request_invalid | destination_limit. */
export const makeCreate =
  (deps: WriteDeps): CreateDestination =>
  async (actor, wish) => {
    const { store, keyring, judgeUrl, newId, newSecret, clock } = deps;
    const { tenantId, environment } = actor;
    const judge = (url: string) => judgeUrl(url, environment);
    refuse([...missingFields(wish), ...judgeDestination(wish, judge)]);
    const [id, secret, createdAt] = [newId(), secretOf(newSecret()), clock()];
    const settings = mergeSettings(newSettings(wish.url ?? "", secret), wish);
    const begun = waitingState(settings);
    const created = {
      tenantId,
      environment,
      id,
      name: wish.name ?? "",
      topics: wish.topics ?? [],
      isOrdered: wish.isOrdered ?? false,
      state: begun.is,
      ...(begun.reason && { stateReason: begun.reason }),
      sealedSettings: await sealSettings(keyring, { tenantId, environment, id }, settings),
      createdAt,
      ...(settings.maxConcurrent !== undefined && { inFlightMax: settings.maxConcurrent }),
    };
    const step = stepFor(deps, actor, createdAt, id, {
      kind: "destination_created",
      facts: { topics: created.topics, auth: settings.auth.kind },
    });
    const { countMax } = destinationBounds;
    if (!(await store.createDestination(created, countMax, step))) {
      throw new Failure("destination_limit", { countMax });
    }
    const { inFlightMax: _inFlightMax, ...row } = created;
    const stored = { ...row, revision: 1, changedAt: createdAt };
    return { destination: showDestination(stored, settings, createdAt), secret };
  };

const stepFor = (
  { newId }: Pick<WriteDeps, "newId">,
  { keyId }: DestinationActor,
  at: Date,
  destination: string,
  { kind, facts = {} }: Pick<Change, "kind" | "facts">,
): Step =>
  stepOf({
    evidence: [evidenceOf(newId(), kind, at, { destination, ...(keyId && { key: keyId }), ...facts })],
  });

/** Writes a change to the revision that was read. */
export const makeWrite =
  (deps: WriteDeps) =>
  async (
    actor: DestinationActor,
    opened: OpenedDestination,
    { settings = opened.settings, kind, facts, ...change }: Change,
  ): Promise<OpenedDestination> => {
    const { store, keyring, clock } = deps;
    const { stored } = opened;
    const at = clock();
    const isSame = settings === opened.settings;
    const written: DestinationChange = {
      ...change,
      at,
      ...(!isSame && {
        sealedSettings: await sealSettings(keyring, stored, settings),
        formerUntil: formerEnd(settings) ?? "none",
        inFlightMax: settings.maxConcurrent ?? "default",
      }),
    };
    const step = stepFor(deps, actor, at, stored.id, { kind, ...(facts && { facts }) });
    if (!(await store.changeDestination(stored, written, step))) throw new Failure("destination_changed");
    return { stored: changed(stored, written), settings };
  };

/** The row after a change. */
const changed = (stored: StoredDestination, change: DestinationChange): StoredDestination => {
  const { state, stateReason, failingSince, ...rest } = stored;
  const { is, reason } = change.state ?? { is: state, reason: stateReason };
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

/** Removes secrets that sign no more, of every tenant. */
export const makeDropFormerSecrets =
  ({ store, keyring, clock }: WriteDeps): (() => Promise<number>) =>
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

/**
 * Removes a destination with its settings, which are not opened: a forged or a damaged one can be removed
 * too. Fails with not_found | destination_changed.
 */
export const makeRemove =
  (deps: WriteDeps) =>
  async (actor: DestinationActor, reference: string): Promise<void> => {
    const { tenantId } = actor;
    const id = knownReference(reference);
    const revision = await deps.store.findRevision(actor, id);
    if (revision === undefined) throw new Failure("not_found");
    const at = deps.clock();
    const step = stepFor(deps, actor, at, id, { kind: "destination_removed" });
    if (!(await deps.store.removeDestination({ tenantId, id, revision }, at, step)))
      throw new Failure("destination_changed");
  };
