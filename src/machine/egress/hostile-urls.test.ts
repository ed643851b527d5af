import { once } from "node:events";
import { createServer as createTcpServer, isIPv6 } from "node:net";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attemptsDuring } from "#support/egress/connections";
import { hostileUrls } from "#support/egress/hostile-urls";
import { makeAddressGuard } from "./address.ts";
import type { FindAddresses } from "./connect.ts";
import { EgressError } from "./egress.ts";
import { makeEgress } from "./make-egress.ts";

/** Gives every name this address. */
const nameServerOf =
  (address = ""): FindAddresses =>
  (_host, _options, done) =>
    done(null, address === "" ? [] : [{ address, family: isIPv6(address) ? 6 : 4 }]);

const reasonOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "answered",
    (error: unknown) => (error instanceof EgressError ? error.reason : String(error)),
  );

const call = { bytesMax: 1000, headMsMax: 5000 };

describe("a hostile URL", () => {
  it("is one of at least two hundred, each once", () => {
    expect(hostileUrls.length).toBeGreaterThanOrEqual(200);
    expect(new Set(hostileUrls.map(({ url }) => url)).size).toBe(hostileUrls.length);
  });

  it.each(hostileUrls.map((one) => [one.why, one.url, one] as const))(
    "is refused before a connection: %s, %j",
    async (_why, url, { reason, at }) => {
      const closed = makeEgress({ allow: [] }, nameServerOf(at));
      let found = "";
      const attempts = await attemptsDuring(async () => {
        found = await reasonOf(closed(url, call));
      });
      expect([found, attempts]).toEqual([reason, []]);
    },
  );
});

/** A server on an address of this host that the tests alone use. */
const own = "127.0.0.9";

describe("a redirect to a hostile URL", () => {
  let location = "";
  const server = createTcpServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () =>
      socket.end(`HTTP/1.1 302 Found\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`),
    );
  });
  let base = "";
  beforeAll(async () => {
    server.listen(0, own);
    await once(server, "listening");
    const address = server.address();
    base = typeof address === "object" && address !== null ? `http://${own}:${address.port}/` : "";
  });
  afterAll(() => server.close());

  /** A header has printable ASCII, and a relative location stays on its server. */
  const locations = hostileUrls.filter(
    ({ url }) =>
      /^[\x21-\x7e]+$/.test(url) &&
      URL.canParse(url) &&
      URL.parse(url, "http://other.test/")?.host !== "other.test",
  );

  it("is tried with most of them", () => {
    expect(locations.length).toBeGreaterThan(200);
  });

  it.each(locations.map((one) => [one.why, one.url, one] as const))(
    "is not followed: %s, %s",
    async (_why, url, { reason, at }) => {
      location = url;
      const allowed = makeEgress({ allow: [own] }, nameServerOf(at));
      let found = "";
      const attempts = await attemptsDuring(async () => {
        found = await reasonOf(allowed(base, { ...call, redirectsMax: 3 }));
      });
      expect(found).toBe(reason);
      expect(attempts).toEqual([new URL(base).host]);
    },
  );
});

