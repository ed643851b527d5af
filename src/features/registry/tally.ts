import { Failure } from "#contract/failure";
import type { Collector } from "#machine/http/metrics";
import type { Environment, Registry, RegistryCountry } from "./registry.ts";

type Place = { readonly environment: Environment; readonly country: RegistryCountry };

/** How a question ended: `left` where its caller gave up, `paused` where it never left the process. */
type QuestionOutcome = "person" | "unknown" | "failed" | "timed_out" | "paused" | "left";

/** Counts of the registries of this process since its start. Made by {@link makeRegistryTally}. */
export type RegistryTally = {
  /** The same registry; its questions are counted. */
  readonly count: (registry: Registry, place: Place) => Registry;
  readonly gauges: readonly Collector[];
};

type Count = {
  readonly place: Place;
  readonly registry: Registry;
  readonly outcomes: Map<QuestionOutcome, number>;
  /** Time of the questions that left, in all. */
  ms: number;
};

export const makeRegistryTally = (nowMs: () => number): RegistryTally => {
  const counts: Count[] = [];
  return {
    count: (registry, place) => {
      const count: Count = { place, registry, outcomes: new Map(), ms: 0 };
      counts.push(count);
      return { ...registry, ask: countedAsk(registry, count, nowMs) };
    },
    gauges: gaugesOf(counts),
  };
};

const countedAsk =
  ({ ask }: Registry, count: Count, nowMs: () => number): Registry["ask"] =>
  async (question, signal) => {
    const started = nowMs();
    const ended = (outcome: QuestionOutcome): void => {
      count.outcomes.set(outcome, (count.outcomes.get(outcome) ?? 0) + 1);
      if (outcome !== "paused") count.ms += nowMs() - started;
    };
    try {
      const answer = await ask(question, signal);
      ended(answer.kind);
      return answer;
    } catch (error) {
      ended(signal.aborted ? "left" : outcomeOf(error));
      throw error;
    }
  };

const outcomeOf = (error: unknown): QuestionOutcome => {
  if (!(error instanceof Failure)) return "failed";
  if (error.code === "timed_out") return "timed_out";
  return "retryAfterSeconds" in error.facts ? "paused" : "failed";
};

const gaugesOf = (counts: readonly Count[]): readonly Collector[] => [
  {
    name: "idem_registry_questions",
    help: "Questions to a civil registry since the start, by outcome; a paused one did not leave",
    labels: ["environment", "country", "outcome"],
    read: () =>
      counts.flatMap(({ place, outcomes }) =>
        [...outcomes].map(([outcome, value]) => ({ labels: { ...place, outcome }, value })),
      ),
  },
  {
    name: "idem_registry_seconds",
    help: "Time of the questions to a civil registry that left, in all",
    labels: ["environment", "country"],
    read: () => counts.map(({ place, ms }) => ({ labels: place, value: ms / 1000 })),
  },
  {
    name: "idem_registry_paused",
    help: "1 while a civil registry is paused after failures",
    labels: ["environment", "country"],
    read: () =>
      counts.map(({ place, registry }) => ({ labels: place, value: registry.isPaused?.() === true ? 1 : 0 })),
  },
];
