import type { Endpoint } from "#contract/endpoint";
import type { Collector } from "#machine/http/metrics";
import type { AnswerOnce, FindPage, OpenMailbox, ReadAsset } from "#machine/http/options";
import type { Need } from "#machine/http/readiness";
import type { LeaseLoop } from "#record/jobs/lease-loop";
import type { Task } from "#record/jobs/schedule";

/**
 * What one of several processes on one PostgreSQL does. `api` answers callers, `worker` analyses documents
 * and does what recurs, `delivery` sends events. A process without a role does everything.
 */
export const roles = ["api", "worker", "delivery"] as const;

export type Role = (typeof roles)[number];

/**
 * The contributions of one module to the service. Made by {@link openFaces}, {@link openUsers},
 * {@link openDocuments} and in modules.ts. {@link openModules} lists the modules and {@link openIdem} folds
 * the list. ARCHITECTURE.md ('How to add a module') has the steps.
 *
 * @example
 * ```ts
 * import type { Module } from "#app/module";
 * import type { Endpoint } from "#contract/endpoint";
 *
 * // Add it to the list in `src/app/modules.ts`, after the modules that it uses.
 * export const openGreetings = (greet: Endpoint, removeOld: () => Promise<void>): Module => ({
 *   name: "greetings",
 *   endpoints: [greet],
 *   tidying: [removeOld],
 * });
 * ```
 */
export type Module = {
  readonly name: string;
  readonly endpoints?: readonly Endpoint[];
  /** Runs calls with an idempotency key once. One module has it. */
  readonly answerOnce?: AnswerOnce;
  /** Serves kept images to the holders of links. One module has it. */
  readonly readAsset?: ReadAsset;
  /** Finds the capture sessions of pages. One module has it. */
  readonly findPage?: FindPage;
  /** Shows what arrived at the mailboxes of tests. One module has it. */
  readonly mailbox?: OpenMailbox;
  /** The service is not ready while one of these checks fails. */
  readonly readiness?: readonly Need[];
  /** Loops over durable jobs. They start when the server listens and stop after it has drained. */
  readonly jobs?: readonly Pick<LeaseLoop, "start" | "stop">[];
  /** The role of the process that runs these jobs. Default: `worker`. */
  readonly jobsOf?: Role;
  /**
   * Run at the start and once an hour, one at a time, in this order. Modules run in reverse order of the
   * list.
   */
  readonly tidying?: readonly Task[];
  /** Read at each request of `/metrics`. */
  readonly gauges?: readonly Collector[];
  /** Called in the reverse order of the modules, after server, tidying and jobs have stopped. */
  readonly close?: () => Promise<void>;
};
