import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import type { SignRequest } from "#features/signing/pades/place-signature";
import type { SigningPorts } from "#trust/revocation/ports";
import { openSigningThreads, type SigningThreadOptions, type SigningThreads } from "./signing-threads.ts";

const unruly = new URL("../../test/support/app/unruly-signing.ts", import.meta.url);

const request: SignRequest = {
  signer: {
    name: "test",
    certificate: Uint8Array.of(1),
    chain: [],
    keyKind: "ec",
    hash: "sha256",
  },
  level: "B-B",
  revision: { at: new Date(0) },
  known: [],
};

const opened: SigningThreads[] = [];
const deaths: unknown[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ close }) => close()));
  deaths.splice(0);
});

const open = async (
  ports: Partial<SigningPorts> = {},
  more: Partial<SigningThreadOptions> = {},
): Promise<SigningThreads> => {
  const threads = openSigningThreads({
    threads: 1,
    ports: {
      sign: async (message) => Uint8Array.of(9, ...message),
      stamp: async (_hash, digest) => digest,
      fetch: async () => undefined,
      ...ports,
    },
    onDeath: (cause) => deaths.push(cause),
    computingMsMax: 300,
    worker: unruly,
    ...more,
  });
  opened.push(threads);
  await threads.ready;
  return threads;
};

const good = Uint8Array.of(0, 5);

const signWith = (threads: SigningThreads, document: Uint8Array, signal?: AbortSignal) =>
  threads.signPdf(Uint8Array.from(document), request, signal);

const expectGood = async (threads: SigningThreads): Promise<void> => {
  const { parts } = await signWith(threads, good);
  expect(parts).toEqual([Uint8Array.of(9, 0, 5)]);
};

const verifying = { roots: { signers: [], stamps: [] }, now: new Date(0) };

