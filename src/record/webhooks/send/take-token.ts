import { setTimeout as sleep } from "node:timers/promises";
import type { BoundContext, Keyring } from "#machine/storage/blobs";
import type { ClaimedToken, StoredToken, TokenCommands } from "../store/token-store.ts";
import { type RequestToken, tokenCallMsMax } from "./request-token.ts";
import type { AccessToken, OAuthDestination, TakeToken, TokenFault } from "./token.ts";

export type TakeTokenDeps = {
  readonly store: TokenCommands;
  readonly keyring: Pick<Keyring, "seal" | "open">;
  readonly requestToken: RequestToken;
  readonly clock: () => Date;
  /** Names this process in the leases of all. */
  readonly holder: string;
};

/** Share of its life after which a token is renewed. */
const refreshAt = 0.8;
/** Longer than the call of the worker that renews: a dead worker's lease ends soon after. */
const leaseMs = tokenCallMsMax + 5_000;
/** Pause between two reads while another worker renews. */
const pollMs = 100;
/**
 * After a failed renewal the former token serves until it expires, and the server is asked again after this.
 */
const pauseMs = 30_000;
/** How long this process uses a token that another worker renews now, before it asks the store again. */
const heldMs = 1_000;
/** Tokens in memory. Destinations beyond it read the store each time. */
const rememberedMax = 1_000;

type Remembered = AccessToken & { readonly revision: number; readonly until: number };

export const makeTakeToken = (deps: TakeTokenDeps): TakeToken => {
  const memory = makeMemory();
  const running = new Map<string, Promise<AccessToken | TokenFault>>();

  /** Attempts of this process that need the same token wait for one renewal. */
  const obtainOnce = (destination: OAuthDestination, refusedSerial: number | undefined) => {
    const { tenantId, id, revision } = destination;
    const name = `${tenantId} ${id} ${revision} ${refusedSerial ?? 0}`;
    const known = running.get(name);
    if (known !== undefined) return known;
    const started = obtain(deps, memory, destination, refusedSerial).finally(() => running.delete(name));
    running.set(name, started);
    return started;
  };

  return async (destination, { msMax, signal, refused }) => {
    const remembered = memory.find(destination, deps.clock().getTime());
    if (remembered !== undefined && remembered.serial > (refused?.serial ?? 0)) return remembered;
    return await within(obtainOnce(destination, refused?.serial), msMax, signal);
  };
};

/** Whatever the work does, it ends with the time of the attempt or with its signal. */
const within = async (
  work: Promise<AccessToken | TokenFault>,
  msMax: number,
  signal: AbortSignal | undefined,
): Promise<AccessToken | TokenFault> => {
  signal?.throwIfAborted();
  const ended = new AbortController();
  const stop = signal === undefined ? ended.signal : AbortSignal.any([ended.signal, signal]);
  try {
    return await Promise.race([work, afterTime(msMax, stop)]);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    ended.abort();
    work.catch(() => undefined);
  }
};

const afterTime = async (ms: number, signal: AbortSignal): Promise<TokenFault> => {
  await sleep(ms, undefined, { signal });
  return { reason: "No token came within the time of the attempt" };
};

const nameOf = ({ tenantId, id }: OAuthDestination): string => `${tenantId} ${id}`;

const makeMemory = () => {
  const tokens = new Map<string, Remembered>();
  return {
    find: (destination: OAuthDestination, now: number): AccessToken | undefined => {
      const found = tokens.get(nameOf(destination));
      return found !== undefined && found.revision >= destination.revision && now < found.until
        ? found
        : undefined;
    },
    keep: (destination: OAuthDestination, { value, serial }: AccessToken, until: number): void => {
      const name = nameOf(destination);
      tokens.delete(name);
      tokens.set(name, { value, serial, revision: destination.revision, until });
      const [oldest] = tokens.keys();
      if (tokens.size > rememberedMax && oldest !== undefined) tokens.delete(oldest);
    },
  };
};

type Memory = ReturnType<typeof makeMemory>;

