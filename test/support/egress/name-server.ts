import { createSocket } from "node:dgram";
import { Resolver } from "node:dns";
import { once } from "node:events";
import type { FindAddresses } from "#machine/egress/connect";

/** A name server (RFC 1035) on this host: the addresses of a name may differ with every question. */
export type NameServer = {
  /** Asks this server, and no other. */
  readonly findAddresses: FindAddresses;
  /** The asked names, in their order. */
  readonly asked: readonly string[];
  readonly close: () => void;
};

const headerBytes = 12;
/** An answer without an error, recursion available. */
const answerFlags = 0x8180;
/** The name of the question, as a pointer. */
const sameName = 0xc00c;

/** The name of a question and the place behind it: labels, each after its length, up to a length of 0. */
const readName = (packet: Buffer): readonly [name: string, end: number] => {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = packet[at]!; length > 0; length = packet[at]!) {
    labels.push(packet.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return [labels.join("."), at + 1];
};

/** A record of type A and class IN that must not be kept. */
const recordOf = (address: string): Buffer => {
  const record = Buffer.alloc(16);
  record.writeUInt16BE(sameName, 0);
  record.writeUInt16BE(1, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(0, 6);
  record.writeUInt16BE(4, 10);
  address.split(".").forEach((byte, i) => record.writeUInt8(Number(byte), 12 + i));
  return record;
};

const answer = (question: Buffer, end: number, addresses: readonly string[]): Buffer => {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt16BE(question.readUInt16BE(0), 0);
  header.writeUInt16BE(answerFlags, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  // Name, type and class of the question.
  return Buffer.concat([header, question.subarray(headerBytes, end + 4), ...addresses.map(recordOf)]);
};

/** Starts a name server. `addressesOf`: the IPv4 addresses of a name at its n-th question, from 0. */
export const startNameServer = async (
  addressesOf: (name: string, n: number) => readonly string[],
): Promise<NameServer> => {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  socket.on("message", (question, { port, address }) => {
    const [name, end] = readName(question);
    const n = asked.filter((one) => one === name).length;
    asked.push(name);
    socket.send(answer(question, end, addressesOf(name, n)), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    asked,
    findAddresses: (host, _options, done) =>
      resolver.resolve4(host, (error, addresses) =>
        done(
          error,
          (addresses ?? []).map((address) => ({ address, family: 4 })),
        ),
      ),
    close: () => socket.close(),
  };
};
