import { Failure } from "#contract/failure";
import type {
  FindRegistry,
  Registry,
  RegistryAnswer,
  RegistryPerson,
  RegistryQuestion,
} from "#features/registry/registry";

/** A registry that holds its persons in memory: an implementation of the seam for tests. */
export type MemoryRegistry = {
  readonly find: FindRegistry;
  /** Every question that reached it, the newest last. */
  readonly questions: RegistryQuestion[];
  /** Holds a person under a number, or fails as stated when it is asked about the number. */
  readonly hold: (number: string, person: RegistryPerson | Failure) => void;
  /** Runs when a question arrives, before the answer. */
  onAsk: (question: RegistryQuestion) => void;
};

/** A registry of every country for test keys. Live keys have none. */
export const makeMemoryRegistry = (): MemoryRegistry => {
  const persons = new Map<string, RegistryPerson | Failure>();
  const questions: RegistryQuestion[] = [];
  const answerOf = (number: string): RegistryAnswer => {
    const person = persons.get(number);
    if (person === undefined) return { kind: "unknown" };
    if (person instanceof Failure) throw person;
    return { kind: "person", person };
  };
  const memory: MemoryRegistry = {
    questions,
    hold: (number, person) => void persons.set(number, person),
    onAsk: () => undefined,
    find: (environment) => (environment === "test" ? registry : undefined),
  };
  const registry: Registry = {
    connector: "local",
    legalBasis: "Test contract, article 6",
    ask: async (question) => {
      questions.push(question);
      memory.onAsk(question);
      return answerOf(question.documentNumber);
    },
  };
  return memory;
};
