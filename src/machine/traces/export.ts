import type { Egress } from "#machine/egress/egress";
import { type Resource, writeSpans } from "./otlp.ts";
import type { ExportSpans } from "./traces.ts";

export type ExportOptions = {
  readonly egress: Egress;
  /** The collector's path for traces, such as https://collector.example/v1/traces. */
  readonly url: string;
  /** Value of the Authorization header. */
  readonly authorization?: string | undefined;
  readonly resource: Resource;
};

/** The answer of a collector is empty or names refused spans. */
const answerBytesMax = 65_536;
/** The next batch waits for the answer. */
const answerMsMax = 10_000;

/**
 * Sends spans with one POST (OTLP/HTTP, 'Binary and JSON Protobuf Encoding'). Throws Error for any answer but
 * 2xx.
 */
export const makeExport =
  ({ egress, url, authorization, resource }: ExportOptions): ExportSpans =>
  async (spans) => {
    const answer = await egress(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(authorization !== undefined && { authorization }),
      },
      body: writeSpans(resource, spans),
      bytesMax: answerBytesMax,
      headMsMax: answerMsMax,
      silenceMsMax: answerMsMax,
      keepsConnection: true,
      signal: AbortSignal.timeout(answerMsMax),
    });
    answer.discard();
    if (answer.status < 200 || answer.status > 299) {
      throw new Error(`The collector of traces answered ${answer.status}`);
    }
  };
