import type { LookAnswer, LookRequest } from "./look.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

/** The measuring of frames, wherever it runs. One frame at a time. */
export type Looker = {
  readonly look: (request: LookRequest) => Promise<LookAnswer>;
  readonly close: () => void;
};

/** A worker that says nothing for this long is given up: its file was blocked, or the connection is gone. */
const startMs = 15_000;
const lookMs = 10_000;

type Ask = (message: ToWorker, waitMs: number) => Promise<FromWorker>;

const makeAsk =
  (worker: Worker): Ask =>
  (message, waitMs) =>
    new Promise((resolve, reject) => {
      const end = new AbortController();
      const { signal } = end;
      const timer = setTimeout(() => fail(), waitMs);
      const fail = (): void => {
        clearTimeout(timer);
        end.abort();
        reject(new Error("The worker does not answer"));
      };
      worker.addEventListener(
        "message",
        ({ data }: MessageEvent<FromWorker>) => {
          clearTimeout(timer);
          end.abort();
          resolve(data);
        },
        { signal },
      );
      worker.addEventListener("error", fail, { signal });
      worker.postMessage(message);
    });

const openWorker = async (worker: Worker, weightsUrl: string): Promise<Looker> => {
  const ask = makeAsk(worker);
  const started = await ask({ kind: "start", weightsUrl }, startMs).catch((error: unknown) => {
    worker.terminate();
    throw error;
  });
  if (started.kind !== "started") {
    worker.terminate();
    throw new Error("The worker did not start");
  }
  return {
    look: async (request) => {
      const answer = await ask({ kind: "look", request }, lookMs);
      if (answer.kind !== "looked") throw new Error("The worker measured nothing");
      return answer.answer;
    },
    close: () => worker.terminate(),
  };
};

/** A worker of another origin is started through a blob that imports it: browsers allow no other way. */
const crossOriginWorker = (workerUrl: string): Worker => {
  const blob = new Blob([`import ${JSON.stringify(workerUrl)};`], { type: "text/javascript" });
  const url = URL.createObjectURL(blob);
  const worker = new Worker(url, { type: "module" });
  setTimeout(() => URL.revokeObjectURL(url), startMs);
  return worker;
};

/** In the page itself, where its policy allows no worker: slower, and the same answers. */
const inPage = async (workerUrl: string, weightsUrl: string): Promise<Looker> => {
  const module: { loadLook: (url: string) => Promise<(request: LookRequest) => LookAnswer> } = await import(
    workerUrl
  );
  const look = await module.loadLook(weightsUrl);
  return { look: async (request) => look(request), close: () => undefined };
};

/** Starts the measuring: in a worker if the page's policy allows one, else in the page. */
export const startLook = async (files: string): Promise<Looker> => {
  const workerUrl = new URL("worker.js", files).href;
  const weightsUrl = new URL("face-detector.bin", files).href;
  const isOwn = new URL(files).origin === location.origin;
  try {
    const worker = isOwn ? new Worker(workerUrl, { type: "module" }) : crossOriginWorker(workerUrl);
    return await openWorker(worker, weightsUrl);
  } catch {
    return inPage(workerUrl, weightsUrl);
  }
};
