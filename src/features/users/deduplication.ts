import type { Caller } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import type { Json } from "#contract/json";
import type { trackingReasons } from "#contract/tracking-code";
import { matchesMax, type SearchPolicy } from "./policy.ts";
import { describeSearch, type SearchAnswer, type SearchFaces } from "./search-faces.ts";
import type { FaceList } from "./store/face-list.ts";

/** Why a candidate is refused although liveness and comparison passed; a reason of `finishTracking`. */
export type Refusal = Extract<
  (typeof trackingReasons)[number],
  "ALREADY_REGISTERED" | "BLACKLISTED_FACE_TEMPLATE"
>;

/** The result of the one-to-many searches for one enrolment candidate. */
export type EnrolmentCandidate = {
  readonly refusal?: Refusal;
  readonly searches: readonly SearchAnswer[];
  /** Lists that could not be searched completely, when the policy does not require it. */
  readonly unsearched: readonly FaceList[];
  /**
   * Set when duplicates are refused: enrol only if no list received a face after this position of the
   * evidence.
   */
  readonly searchedAt?: number;
};

export type Deduplication = {
  /**
   * Searches every template of one enrolment candidate and passes the result to `enrol`. If duplicates are
   * refused, the candidates of a tenant run one after the other: of two candidates with one face, the second
   * search finds the first. Fails with search_unavailable if the policy requires a complete search and it is
   * not possible yet. Fails with engine_busy if too many candidates wait. Fails with the reason of the call's
   * signal, so that no user is enrolled after the caller received a timeout.
   */
  readonly deduplicate: <Answer>(
    call: CandidateCall,
    templates: readonly Uint8Array[],
    enrol: (candidate: EnrolmentCandidate) => Promise<Answer>,
    /**
     * Id of the user whose template is replaced. That user is not a duplicate of itself, and faces that
     * cannot be compared do not stop the change to another recogniser.
     */
    own?: string,
  ) => Promise<Answer>;
};

type CandidateCall = {
  readonly caller: Pick<Caller, "tenantId" | "environment">;
  readonly signal: AbortSignal;
};

type Deps = { readonly searchFaces: SearchFaces; readonly policy: SearchPolicy };

/**
 * The most candidates of one tenant at once, including the running one. Among a million users one candidate
 * takes 0.2 s (four searches, docs/measurements/search.md), so the last one waits 13 s. That is under half of
 * the 30 s limit of a call.
 */
export const candidatesMax = 64;

export const makeDeduplication = ({ searchFaces, policy }: Deps): Deduplication => {
  const inQueue = makeQueues();
  return {
    deduplicate: async (call, templates, enrol, own) => {
      const work = async () => {
        call.signal.throwIfAborted();
        const candidate = await searchLists({ searchFaces, policy }, call, templates, own);
        call.signal.throwIfAborted();
        return await enrol(candidate);
      };
      return await (policy.duplicates === "refuse" ? inQueue(call, work) : work());
    },
  };
};

/**
 * Runs the work of each tenant one piece after the other. A call that ends while it waits fails at once with
 * the reason of its signal. It leaves the queue, so that its faces do not stay in memory. Fails with
 * engine_busy if the queue is full.
 */
const makeQueues = () => {
  /** Per tenant: the start functions of the running call and of the waiting calls, in order. */
  const queues = new Map<string, Set<() => void>>();
  return async <Answer>(
    { caller: { tenantId }, signal }: CandidateCall,
    work: () => Promise<Answer>,
  ): Promise<Answer> => {
    signal.throwIfAborted();
    const queue = queues.get(tenantId) ?? new Set();
    if (queue.size >= candidatesMax) {
      throw new Failure("engine_busy");
    }
    queues.set(tenantId, queue);
    const { promise: started, resolve: start, reject } = Promise.withResolvers<void>();
    queue.add(start);
    if (queue.size === 1) start();
    const leave = () => {
      queue.delete(start);
      const next = firstOf(queue);
      if (next === undefined) queues.delete(tenantId);
      else next();
    };
    const end = () => {
      // The running call keeps its place until it ends.
      if (firstOf(queue) !== start) queue.delete(start);
      reject(signal.reason);
    };
    signal.addEventListener("abort", end, { once: true });
    try {
      await started;
      return await work();
    } finally {
      signal.removeEventListener("abort", end);
      if (firstOf(queue) === start) leave();
    }
  };
};

