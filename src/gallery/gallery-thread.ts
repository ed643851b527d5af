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

/** The galleries as the main thread sees them. Every call fails with search_unavailable where the thread has ended. */
export type GalleryThread<Batch> = {
  readonly put: (batch: Batch) => Promise<GalleryAnswers["put"]>;
  readonly remove: (gallery: string, ids: readonly string[]) => Promise<void>;
  readonly forget: (gallery: string) => Promise<void>;
  /** As `Scan`; nobody for a probe of another recogniser. */
  readonly search: (gallery: string, probe: Uint8Array, scoreMin: number, limit: number) => Promise<Found>;
  /** Faces of a gallery, by what the thread last said. */
  readonly size: (gallery: string) => number;
  /** Faces that are stored of a gallery and could not be opened, by what the thread last said. */
  readonly missing: (gallery: string) => number;
  readonly readings: () => GalleryReadings;
  readonly close: () => Promise<void>;
};

/**
 * What the thread holds, by the galleries' names, and the searches since the start of the service: failed ones count in, and
 * so does waiting.
 */
export type GalleryReadings = {
  readonly galleries: ReadonlyMap<string, GallerySize>;
  readonly searches: { readonly runs: number; readonly ms: number };
};

type Settle = { readonly resolve: (answer: never) => void; readonly reject: (error: Error) => void };

/**
 * A thread that holds galleries, begun with the first face. `onEnd` hears where it ends by itself: what it held is gone
 * then, and the next call begins another that holds nothing.
 */
export const makeGalleryThread = <Batch>(
  start: () => Worker,
  onEnd: (cause: unknown) => void,
): GalleryThread<Batch> => {
  const sizes = new Map<string, GallerySize>();
  const searches = { runs: 0, ms: 0 };
  let running: Line<Batch> | undefined;
  const line = (): Line<Batch> => {
    running ??= openLine<Batch>(start(), (cause) => {
      running = undefined;
      sizes.clear();
      onEnd(cause);
    });
    return running;
  };
  return {
    put: async (batch) => {
      const answer = await line().ask("put", { kind: "put", batch });
      answer.sizes.forEach(({ gallery, ...size }) => sizes.set(gallery, size));
      return answer;
    },
    remove: async (gallery, ids) => {
      if (!sizes.has(gallery)) return;
      sizes.set(gallery, await line().ask("remove", { kind: "remove", gallery, ids }));
    },
    forget: async (gallery) => {
      if (!sizes.has(gallery)) return;
      await line().ask("forget", { kind: "forget", gallery });
      sizes.delete(gallery);
    },
    search: async (gallery, probe, scoreMin, limit) => {
      const started = performance.now();
      try {
        return await line().ask("search", { kind: "search", gallery, probe, scoreMin, limit });
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

type Line<Batch> = {
  readonly ask: <Kind extends keyof GalleryAnswers>(
    kind: Kind,
    request: GalleryRequest<Batch>,
  ) => Promise<GalleryAnswers[Kind]>;
  readonly close: () => Promise<void>;
};

/** Finds the caller of each reply; rejects all that wait where the thread ends. */
const openLine = <Batch>(worker: Worker, onEnd: (cause: unknown) => void): Line<Batch> => {
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
