import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { readRows } from "../harness/store-rows.ts";
import { openTenant, type Tenant } from "../harness/tenant.ts";

type Answer = { readonly status: number; readonly body: Record<string, unknown> };

/** A tenant of a whole service, and the calls of an integrator's backend. */
export type CaptureService = {
  readonly service: Tenant;
  readonly post: (path: string, fields: object) => Promise<Answer>;
  /** A session of the hosted page: its id, and the address for the person. */
  readonly openSession: (
    fields: object,
  ) => Promise<{ readonly id: string; readonly url: string; readonly token: string }>;
  readonly show: (id: string) => Promise<Record<string, unknown>>;
  /** Why captures of a session were refused, as their records state it. */
  readonly refusalsOf: (id: string) => Promise<readonly string[]>;
};

const judgedCapture = Compile(
  Type.Object({
    result: Type.Object({ sessionId: Type.String(), result: Type.String() }),
    measurements: Type.Object({ reason: Type.Union([Type.String(), Type.Null()]) }),
  }),
);

const captures = "select id from transactions where tenant_id = ? and endpoint = 'captureStep' order by at";

export const openCaptureService = async (): Promise<CaptureService> => {
  const service = await openTenant();
  const headers = { "x-api-key": service.apiKey, "content-type": "application/json" };
  const ask = async (path: string, fields?: object): Promise<Answer> => {
    const request = { headers, ...(fields && { method: "POST", body: JSON.stringify(fields) }) };
    const answer = await fetch(`${service.url}${path}`, request);
    return { status: answer.status, body: await answer.json() };
  };
  return {
    service,
    post: ask,
    openSession: async (fields) => {
      const { status, body } = await ask("/capture/v1/sessions", fields);
      if (status !== 200) throw new Error(JSON.stringify(body));
      return { id: String(body["sessionId"]), url: String(body["url"]), token: String(body["token"]) };
    },
    show: async (id) => (await ask(`/capture/v1/sessions/${id}`)).body,
    refusalsOf: async (sessionId) => {
      const reasons: string[] = [];
      for (const { id } of readRows(service.directory, captures, service.id)) {
        const { body } = await ask(`/operator/transactions/${String(id)}`);
        const { result, measurements } = judgedCapture.Parse(body);
        if (result.sessionId === sessionId && result.result !== "accepted") {
          reasons.push(String(measurements.reason));
        }
      }
      return reasons;
    },
  };
};