const contextOf = ({ id, environment }: OAuthDestination): BoundContext => ({
  owner: `token of destination ${id}`,
  environment,
});

/** Reads, renews or waits for the token. Ends within the time of one lease. */
const obtain = async (
  deps: TakeTokenDeps,
  memory: Memory,
  destination: OAuthDestination,
  refusedSerial: number | undefined,
): Promise<AccessToken | TokenFault> => {
  for (let tries = 0; tries < leaseMs / pollMs; tries += 1) {
    const now = deps.clock();
    const claimed = await deps.store.claimToken({
      tenantId: destination.tenantId,
      destinationId: destination.id,
      revision: destination.revision,
      ...(refusedSerial !== undefined && { refusedSerial }),
      now,
      holder: deps.holder,
      leasedUntil: new Date(now.getTime() + leaseMs),
    });
    const answer = await answerClaim(deps, memory, destination, claimed);
    if (answer !== undefined) return answer;
    await sleep(pollMs);
  }
  return { reason: "Another process did not renew the token in time" };
};

/** If undefined, another worker renews the token, and no former one serves meanwhile. */
const answerClaim = async (
  deps: TakeTokenDeps,
  memory: Memory,
  destination: OAuthDestination,
  claimed: ClaimedToken,
): Promise<AccessToken | TokenFault | undefined> => {
  const { kind, token } = claimed;
  if (kind === "claimed") return await renew(deps, memory, destination, token);
  if (token === undefined) return undefined;
  const opened = await open(deps, destination, token);
  const untilMs = kind === "fresh" ? token.refreshAt.getTime() : deps.clock().getTime() + heldMs;
  memory.keep(destination, opened, Math.min(untilMs, token.expiresAt.getTime()));
  return opened;
};

const open = async (
  { keyring }: TakeTokenDeps,
  destination: OAuthDestination,
  { sealed, serial }: StoredToken,
): Promise<AccessToken> => {
  const plain = await keyring.open(destination.tenantId, "operations", sealed, contextOf(destination));
  return { value: Buffer.from(plain).toString("utf8"), serial };
};

const renew = async (
  deps: TakeTokenDeps,
  memory: Memory,
  destination: OAuthDestination,
  former: StoredToken | undefined,
): Promise<AccessToken | TokenFault> => {
  const { store, clock, holder, requestToken } = deps;
  const { tenantId, id: destinationId } = destination;
  const held = { tenantId, destinationId, holder };
  const issued = await requestToken(destination.auth).catch(async (error: unknown) => {
    await store.releaseToken(held);
    throw error;
  });
  if (!("value" in issued)) {
    const pausedUntil = new Date(clock().getTime() + pauseMs);
    await store.releaseToken(held, former && pausedUntil);
    if (former === undefined) return issued;
    const opened = await open(deps, destination, former);
    memory.keep(destination, opened, Math.min(pausedUntil.getTime(), former.expiresAt.getTime()));
    return opened;
  }
  return await keepIssued(deps, memory, destination, issued);
};

const keepIssued = async (
  { store, keyring, clock, holder }: TakeTokenDeps,
  memory: Memory,
  destination: OAuthDestination,
  { value, lifeMs }: { readonly value: string; readonly lifeMs: number },
): Promise<AccessToken> => {
  const { tenantId, id, revision } = destination;
  const nowMs = clock().getTime();
  const refreshMs = nowMs + lifeMs * refreshAt;
  const serial = await store.keepToken(
    { tenantId, destinationId: id, holder, revision },
    {
      sealed: await keyring.seal(tenantId, "operations", Buffer.from(value, "utf8"), contextOf(destination)),
      refreshAt: new Date(refreshMs),
      expiresAt: new Date(nowMs + lifeMs),
    },
  );
  // A worker that lost its lease, or whose destination was removed, uses its token this once.
  if (serial === undefined) return { value, serial: Number.MAX_SAFE_INTEGER };
  const token = { value, serial };
  memory.keep(destination, token, refreshMs);
  return token;
};
