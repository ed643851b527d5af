/** Fifty servers that keep no rule of HTTP. Each answers on its own path. */
import { createServer, type Socket } from "node:net";
import type { EgressReason } from "#machine/egress/egress";

/** How a call of a peer may end. `answered`: with a status, and its whole body. */
export type PeerEnd = "answered" | EgressReason;

export type HostilePeer = {
  readonly name: string;
  readonly answer: (socket: Socket) => void;
  readonly ends: readonly PeerEnd[];
};

/** Writes the same bytes as fast as the connection takes them, until it closes. */
const flood = (socket: Socket, bytes: string | Uint8Array): void => {
  const more = (): void => {
    if (!socket.destroyed) socket.write(bytes, () => setImmediate(more));
  };
  more();
};

/** Writes a text byte by byte. */
const drip = (socket: Socket, bytes: string, everyMs: number): void => {
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed) clearInterval(timer);
    else {
      socket.write(bytes[at % bytes.length] ?? "");
      at += 1;
    }
  }, everyMs);
};

const ok = "HTTP/1.1 200 OK\r\n";
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`;
const lengthOf = (length: number | string): string => `${ok}content-length: ${length}\r\n\r\n`;

const says = (text: string) => (socket: Socket) => void socket.write(text);
const ends = (text: string) => (socket: Socket) => void socket.end(text);
const floods = (start: string, text: string) => (socket: Socket) => {
  socket.write(start);
  flood(socket, text);
};

const lost: readonly PeerEnd[] = ["unreachable"];
const excess: readonly PeerEnd[] = ["too_long"];
const broken: readonly PeerEnd[] = ["cut", "unreachable"];
const late: readonly PeerEnd[] = ["timed_out"];

/** Before the head of an answer. */
const heads: readonly HostilePeer[] = [
  {
    name: "100 Continue without end",
    answer: floods("", "HTTP/1.1 100 Continue\r\n\r\n".repeat(1000)),
    ends: excess,
  },
  {
    name: "103 with a header, without end",
    answer: floods("", `HTTP/1.1 103 Early Hints\r\nlink: <${"a".repeat(900)}>\r\n\r\n`),
    ends: excess,
  },
  {
    name: "102 each 20 ms, for ever",
    answer: (socket) => {
      const timer = setInterval(() => socket.write("HTTP/1.1 102 Processing\r\n\r\n"), 20);
      socket.on("close", () => clearInterval(timer));
    },
    ends: excess,
  },
  {
    name: "nine interim heads before the answer",
    answer: ends(`${"HTTP/1.1 100 Continue\r\n\r\n".repeat(9)}${lengthOf(0)}`),
    ends: excess,
  },
  { name: "headers without end", answer: floods(ok, "x: y\r\n".repeat(500)), ends: [...lost, ...excess] },
  { name: "a name without end", answer: floods(ok, "x".repeat(4096)), ends: [...lost, ...excess] },
  {
    name: "a value without end",
    answer: floods(`${ok}x: `, "y".repeat(4096)),
    ends: [...lost, ...excess],
  },
  {
    name: "a reason without end",
    answer: floods("HTTP/1.1 200 ", "y".repeat(4096)),
    ends: [...lost, ...excess],
  },
  { name: "empty lines without end", answer: floods("", "\r\n".repeat(2000)), ends: [...lost, ...excess] },
  {
    name: "a head byte by byte",
    answer: (socket) => drip(socket, `${ok}x: ${"y".repeat(4000)}`, 40),
    ends: late,
  },
  { name: "no answer", answer: () => undefined, ends: late },
  { name: "half a head, then silence", answer: says(`${ok}content-le`), ends: late },
  { name: "half a head, then the end", answer: ends(`${ok}content-le`), ends: lost },
  { name: "the end at once", answer: ends(""), ends: lost },
  { name: "a reset at once", answer: (socket) => void socket.resetAndDestroy(), ends: lost },
  { name: "junk", answer: ends("\u0001\u0002 what is this\r\n\r\n"), ends: lost },
  { name: "NULs", answer: floods("", "\0".repeat(4096)), ends: lost },
  { name: "a NUL in a value", answer: ends(`${ok}x: a\0b\r\n\r\n`), ends: lost },
  { name: "a bare CR in a value", answer: ends(`${ok}x: a\rset-cookie: b\r\n\r\n`), ends: lost },
  { name: "a space in a name", answer: ends(`${ok}content length: 5\r\n\r\nhello`), ends: lost },
  {
    name: "a folded header",
    answer: ends(`${ok}x: a\r\n b\r\ncontent-length: 0\r\n\r\n`),
    ends: ["answered", ...lost],
  },
  { name: "the preface of HTTP/2", answer: ends("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), ends: lost },
  { name: "a frame of HTTP/2", answer: ends("\0\0\u0012\u0004\0\0\0\0\0\0\u0003\0\0\0d"), ends: lost },
  { name: "HTTP/0.9", answer: ends("<html>hello</html>"), ends: lost },
  { name: "another protocol", answer: ends("SSH-2.0-OpenSSH_9.9\r\n"), ends: lost },
  { name: "a status of two digits", answer: ends("HTTP/1.1 20 OK\r\n\r\n"), ends: lost },
  {
    name: "status 999",
    answer: ends("HTTP/1.1 999 No\r\ncontent-length: 0\r\n\r\n"),
    ends: ["answered", ...lost],
  },
  {
    name: "an upgrade",
    answer: ends("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nabc"),
    ends: lost,
  },
];

/** The length of a body. */
const lengths: readonly HostilePeer[] = [
  { name: "a negative length", answer: ends(`${lengthOf(-5)}hello`), ends: lost },
  { name: "a length of thirty digits", answer: ends(`${lengthOf("9".repeat(30))}hello`), ends: lost },
  {
    name: "two lengths",
    answer: ends(`${ok}content-length: 5\r\ncontent-length: 500\r\n\r\nhello`),
    ends: lost,
  },
  {
    name: "a length and chunks",
    answer: ends(`${ok}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    ends: lost,
  },
  { name: "a body that is cut", answer: ends(`${lengthOf(500)}hello`), ends: ["cut"] },
  {
    name: "a body that is reset",
    answer: (socket) => {
      socket.write(`${lengthOf(500)}hello`);
      setTimeout(() => socket.resetAndDestroy(), 50);
    },
    ends: ["cut"],
  },
  { name: "a body that stalls", answer: says(`${lengthOf(500)}hello`), ends: late },
  {
    name: "a body byte by byte",
    answer: (socket) => {
      socket.write(lengthOf(15_000));
      drip(socket, "x", 40);
    },
    ends: late,
  },
  { name: "a body without end", answer: floods(`${ok}\r\n`, "x".repeat(65_536)), ends: excess },
  { name: "a length beyond the limit", answer: floods(lengthOf(1e12), "x".repeat(65_536)), ends: excess },
  {
    name: "more than its length",
    answer: floods(`${lengthOf(5)}hello`, "x".repeat(4096)),
    ends: ["answered"],
  },
  {
    name: "a second answer",
    answer: says(`${lengthOf(5)}hello${lengthOf(5)}other`),
    ends: ["answered", "cut"],
  },
  {
    name: "100 Continue after its body",
    answer: floods(`${lengthOf(5)}hello`, "HTTP/1.1 100 Continue\r\n\r\n".repeat(100)),
    ends: ["answered", "cut"],
  },
  {
    name: "a packed body",
    answer: ends(`${ok}content-encoding: gzip\r\ncontent-length: 4\r\n\r\n\u001f\u0001\u0002\u0003`),
    ends: ["answered"],
  },
];

