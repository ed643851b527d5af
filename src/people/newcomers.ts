import type { Caller } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import type { trackingReasons } from "#contract/tracking-code";
import type { FaceList } from "#storage/face-list";
import type { Json } from "#storage/store";
import { hitsMax, type SearchPolicy } from "./policy.ts";
import { describeSearch, type SearchAnswer, type SearchFaces } from "./search-faces.ts";

/** Why somebody who lives and matches the reference is not established; a reason of `finishTracking`. */
export type Refusal = Extract<
  (typeof trackingReasons)[number],
  "ALREADY_REGISTERED" | "BLACKLISTED_FACE_TEMPLATE"
>;

/** What one-to-many search says of somebody who is to be established. */
export type Newcomer = {
  readonly refusal?: Refusal;
  readonly searches: readonly SearchAnswer[];
  /** Lists that could not be searched, or not whole, where the policy does not insist. */
  readonly unsearched: readonly FaceList[];
  /** Where duplicates are refused: enrol only if no face came to a list since the evidence went so far. */
  readonly searchedAt?: number;
};

export type Newcomers = {
  /**
   * Searches all templates of one newcomer and hands what was found to `enrol`. Where duplicates are refused, one newcomer
   * of a tenant after the other, so that of two with one face the second meets the first. Fails with search_unavailable where
   * the policy insists on a search that cannot be made yet, or not of all faces; with engine_busy where too many wait; and
   * with the reason of the call's signal, so that nobody is enrolled whose caller has been told of a timeout.
   */
  readonly admit: <Answer>(
    call: NewcomerCall,
    templates: readonly Uint8Array[],
    enrol: (newcomer: Newcomer) => Promise<Answer>,
    /** Id of a user whose template is replaced: nobody's duplicate, and not kept from moving to another recogniser. */
    own?: string,
  ) => Promise<Answer>;
};

type NewcomerCall = {
  readonly caller: Pick<Caller, "tenantId" | "world">;
  readonly signal: AbortSignal;
};

type Deps = { readonly searchFaces: SearchFaces; readonly policy: SearchPolicy };

/**
 * Newcomers of a tenant at once, the one whose turn it is among them. Among a million users a turn takes two tenths of a
 * second (four searches, docs/measurements.md), so the last waits 13 s: under half of the 30 s that a call may take.
 */
export const newcomersMax = 64;

export const makeNewcomers = ({ searchFaces, policy }: Deps): Newcomers => {
  const inTurn = makeTurns();
  return {
    admit: async (call, templates, enrol, own) => {
      const work = async () => {
        call.signal.throwIfAborted();
        const newcomer = await look({ searchFaces, policy }, call, templates, own);
        call.signal.throwIfAborted();
        return await enrol(newcomer);
      };
      return await (policy.duplicates === "refuse" ? inTurn(call, work) : work());
    },
  };
};

/**
 * Does one piece of work of a tenant after the other. A call that ends while it waits fails at once with the reason of its
 * signal and leaves nothing in the line, which would keep its faces in memory. Fails with engine_busy where too many wait.
 */
const makeTurns = () => {
  /** Who is at work, then who waits: what begins the turn of each. */
  const lines = new Map<string, Set<() => void>>();
  return async <Answer>(
    { caller: { tenantId }, signal }: NewcomerCall,
    work: () => Promise<Answer>,
  ): Promise<Answer> => {
    signal.throwIfAborted();
    const line = lines.get(tenantId) ?? new Set();
    if (line.size >= newcomersMax) {
      throw new Failure("engine_busy");
    }
    lines.set(tenantId, line);
    const { promise: turn, resolve: begin, reject } = Promise.withResolvers<void>();
    line.add(begin);
    if (line.size === 1) begin();
    const leave = () => {
      line.delete(begin);
      const next = firstOf(line);
      if (next === undefined) lines.delete(tenantId);
      else next();
    };
    const end = () => {
      // Once it is at work it holds its place to the end.
      if (firstOf(line) !== begin) line.delete(begin);
      reject(signal.reason);
    };
    signal.addEventListener("abort", end, { once: true });
    try {
      await turn;
      return await work();
    } finally {
      signal.removeEventListener("abort", end);
      if (firstOf(line) === begin) leave();
    }
  };
};

const firstOf = <Value>(values: ReadonlySet<Value>): Value | undefined => values.values().next().value;

const look = async (
  { searchFaces, policy: { duplicates } }: Deps,
  { caller, signal }: NewcomerCall,
  templates: readonly Uint8Array[],
  own: string | undefined,
): Promise<Newcomer> => {
  const search = async (list: FaceList): Promise<SearchAnswer> =>
    joinAnswers(
      await Promise.all(templates.map((template) => searchFaces(list, caller, template, signal))),
      own,
    );
  const blocked = await search("blocked");
  const people = duplicates === "off" ? undefined : await searchOr(duplicates, () => search("people"));
  const searches = [blocked, ...(people === undefined ? [] : [people])];
  // Whoever is found is refused by that. Nobody is taken in past faces that were not compared.
  // A user who is enrolled already is refused for whom the search finds, but waits for no face that it cannot compare.
  const enrolment = duplicates === "refuse" ? searches : [blocked];
  const mustBeWhole = own === undefined ? enrolment : [];
  const refusal = isSure(blocked)
    ? "BLACKLISTED_FACE_TEMPLATE"
    : duplicates === "refuse" && people !== undefined && isSure(people)
      ? "ALREADY_REGISTERED"
      : undefined;
  if (refusal === undefined && mustBeWhole.some(({ missing }) => missing > 0)) {
    throw new Failure("search_unavailable");
  }
  return {
    searches,
    unsearched: duplicates !== "off" && (people === undefined || people.missing > 0) ? ["people"] : [],
    ...(refusal && { refusal }),
    ...(duplicates === "refuse" && {
      searchedAt: Math.min(...searches.map(({ searchedAt }) => searchedAt)),
    }),
  };
};

/** Everybody but `own` whom one of the answers found, each once with the highest score. */
const joinAnswers = (answers: readonly SearchAnswer[], own: string | undefined): SearchAnswer => {
  const found = answers.flatMap((answer) => answer.hits).sort((a, b) => b.score - a.score);
  const hits = found.filter(({ id }) => id !== own);
  return {
    ...answers[0]!,
    hits: hits.filter(({ id }, i) => hits.findIndex((hit) => hit.id === id) === i).slice(0, hitsMax),
    searchedAt: Math.min(...answers.map(({ searchedAt }) => searchedAt)),
  };
};

/** Where duplicates are only flagged, a newcomer does not wait for the galleries. */
const searchOr = async (
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

const isSure = ({ hits }: SearchAnswer): boolean => hits.some((hit) => hit.isSure);

/** What was found of a newcomer, for the record of the call. */
export const describeNewcomer = ({ searches, unsearched }: Newcomer): Json => ({
  searches: searches.filter(({ size }) => size > 0).map(describeSearch),
  unsearched,
});

/** Random ids of everybody who was found, for the evidence; nothing where nobody was. */
export const alikeIn = ({ searches }: Newcomer): { readonly alike?: readonly string[] } => {
  const alike = searches.flatMap(({ hits }) => hits.map(({ id }) => id));
  return alike.length === 0 ? {} : { alike };
};