type Range = readonly [base: string, bits: number];
/** IANA's special-purpose registries, and the rest of IPv6 beyond 2000::/3. */
const closedIpv4: readonly Range[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

const numberOf = (address: string): number =>
  address.split(".").reduce((sum, byte) => sum * 256 + Number(byte), 0);
const addressOf = (value: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join(".");
const boundsOf = ([base, bits]: Range): readonly [first: number, last: number] => [
  numberOf(base),
  numberOf(base) + 2 ** (32 - bits) - 1,
];
const isClosed = (value: number): boolean =>
  closedIpv4.some((range) => value >= boundsOf(range)[0] && value <= boundsOf(range)[1]);

const closedGuard = makeAddressGuard([]);
const anyIpv4 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const closedAddress = fc
  .constantFrom(...closedIpv4)
  .chain((range) => fc.integer({ min: boundsOf(range)[0], max: boundsOf(range)[1] }));

describe("the closed addresses", () => {
  it.each(closedIpv4)("are %s/%i from the first to the last, and no address beside it", (...range) => {
    const [first, last] = boundsOf(range);
    const values = [first - 1, first, first + 1, last - 1, last, last + 1].filter(
      (one) => one >= 0 && one < 2 ** 32,
    );
    for (const value of values) {
      expect([addressOf(value), closedGuard.mayReach(addressOf(value))]).toEqual([
        addressOf(value),
        !isClosed(value),
      ]);
    }
  });

  it("are the same for every IPv4 address, alone and mapped", () => {
    fc.assert(
      fc.property(fc.oneof(anyIpv4, closedAddress), (value) => {
        const address = addressOf(value);
        expect(closedGuard.mayReach(address)).toBe(!isClosed(value));
        expect(closedGuard.mayReach(`::ffff:${address}`)).toBe(!isClosed(value));
      }),
      { numRuns: 2000 },
    );
  });

  it("are all of IPv6 but 2000::/3 without its special ranges, and IPv4-mapped addresses", () => {
    const hextet = fc.integer({ min: 0, max: 0xffff });
    const special = fc.constantFrom(
      [0x2001, 0],
      [0x2001, 0x1ff],
      [0x2001, 0xdb8],
      [0x2002, 7],
      [0x3fff, 0xfff],
    );
    const head = fc.oneof(
      fc.tuple(hextet, hextet),
      fc.tuple(fc.integer({ min: 0, max: 0xff }), hextet),
      special,
    );
    fc.assert(
      fc.property(head, fc.array(hextet, { minLength: 6, maxLength: 6 }), ([first = 0, second = 0], rest) => {
        const address = [first, second, ...rest].map((one) => one.toString(16)).join(":");
        const isSpecial =
          (first === 0x2001 && (second < 0x200 || second === 0xdb8)) ||
          first === 0x2002 ||
          (first === 0x3fff && second < 0x1000);
        fc.pre(!(first === 0 && second === 0));
        expect(closedGuard.mayReach(address)).toBe(first >= 0x2000 && first <= 0x3fff && !isSpecial);
      }),
      { numRuns: 2000 },
    );
  });
});

const written = fc.constantFrom(
  (value: number) => String(value),
  (value: number) => `0x${value.toString(16)}`,
  (value: number) => `0X00${value.toString(16).toUpperCase()}`,
  (value: number) => `0${value.toString(8)}`,
  (value: number) => `000${value.toString(8)}`,
);

/** The parts of an address: the last one holds all bytes that are left. */
const partsOf = (value: number, count: number): readonly number[] => {
  const bytes = [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256);
  return [...bytes.slice(0, count - 1), bytes.slice(count - 1).reduce((sum, byte) => sum * 256 + byte, 0)];
};

const fullWidth = (text: string): string =>
  Array.from(text, (one) => String.fromCodePoint(one.codePointAt(0)! + 0xfee0)).join("");
const disguise = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => `${text}.`,
  fullWidth,
  (text) => text.replaceAll(".", "。"),
  (text) => Array.from(text, (one) => `%${one.charCodeAt(0).toString(16)}`).join(""),
);

describe("a URL that parses to a closed address", () => {
  it("never connects, in whatever way its address is written", async () => {
    const spelling = fc.record({
      value: closedAddress,
      count: fc.integer({ min: 1, max: 4 }),
      writings: fc.tuple(written, written, written, written),
      disguise,
      port: fc.constantFrom("", ":443", ":8443", ":50000"),
    });
    const closed = makeEgress({ allow: [] });
    await fc.assert(
      fc.asyncProperty(spelling, async ({ value, count, writings, disguise: hide, port }) => {
        const host = hide(
          partsOf(value, count)
            .map((part, i) => writings[i]!(part))
            .join("."),
        );
        const url = `https://${host}${port}/`;
        expect(new URL(url).hostname).toBe(addressOf(value));
        const attempts = await attemptsDuring(async () => {
          expect(await reasonOf(closed(url, call))).toBe("address_refused");
        });
        expect(attempts).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it("never connects by its embedded form in IPv6", async () => {
    const closed = makeEgress({ allow: [] });
    const hex = (value: number): string => `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`;
    const forms = fc.constantFrom<(value: number) => string>(
      (value) => `::ffff:${addressOf(value)}`,
      (value) => `::ffff:${hex(value)}`,
      (value) => `0:0:0:0:0:FFFF:${hex(value)}`,
      (value) => `::${hex(value)}`,
      (value) => `::ffff:0:${hex(value)}`,
      (value) => `64:ff9b::${addressOf(value)}`,
      (value) => `64:ff9b:1::${hex(value)}`,
      (value) => `2002:${hex(value)}::1`,
      (value) => `2001:0:${hex(value)}::`,
    );
    await fc.assert(
      fc.asyncProperty(closedAddress, forms, async (value, form) => {
        const attempts = await attemptsDuring(async () => {
          expect(await reasonOf(closed(`https://[${form(value)}]/`, call))).toBe("address_refused");
        });
        expect(attempts).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
