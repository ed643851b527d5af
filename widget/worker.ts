/**
 * The worker of the capture elements: it measures small frames, so that the page stays quick. No eval, no
 * WebAssembly.
 */
import { loadLook } from "./look/load-look.ts";
import type { Look } from "./look/look.ts";
import type { FromWorker, ToWorker } from "./look/messages.ts";

export { loadLook };

const isWorker = !("document" in globalThis);

const answer = (message: FromWorker): void => globalThis.postMessage(message);

const serve = (): void => {
  let look: Look | undefined;
  const start = async (weightsUrl: string): Promise<void> => {
    try {
      look = await loadLook(weightsUrl);
      answer({ kind: "started" });
    } catch {
      answer({ kind: "failed" });
    }
  };
  globalThis.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
    if (data.kind === "look") {
      answer(look === undefined ? { kind: "failed" } : { kind: "looked", answer: look(data.request) });
      return;
    }
    void start(data.weightsUrl);
  });
};

// A page whose policy allows no worker imports this file as a module and measures by itself.
if (isWorker) serve();
