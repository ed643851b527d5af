/** What one exchange may cost this process, whatever its peer sends. */

/** What a peer has sent in one exchange, and what reading it has taken. */
export type Received = {
  /** Interim answers (1xx) before the answer. */
  readonly interim: number;
  readonly hasHead: boolean;
  /** Bytes of HTTP, without those of TLS. */
  readonly bytes: number;
  /** Bytes on the wire: TLS records, handshakes and tickets count too. */
  readonly wireBytes: number;
  /** Bytes of the body, without the framing of chunks. */
  readonly bodyBytes: number;
  /** Reads from the connection, and pieces of the body that the parser found in them. */
  readonly pieces: number;
  /** Processor time of reading and parsing, in milliseconds. */
  readonly processorMs: number;
};

const kilobyte = 1024;

/** Where no source is named, the number is our choice, far above what an honest server needs. */
export const exchangeBudget = {
  /** Interim heads and the head together. Node bounds one head by the same number (http.maxHeaderSize). */
  headBytesMax: 16 * kilobyte,
  /** A server sends one 100, and one 103 for each source of its hints. */
  interimMax: 8,
  /** Framing, trailers and the head beside the body: free ones, and for each byte of the body. */
  bytesFree: 64 * kilobyte,
  bytesPerBodyByte: 2,
  /**
   * A certificate chain has up to 100 kB in OpenSSL (SSL_CTX_set_max_cert_list). A record costs 22 bytes more
   * than it holds.
   */
  wireBytesFree: 128 * kilobyte,
  wireBytesPerByte: 4,
  /**
   * Half a TCP segment, which holds 536 bytes at least (RFC 9293, 3.7.1): a read gives one piece of the body
   * or two.
   */
  piecesFree: 2_000,
  bytesPerPiece: 256,
  /** The parser of Node reads some 100 MB of honest body in a second. */
  processorMsFree: 500,
  processorMsPerMegabyte: 100,
} as const;

/**
 * Why an exchange must end, as the rest of a sentence about its host; undefined while it is within its
 * budget.
 */
export const judgeReceived = (received: Received): string | undefined => {
  const { interim, hasHead, bytes, wireBytes, bodyBytes, pieces, processorMs } = received;
  const of = exchangeBudget;
  if (interim > of.interimMax) return `sends more than ${of.interimMax} interim answers`;
  if (!hasHead && bytes > of.headBytesMax)
    return `sends more than ${of.headBytesMax} bytes before its answer`;
  if (bytes > of.bytesFree + of.bytesPerBodyByte * bodyBytes) {
    return "sends more framing than content";
  }
  if (wireBytes > of.wireBytesFree + of.wireBytesPerByte * bytes) {
    return "sends more of TLS than of content";
  }
  if (pieces > of.piecesFree + bytes / of.bytesPerPiece) return "sends its answer in too many small pieces";
  if (processorMs > of.processorMsFree + (of.processorMsPerMegabyte * bytes) / 1_000_000) {
    return "sends an answer that takes too much processor time";
  }
  return undefined;
};