describe("openSigningThreads", () => {
  it("answers the questions of a thread from the ports of the main thread", async () => {
    await expectGood(await open());
  });

  it("passes a failure of a port to the caller", async () => {
    const threads = await open({
      sign: async () => {
        throw new Failure("signer_unusable", { reason: "revoked" });
      },
    });
    await expect(signWith(threads, good)).rejects.toMatchObject({
      code: "signer_unusable",
      facts: { reason: "revoked" },
    });
  });

  it.each([
    ["computes without end", 1, "pdf_unreadable", 60_000],
    ["asks without end", 2, "pdf_unreadable", 60_000],
    ["waits without a question", 4, "engine_busy", 600],
  ])(
    "ends the thread of a file that %s, and signs the next one",
    async (_, behaviour, code, waitingMsMax) => {
      const threads = await open({}, { waitingMsMax });
      await expect(signWith(threads, Uint8Array.of(behaviour))).rejects.toMatchObject({ code });
      await expectGood(threads);
      expect(deaths).toEqual([]);
    },
  );

  it("replaces a thread that dies over a file", async () => {
    const threads = await open();
    await expect(signWith(threads, Uint8Array.of(3))).rejects.toMatchObject({ code: "engine_failed" });
    await expectGood(threads);
    expect(deaths).toHaveLength(1);
  });

  it("tells the caller that a file whose objects fill the memory of a thread is the fault", async () => {
    const threads = await open({}, { heapMbMax: 48, computingMsMax: 60_000 });
    const refusal = { code: "pdf_unreadable", facts: { reason: "its objects are too large for the memory" } };
    await expect(signWith(threads, Uint8Array.of(5))).rejects.toMatchObject(refusal);
    await expect(threads.verifyPdf(Uint8Array.of(5), verifying)).rejects.toMatchObject(refusal);
    await expectGood(threads);
    expect(deaths).toHaveLength(2);
  });

  it("lets a thread wait for an authority for longer than it may compute", async () => {
    const threads = await open({ sign: (message) => sleep(700, message) });
    expect(await signWith(threads, good)).toMatchObject({ parts: [good] });
  });

  it("frees the thread of a caller that has left while an authority is asked", async () => {
    let isSlow = true;
    const threads = await open({
      sign: (message) =>
        isSlow ? new Promise(() => undefined) : Promise.resolve(Uint8Array.of(9, ...message)),
    });
    const caller = new AbortController();
    const left = signWith(threads, good, caller.signal);
    setTimeout(() => caller.abort(new Failure("shutting_down")), 100);
    await expect(left).rejects.toMatchObject({ code: "shutting_down" });
    isSlow = false;
    await expectGood(threads);
  });

  it("refuses a document when too many wait", async () => {
    const threads = await open({ sign: (message) => sleep(200, message) });
    const all = Array.from({ length: 18 }, () =>
      signWith(threads, good).then(
        () => "signed",
        ({ code }: Failure) => code,
      ),
    );
    const results = await Promise.all(all);
    expect(results.filter((one) => one === "signed")).toHaveLength(17);
    expect(results.filter((one) => one === "engine_busy")).toHaveLength(1);
  });

  it("hands the document over instead of copying it", async () => {
    const threads = await open();
    const document = Uint8Array.of(0, 6);
    await threads.signPdf(document, request);
    expect(document).toHaveLength(0);
  });

  it("signs while more verifications run than it has threads", async () => {
    const answers: (() => void)[] = [];
    const threads = await open(
      {
        sign: (message) =>
          message[1] === 1
            ? new Promise((resolve) => answers.push(() => resolve(message)))
            : Promise.resolve(message),
      },
      { threads: 2 },
    );
    const [first, second] = [1, 2].map(() => threads.verifyPdf(Uint8Array.of(0, 1), verifying));
    expect(await signWith(threads, good)).toMatchObject({ parts: [good] });
    for (const run of [first, second]) {
      await expect.poll(() => answers.length, { timeout: 10_000 }).toBe(1);
      answers.pop()?.();
      await run;
    }
  });

  it("signs a short file while more long files are read than it has threads", async () => {
    const answers: (() => void)[] = [];
    const order: number[] = [];
    const threads = await open(
      {
        sign: (message) => {
          if (message.length < 1000) return Promise.resolve(message);
          order.push(message[1] ?? 0);
          return new Promise((resolve) => answers.push(() => resolve(Uint8Array.of(0))));
        },
      },
      { threads: 2 },
    );
    const long = (kind: number): Uint8Array => {
      const bytes = new Uint8Array(256 * 1024 + 1);
      bytes[1] = kind;
      return bytes;
    };
    const runs = [
      signWith(threads, long(1)),
      threads.verifyPdf(long(3), verifying),
      signWith(threads, long(2)),
      threads.extendPdf(long(2), { hash: "sha256", known: [], now: new Date(0) }),
    ];
    expect(await signWith(threads, good)).toMatchObject({ parts: [good] });
    for (const count of runs.keys()) {
      await expect.poll(() => answers.length, { timeout: 10_000 }).toBe(1);
      expect(order).toHaveLength(count + 1);
      answers.pop()?.();
    }
    await Promise.all(runs);
    // Signatures go before verifications.
    expect(order).toEqual([1, 2, 2, 3]);
  });

  it("refuses a long file when too many wait", async () => {
    const threads = await open({ sign: (message) => sleep(20, message) }, { threads: 2 });
    const all = Array.from({ length: 18 }, () =>
      signWith(threads, new Uint8Array(256 * 1024 + 1)).then(
        () => "signed",
        ({ code }: Failure) => code,
      ),
    );
    expect((await Promise.all(all)).filter((one) => one === "engine_busy")).toHaveLength(1);
  });

  it("refuses a verification that waits too long for a thread, and the caller tries again", async () => {
    const answers: (() => void)[] = [];
    const threads = await open(
      { sign: (message) => new Promise((resolve) => answers.push(() => resolve(message))) },
      { verifyingWaitMsMax: 200 },
    );
    const first = threads.verifyPdf(Uint8Array.of(0, 1), verifying);
    await expect.poll(() => answers.length).toBe(1);
    await expect(threads.verifyPdf(Uint8Array.of(0, 2), verifying)).rejects.toMatchObject({
      code: "engine_busy",
      facts: { retryAfterSeconds: 1 },
    });
    answers[0]?.();
    await first;
  });
});