const firstOf = <Value>(values: ReadonlySet<Value>): Value | undefined => values.values().next().value;

const searchLists = async (
  { searchFaces, policy: { duplicates } }: Deps,
  { caller, signal }: CandidateCall,
  templates: readonly Uint8Array[],
  own: string | undefined,
): Promise<EnrolmentCandidate> => {
  const search = async (list: FaceList): Promise<SearchAnswer> =>
    joinAnswers(
      await Promise.all(templates.map((template) => searchFaces(list, caller, template, signal))),
      own,
    );
  const blocked = await search("blocked");
  const users =
    duplicates === "off" ? undefined : await searchUnlessEarly(duplicates, () => search("people"));
  const searches = [blocked, ...(users === undefined ? [] : [users])];
  // A match refuses the enrolment. If some gallery entries could not be compared, fail instead of enrolling.
  // A user who is already enrolled (`own`) is refused only for a match, not for entries that cannot be
  // compared.
  const enrolment = duplicates === "refuse" ? searches : [blocked];
  const mustBeWhole = own === undefined ? enrolment : [];
  const refusal = isSure(blocked)
    ? "BLACKLISTED_FACE_TEMPLATE"
    : duplicates === "refuse" && users !== undefined && isSure(users)
      ? "ALREADY_REGISTERED"
      : undefined;
  if (refusal === undefined && mustBeWhole.some(({ missing }) => missing > 0)) {
    throw new Failure("search_unavailable");
  }
  return {
    searches,
    unsearched: duplicates !== "off" && (users === undefined || users.missing > 0) ? ["people"] : [],
    ...(refusal && { refusal }),
    ...(duplicates === "refuse" && {
      searchedAt: Math.min(...searches.map(({ searchedAt }) => searchedAt)),
    }),
  };
};

/** Joins the answers: all matches except `own`, each once with its highest score. */
const joinAnswers = (answers: readonly SearchAnswer[], own: string | undefined): SearchAnswer => {
  const found = answers.flatMap((answer) => answer.matches).sort((a, b) => b.score - a.score);
  const matches = found.filter(({ id }) => id !== own);
  return {
    ...answers[0]!,
    matches: matches
      .filter(({ id }, i) => matches.findIndex((match) => match.id === id) === i)
      .slice(0, matchesMax),
    searchedAt: Math.min(...answers.map(({ searchedAt }) => searchedAt)),
  };
};

/** If duplicates are only flagged, the candidate does not wait for the galleries. */
const searchUnlessEarly = async (
  duplicates: "flag" | "refuse",
  search: () => Promise<SearchAnswer>,
): Promise<SearchAnswer | undefined> => {
  try {
    return await search();
  } catch (error) {
    const isEarly = error instanceof Failure && error.code === "search_unavailable";
    if (isEarly && duplicates === "flag") return undefined;
    throw error;
  }
};

const isSure = ({ matches }: SearchAnswer): boolean => matches.some((match) => match.isSure);

/** The searches of a candidate, for the transaction record. */
export const describeCandidate = ({ searches, unsearched }: EnrolmentCandidate): Json => ({
  searches: searches.filter(({ size }) => size > 0).map(describeSearch),
  unsearched,
});

/** Random ids of all matches, for the evidence; an empty object if there are none. */
export const matchedIdsOf = ({ searches }: EnrolmentCandidate): { readonly alike?: readonly string[] } => {
  const matchedIds = searches.flatMap(({ matches }) => matches.map(({ id }) => id));
  // Stored key: earlier releases wrote it.
  return matchedIds.length === 0 ? {} : { alike: matchedIds };
};
