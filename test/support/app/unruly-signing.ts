import { setTimeout as sleep } from "node:timers/promises";
import type { MessagePort } from "node:worker_threads";
import { askMain } from "#features/signing/questions/ask-main";
import { serveTasks } from "#machine/threads/serve-tasks";
import { currentThread } from "#machine/threads/thread-time";

type Input = { readonly document: Uint8Array; readonly port: MessagePort };

/** What a hostile file can make of a signing thread, by its first byte. */
const behaviours = [
  /** Asks once, and gives the answer back. */
  (ports: ReturnType<typeof askMain>, document: Uint8Array) => ports.sign(document),
  /** Computes without end. */
  async () => {
    for (;;);
  },
  /** Asks without end. */
  async (ports: ReturnType<typeof askMain>) => {
    for (;;) await ports.fetch({ url: "http://crl.test/", kind: "crl" });
  },
  /** Ends its thread. */
  async () => process.exit(7),
  /** Waits, but computes nothing. */
  async () => {
    await sleep(60_000);
  },
  /** Fills its heap. */
  async () => {
    const kept: number[][] = [];
    for (;;) kept.push(Array.from({ length: 1000 }, (_, index) => kept.length + index));
  },
] as const;

const misbehave = async ({ document, port }: Input) => {
  const ports = askMain(port, currentThread());
  try {
    const given = await behaviours[document[0] ?? 0]?.(ports, document);
    return { parts: given instanceof Uint8Array ? [given] : [] };
  } finally {
    ports.close();
  }
};

const tasks = { signPdf: misbehave, extendPdf: misbehave, verifyPdf: misbehave };

export const runTask = Promise.resolve(serveTasks(tasks, () => ({})));
