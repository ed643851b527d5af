import { tokenKinds } from "#trust/tokens/envelope";
import { createTokenKey, publishKeys } from "#trust/tokens/keys";
import { sealToken } from "#trust/tokens/seal";
import type { TokenKind } from "#trust/tokens/token";
import { persons } from "../harness/images.ts";
import type { Draw } from "./draw.ts";
import type { Received } from "./exchange.ts";
import type { Attack, AttackCase } from "./run-attack.ts";
import type { Target } from "./target.ts";

/** A token that must not be opened, made from a sound one. */
type Damage = (token: Buffer, target: Target) => string | Promise<string>;

const id = "evaluatePassiveLivenessToken";

const send = async (target: Target, token: string): Promise<Received> => {
  const { method, path } = target.operation(id);
  const headers = { "content-type": "application/json", "x-api-key": target.keys.all };
  const body = Buffer.from(JSON.stringify({ imageBuffer: token }));
  return await target.exchange({ method, path, headers, body });
};

const refused = (name: string, damage: Damage): AttackCase => ({
  name,
  run: async (target) => {
    const token = Buffer.from(await target.seal("best-image"), "base64");
    const received = await send(target, await damage(token, target));
    const isOpened = received.status === 200 ? ["the token was opened"] : [];
    return [...target.judge(target.operation(id), received), ...isOpened];
  },
});

const flipped = (token: Buffer, at: number, bit: number): string => {
  const changed = Buffer.from(token);
  changed[at % changed.length]! ^= 1 << bit;
  return changed.toString("base64");
};

/** Every byte before the sealed image (src/trust/tokens/envelope.ts), and the first of it. */
const headBytes = 88;

const heads = Array.from({ length: headBytes }, (_, at) =>
  refused(`byte ${at} changed`, (token) => flipped(token, at, at % 8)),
);

const cuts = [1, 5, 6, 7, 20, headBytes, 1000].map((length) =>
  refused(`cut to ${length} bytes`, (token) => token.subarray(0, length).toString("base64")),
);

const otherKinds = tokenKinds
  .filter((kind: TokenKind) => kind !== "best-image")
  .map((kind: TokenKind) => refused(`a token of the kind ${kind}`, (_token, target) => target.seal(kind)));

const minute = 60_000;

const others: readonly AttackCase[] = [
  refused("one byte too many", (token) => Buffer.concat([token, Buffer.alloc(1)]).toString("base64")),
  refused("one byte too few", (token) => token.subarray(0, -1).toString("base64")),
  refused("the same token twice", (token) => Buffer.concat([token, token]).toString("base64")),
  refused("a plain document", () => Buffer.from("%PDF-1.7 and nothing else").toString("base64")),
  refused("zeros", (token) => Buffer.alloc(token.length).toString("base64")),
  refused("ten years old", (_token, target) =>
    target.seal("best-image", persons.selfie, 3650 * 24 * 60 * minute),
  ),
  refused("eleven minutes old", (_token, target) => target.seal("best-image", persons.selfie, 11 * minute)),
  refused("an hour ahead", (_token, target) => target.seal("best-image", persons.selfie, -60 * minute)),
  refused("sealed to another deployment", async () => {
    const keys = publishKeys({ current: await createTokenKey(new Date()) });
    return await sealToken({ keys, kind: "best-image", payload: persons.selfie, now: new Date() });
  }),
];

const replays = 12;

/** Spellings of one token: all of them are the same token. */
const spellings: readonly ((token: string) => string)[] = [
  (token) => token,
  (token) => token.replaceAll("+", "-").replaceAll("/", "_"),
  (token) => token.replaceAll("=", ""),
  (token) => token.replaceAll(/.{76}/g, "$&\r\n"),
  (token) => `data:application/octet-stream;base64,${token}`,
];

const replayed: AttackCase = {
  name: `one token ${replays} times at once, in every spelling`,
  run: async (target) => {
    const token = await target.seal("best-image");
    const calls = Array.from({ length: replays }, (_, at) =>
      send(target, spellings[at % spellings.length]!(token)),
    );
    const answers = await Promise.all(calls);
    // The same spelling again is a retry, which gets the stored bytes.
    const judged = new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text)).size;
    return [
      ...answers.flatMap((received) => target.judge(target.operation(id), received)),
      ...(judged === 1 ? [] : [`the token was judged ${judged} times`]),
    ];
  },
};

const drawn = (draw: Draw): AttackCase => {
  const [at, bit, length] = [draw.int(0, 30_000), draw.int(0, 7), draw.int(0, 20_000)];
  const noise = draw.bytes(draw.size(1, 40));
  const damages: readonly (readonly [string, Damage])[] = [
    [`bit ${bit} of byte ${at} changed`, (token) => flipped(token, at, bit)],
    [`cut to ${length} bytes`, (token) => token.subarray(0, length % token.length).toString("base64")],
    [
      `noise at ${at}`,
      (token) => {
        const start = at % (token.length - noise.length);
        const isSame = token.subarray(start, start + noise.length).equals(noise);
        noise.copy(token, start);
        return isSame ? "" : token.toString("base64");
      },
    ],
    [
      `another token's end from ${at}`,
      async (token, target) => {
        const other = Buffer.from(await target.seal("best-image", persons.portrait), "base64");
        const start = at % Math.min(token.length, other.length);
        const joined = Buffer.concat([token.subarray(0, start), other.subarray(start)]);
        // The last byte alone is the same in one pair of 256, and the first bytes are the same in all.
        return joined.equals(token) || joined.equals(other) ? "" : joined.toString("base64");
      },
    ],
  ];
  const [name, damage] = draw.pick(damages);
  return refused(name, damage);
};

/** Tokens that are changed, cut, of another kind, old, foreign, or sent again. */
export const tokenAttack: Attack = {
  kind: "tokens",
  fixed: [replayed, ...others, ...otherKinds, ...cuts, ...heads],
  generate: drawn,
};
