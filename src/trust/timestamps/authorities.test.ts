import { createHash } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { makeEgress } from "#machine/egress/make-egress";
import { listenLocally } from "#support/egress/local-server";
import { makeTestAuthority } from "#support/timestamps/authority";
import { oids } from "#trust/asn1/oids";
import { makeAuthorities, makeStampDigest, makeStampHash, orderAuthorities, restMs } from "./authorities.ts";
import { type Authority, makeAuthority, skewMsMax } from "./authority.ts";
import { readRoots } from "./trust.ts";
import { verifyToken } from "./verify-token.ts";

const digest = createHash("sha256").update("a signature").digest();
const imprint = { hash: "sha256", digest } as const;
const sound = makeTestAuthority();
const old = makeTestAuthority({
  valid: [new Date("2020-01-01T00:00:00Z"), new Date("2021-01-01T00:00:00Z")],
});
const roots = readRoots(sound.rootPem + old.rootPem);
const egress = makeEgress({ allow: ["127.0.0.1"] });
const unaborted = () => new AbortController().signal;

const servers: { close: () => void; closeAllConnections: () => void }[] = [];
afterEach(() =>
  servers.splice(0).forEach((server) => {
    server.closeAllConnections();
    server.close();
  }),
);

type Served = Authority & { readonly asked: () => number };

const serve = async (listener: RequestListener, clock = () => new Date()): Promise<Served> => {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    listener(request, response);
  });
  servers.push(server);
  const url = `http://127.0.0.1:${await listenLocally(server)}/tsr`;
  return { ...makeAuthority({ egress, url, roots, clock, answerMsMax: 300 }), asked: () => asked };
};

const answering = (answer: (request: Uint8Array) => Uint8Array, clock?: () => Date): Promise<Served> =>
  serve(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    response.end(answer(Buffer.concat(chunks)));
  }, clock);

const good = () => answering((asked) => sound.answer(asked));

const dead = async (): Promise<Served> => {
  const server = createServer();
  const url = `http://127.0.0.1:${await listenLocally(server)}/tsr`;
  server.close();
  return { ...makeAuthority({ egress, url, roots, clock: () => new Date() }), asked: () => 0 };
};

const stampWith = (authorities: readonly Authority[], clock = () => new Date()) => {
  const lines: string[] = [];
  const stamp = makeAuthorities({
    authorities,
    clock,
    onFallBack: (name, faults) => lines.push(`${name} after ${faults}`),
  });
  return { stamp: () => stamp(imprint, unaborted()), raw: stamp, lines };
};

const wrong: readonly (readonly [string, () => Promise<Served>, string])[] = [
  ["slow", () => serve(() => undefined), "no answer within 0.3 s"],
  [
    "slow in the middle",
    () => serve((_, response) => void response.writeHead(200).write("x")),
    "no answer within 0.3 s",
  ],
  ["dead", dead, "ECONNREFUSED"],
  ["broken", () => serve((_, response) => void response.writeHead(500).end()), "HTTP 500"],
  [
    "wrong in its number",
    () => answering((asked) => sound.answer(asked, { nonce: Buffer.of(1) })),
    "random number",
  ],
  [
    "wrong in its hash",
    () => answering(() => sound.grant(sound.stamp(createHash("sha256").update("x").digest()))),
    "another hash",
  ],
  [
    "wrong in its hash function",
    () => answering((asked) => sound.answer(asked, { hashOid: oids.sha512 })),
    "another hash",
  ],
  ["expired", () => answering((asked) => old.answer(asked)), "none of the given roots"],
  [
    "expired, and says that its clock is years behind,",
    () => answering((asked) => old.answer(asked, { at: new Date("2020-06-01T00:00:00Z") })),
    "five minutes from our clock",
  ],
  [
    "of another root",
    () => answering((asked) => makeTestAuthority().answer(asked)),
    "none of the given roots",
  ],
  ["refusing", () => answering(() => sound.refuse("no credit")), "no credit"],
];

