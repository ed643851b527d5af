import type { Worker } from "node:worker_threads";
import { Failure } from "#contract/failure";
import {
  type GalleryAnswers,
  type GalleryReply,
  type GalleryRequest,
  type GallerySize,
  retryAfterSeconds,
} from "./message.ts";
import type { Found } from "./scan.ts";

/**
 * The galleries as the main thread sees them. Every call fails with search_unavailable after the thread has
 * ended. Made by {@link makeGalleryThread}.
 */
export type GalleryThread<Batch> = {
  readonly put: (batch: Batch) => Promise<GalleryAnswers["put"]>;
  readonly remove: (gallery: string, ids: readonly string[]) => Promise<void>;
  readonly forget: (gallery: string) => Promise<void>;
  /** As `Scan`; no candidates for a probe of another recogniser. */
  readonly search: (gallery: string, probe: Uint8Array, scoreMin: number, limit: number) => Promise<Found>;
  /** The number of faces of a gallery, from the thread's last message. */
  readonly size: (gallery: string) => number;
  /** The number of stored faces of a gallery that could not be opened, from the thread's last message. */
  readonly missing: (gallery: string) => number;
  readonly readings: () => GalleryReadings;
  readonly close: () => Promise<void>;
};

/**
 * The contents of the thread by gallery name, and the searches since the start of the service. Failed
 * searches and waiting time count too.
 */
export type GalleryReadings = {
  readonly galleries: ReadonlyMap<string, GallerySize>;
  readonly searches: { readonly runs: number; readonly ms: number };
};

type Settle = { readonly resolve: (answer: never) => void; readonly reject: (error: Error) => void };

/**
 * A thread that holds galleries. The first face starts it. `onEnd` is called if the thread ends by itself:
 * its galleries are lost, and the next call starts a new, empty thread.
 */
export const makeGalleryThread = <Batch>(
  start: () => Worker,
  onEnd: (cause: unknown) => void,
): GalleryThread<Batch> => {
  const sizes = new Map<string, GallerySize>();
  const searches = { runs: 0, ms: 0 };
  let running: Connection<Batch> | undefined;
  const connection = (): Connection<Batch> => {
    running ??= openConnection<Batch>(start(), (cause) => {
      running = undefined;
      sizes.clear();
      onEnd(cause);
    });
    return running;
  };
  return {
    put: async (batch) => {
      const answer = await connection().ask("put", { kind: "put", batch });
      answer.sizes.forEach(({ gallery, ...size }) => sizes.set(gallery, size));
      return answer;
    },
    remove: async (gallery, ids) => {
      if (!sizes.has(gallery)) return;
      sizes.set(gallery, await connection().ask("remove", { kind: "remove", gallery, ids }));
    },
    forget: async (gallery) => {
      if (!sizes.has(gallery)) return;
      await connection().ask("forget", { kind: "forget", gallery });
      sizes.delete(gallery);
    },
    search: async (gallery, probe, scoreMin, limit) => {
      const started = performance.now();
      try {
        return await connection().ask("search", { kind: "search", gallery, probe, scoreMin, limit });
      } finally {
        searches.runs += 1;
        searches.ms += performance.now() - started;
      }
    },
    size: (gallery) => sizes.get(gallery)?.size ?? 0,
    missing: (gallery) => sizes.get(gallery)?.missing ?? 0,
    readings: () => ({ galleries: sizes, searches }),
    close: async () => {
      await running?.close();
    },
  };
};

type Connection<Batch> = {
  readonly ask: <Kind extends keyof GalleryAnswers>(
    kind: Kind,
    request: GalleryRequest<Batch>,
  ) => Promise<GalleryAnswers[Kind]>;
  readonly close: () => Promise<void>;
};

/** Matches each reply to its call, and rejects every waiting call when the thread ends. */
const openConnection = <Batch>(worker: Worker, onEnd: (cause: unknown) => void): Connection<Batch> => {
  const waiting = new Map<number, Settle>();
  let number = 0;
  let isClosing = false;
  let cause: unknown;
  const failAll = (): void => {
    const failure = new Failure("search_unavailable", { retryAfterSeconds }, { cause });
    waiting.forEach(({ reject }) => reject(failure));
    waiting.clear();
  };
  worker.on("message", (reply: GalleryReply & { readonly answer: never }) => {
    const settle = waiting.get(reply.number);
    waiting.delete(reply.number);
    if ("error" in reply) {
      settle?.reject(new Error(reply.error));
    } else {
      settle?.resolve(reply.answer);
    }
  });
  worker.on("error", (error) => {
    cause = error;
  });
  worker.once("exit", () => {
    failAll();
    if (!isClosing) onEnd(cause);
  });
  return {
    ask: (_, request) =>
      new Promise((resolve, reject) => {
        number += 1;
        waiting.set(number, { resolve, reject });
        worker.postMessage({ number, request });
      }),
    close: async () => {
      isClosing = true;
      await worker.terminate();
    },
  };
};
