import type { MailboxMessage, MailboxOwner } from "./message.ts";

/** Our choice: enough for a day of tests, and at most some megabytes of a process. */
export const mailboxBounds = {
  messagesOfOne: 300,
  bytesOfOne: 8 * 2 ** 20,
  bytesOfAll: 64 * 2 ** 20,
  /** The most bytes of one body. Standard Webhooks asks for less than 20 kB. */
  bodyBytes: 256 * 2 ** 10,
} as const;

/** Messages of test environments, in the memory of this process. The oldest go when a bound is reached. */
export type Mailbox = {
  readonly put: (owner: MailboxOwner, message: Omit<MailboxMessage, "number">) => void;
  /** The messages after this number, the oldest first, at most `limit`. */
  readonly list: (owner: MailboxOwner, after: number, limit: number) => readonly MailboxMessage[];
  /** Resolves when the owner has a message after this number, or when `signal` aborts. */
  readonly wait: (owner: MailboxOwner, after: number, signal: AbortSignal) => Promise<void>;
};

type Bounds = { readonly [Name in keyof typeof mailboxBounds]: number };
/** `last` is the number of the owner's last message: it tells nothing of other tenants. */
type Box = {
  messages: readonly MailboxMessage[];
  last: number;
  bytes: number;
  readonly waiting: Set<() => void>;
};

const bytesOf = ({ body, headers }: Pick<MailboxMessage, "body" | "headers">): number =>
  Buffer.byteLength(body) + Buffer.byteLength(JSON.stringify(headers));

const keyOf = ({ tenantId, environment }: MailboxOwner): string => `${environment} ${tenantId}`;

export const makeMailbox = (bounds: Bounds = mailboxBounds): Mailbox => {
  const boxes = new Map<string, Box>();
  let bytesOfAll = 0;

  const boxOf = (owner: MailboxOwner): Box => {
    const key = keyOf(owner);
    const box = boxes.get(key) ?? { messages: [], last: 0, bytes: 0, waiting: new Set<() => void>() };
    boxes.set(key, box);
    return box;
  };
  const dropOldest = (box: Box): void => {
    const [oldest, ...rest] = box.messages;
    if (oldest === undefined) return;
    box.messages = rest;
    box.bytes -= bytesOf(oldest);
    bytesOfAll -= bytesOf(oldest);
  };
  const isFull = ({ messages, bytes }: Box): boolean =>
    messages.length > bounds.messagesOfOne || bytes > bounds.bytesOfOne;

  return {
    put: (owner, message) => {
      const box = boxOf(owner);
      box.last += 1;
      box.messages = [...box.messages, { ...message, number: box.last }];
      box.bytes += bytesOf(message);
      bytesOfAll += bytesOf(message);
      while (isFull(box)) dropOldest(box);
      while (bytesOfAll > bounds.bytesOfAll) dropOldest(fullest(boxes));
      [...box.waiting].forEach((wake) => wake());
    },
    list: (owner, after, limit) =>
      (boxes.get(keyOf(owner))?.messages ?? []).filter(({ number }) => number > after).slice(0, limit),
    wait: async (owner, after, signal) => {
      const { messages, waiting } = boxOf(owner);
      if (signal.aborted || (messages.at(-1)?.number ?? 0) > after) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.add(resolve);
      const end = (): void => resolve();
      signal.addEventListener("abort", end, { once: true });
      await promise;
      signal.removeEventListener("abort", end);
      waiting.delete(resolve);
    },
  };
};

/** One tenant with many messages loses its own, not those of others. */
const fullest = (boxes: ReadonlyMap<string, Box>): Box =>
  [...boxes.values()].reduce((most, box) => (box.bytes > most.bytes ? box : most));