/** Chunks. */
const chunks: readonly HostilePeer[] = [
  { name: "chunks without end", answer: floods(chunked, `1000\r\n${"x".repeat(4096)}\r\n`), ends: excess },
  { name: "chunks of one byte", answer: floods(chunked, "1\r\nx\r\n".repeat(2000)), ends: excess },
  {
    name: "a long extension on each chunk",
    answer: floods(chunked, `1;${"e".repeat(8000)}\r\nx\r\n`),
    ends: [...excess, "cut"],
  },
  {
    name: "an extension without end",
    answer: floods(`${chunked}1;`, "e".repeat(4096)),
    ends: [...excess, "cut"],
  },
  { name: "a chunk of 2^64 bytes", answer: ends(`${chunked}ffffffffffffffffff\r\nx`), ends: broken },
  { name: "a size that is no number", answer: ends(`${chunked}zz\r\nhello\r\n`), ends: broken },
  { name: "a chunk that is cut", answer: ends(`${chunked}10\r\nhello`), ends: ["cut"] },
  { name: "no last chunk", answer: ends(`${chunked}5\r\nhello\r\n`), ends: ["cut"] },
  {
    name: "trailers without end",
    answer: floods(`${chunked}5\r\nhello\r\n0\r\n`, "x: y\r\n".repeat(500)),
    ends: [...excess, "cut"],
  },
  {
    name: "pieces of one byte",
    answer: (socket) => {
      socket.setNoDelay(true);
      socket.write(`${ok}\r\n`);
      flood(socket, "x");
    },
    ends: [...excess, ...late],
  },
];

/** Redirects, as a call meets them that follows none, and as one that follows some. */
const redirects: readonly HostilePeer[] = [
  ...[
    "file:///etc/passwd",
    "gopher://127.0.0.1/",
    "javascript:alert(1)",
    "http://[::ffff:10.0.0.1]/",
    "//",
  ].map(
    (location): HostilePeer => ({
      name: `a redirect to ${location}`,
      answer: ends(`HTTP/1.1 302 Found\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`),
      ends: ["answered", "url_refused", "address_refused"],
    }),
  ),
  {
    name: "a redirect to itself",
    answer: ends("HTTP/1.1 307 Again\r\nlocation: ?\r\ncontent-length: 0\r\n\r\n"),
    ends: ["answered", "redirect_refused"],
  },
  {
    name: "a redirect to a database",
    answer: ends("HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:6379/\r\ncontent-length: 0\r\n\r\n"),
    ends: ["answered", "url_refused"],
  },
];

export const hostilePeers: readonly HostilePeer[] = [...heads, ...lengths, ...chunks, ...redirects];

export type PeerServer = {
  readonly port: number;
  /** Bytes that went into connections, those in buffers of the system included. */
  readonly bytesSent: () => number;
};

/** Serves the whole catalogue on one port of this host: peer 7 on `/7`. */
export const servePeers = async (): Promise<PeerServer> => {
  const sockets = new Set<Socket>();
  let closedBytes = 0;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      closedBytes += socket.bytesWritten;
    });
    socket.once("data", (head) => {
      const place = Number(/^[A-Z]+ \/(\d+)/.exec(head.toString("latin1"))?.[1]);
      hostilePeers[place]?.answer(socket);
      socket.on("data", () => undefined);
      socket.on("end", () => socket.end());
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  const { port } = address;
  return {
    port,
    bytesSent: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, closedBytes),
  };
};