describe("the list of authorities", () => {
  it.each(wrong)("asks the next one where an authority is %s", async (_, make, reason) => {
    const [first, second] = [await make(), await good()];
    const { stamp, lines } = stampWith([first, second]);
    const { token, authority } = await stamp();
    expect(authority).toBe(second.name);
    expect(verifyToken(token, imprint, roots)).toMatchObject({ isTrusted: true });
    expect(lines).toStrictEqual([expect.stringContaining(`${second.name} after `)]);
    expect(lines[0]).toContain(first.name);
    expect(lines[0]).toContain(reason);
  });

  it("fails with timestamp_failed, which names each authority and its fault to the operator alone", async () => {
    const all = await Promise.all(wrong.map(([, make]) => make()));
    const error: unknown = await makeStampDigest(stampWith(all).raw)("sha256", digest).catch(
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(Failure);
    expect(error).toMatchObject({ code: "timestamp_failed", facts: {} });
    const faults = error instanceof Failure && error.cause instanceof Error ? error.cause.message : "";
    for (const { name } of all) expect(faults).toContain(name);
    for (const [, , reason] of wrong) expect(faults).toContain(reason);
  });

  it("asks the first one alone while it answers", async () => {
    const [first, second] = [await good(), await good()];
    const { stamp, lines } = stampWith([first, second]);
    await stamp();
    await stamp();
    expect([first.asked(), second.asked(), lines.length]).toStrictEqual([2, 0, 0]);
  });

  it("asks an authority that failed last for a minute, and then again in its place", async () => {
    let now = Date.now();
    const clock = () => new Date(now);
    const first = await answering(() => sound.refuse("no"));
    const second = await good();
    const { stamp } = stampWith([first, second], clock);
    await stamp();
    now += restMs - 1;
    await stamp();
    expect([first.asked(), second.asked()]).toStrictEqual([1, 2]);
    now += 1;
    await stamp();
    expect([first.asked(), second.asked()]).toStrictEqual([2, 3]);
  });

  it("still asks authorities that failed where no other is left", async () => {
    let isSound = false;
    const only = await answering((asked) => (isSound ? sound.answer(asked) : sound.refuse("no")));
    const { stamp } = stampWith([only]);
    await expect(stamp()).rejects.toThrow("no");
    isSound = true;
    expect((await stamp()).authority).toBe(only.name);
  });

  it("asks no other authority when the caller gives up", async () => {
    const [slow, second] = [await serve(() => undefined), await good()];
    const { raw } = stampWith([slow, second]);
    await expect(raw(imprint, AbortSignal.timeout(50))).rejects.toThrow(slow.name);
    expect(second.asked()).toBe(0);
  });

  it("gives the token for a digest, and the whole stamp for a hash", async () => {
    const { raw } = stampWith([await good()]);
    const token = await makeStampDigest(raw)("sha256", digest);
    expect(verifyToken(token, imprint, roots)).toMatchObject({ isTrusted: true });
    const { stamp } = await makeStampHash(raw)(digest.toString("hex"), unaborted());
    expect(stamp.isTrusted).toBe(true);
  });
});

describe("the order of authorities", () => {
  const order = (failedAt: Readonly<Record<number, number>>, now: number) =>
    orderAuthorities(["a", "b", "c"], (place) => failedAt[place], now).map(([, name]) => name);

  it("is that of the list, with those that failed within the last minute at its end", () => {
    expect(order({}, 0)).toStrictEqual(["a", "b", "c"]);
    expect(order({ 0: 1000 }, 1000 + restMs - 1)).toStrictEqual(["b", "c", "a"]);
    expect(order({ 0: 1000 }, 1000 + restMs)).toStrictEqual(["a", "b", "c"]);
    expect(order({ 0: 1000, 1: 1000, 2: 1000 }, 1000)).toStrictEqual(["a", "b", "c"]);
  });

  it("forgets failures that a clock set back makes later than now", () => {
    expect(order({ 0: 1000 }, 999)).toStrictEqual(["a", "b", "c"]);
  });
});

describe("the time of a token", () => {
  it("may differ from our clock by five minutes, and not by more", async () => {
    const at = Math.floor(Date.now() / 1000) * 1000;
    const answered = async (differenceMs: number) => {
      const authority = await answering(
        (asked) => sound.answer(asked, { at: new Date(at) }),
        () => new Date(at + differenceMs),
      );
      return authority.stamp(imprint, unaborted()).then(
        () => "accepted",
        () => "refused",
      );
    };
    expect(await Promise.all([skewMsMax, -skewMsMax].map(answered))).toStrictEqual(["accepted", "accepted"]);
    expect(await Promise.all([skewMsMax + 1, -skewMsMax - 1].map(answered))).toStrictEqual([
      "refused",
      "refused",
    ]);
  });
});
