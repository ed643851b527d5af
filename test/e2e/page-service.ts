/**
 * The far side of the capture elements in tests: pages of a site with a strict policy, the built files, and
 * the calls of one capture session, whose uploads it checks with the service's own reader. It holds no judge
 * of images.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { TurnDirection } from "#contract/capture";
import {
  type Container,
  type ContainerFault,
  parsePageKey,
  readContainer,
} from "#judging/face/challenge/container";
import { thumbprintOf, verifySignature } from "#judging/face/challenge/container-signature";
import { readBody } from "../harness/read-body.ts";

export type Scenario = {
  readonly steps: readonly { readonly name: "face" | "document"; readonly sides?: 1 | 2 }[];
  readonly level: "passive" | "active-turn";
  readonly turns: readonly TurnDirection[];
  readonly language: "es" | "en" | "pt-BR";
  /** Answers before acceptance, for each judged upload. */
  readonly guidance: readonly (readonly string[])[];
  /** The answer to a judged upload for which `guidance` has none; undefined accepts it. */
  readonly refuse: (upload: Judged) => readonly string[] | undefined;
  readonly triesMax: number;
  /** From the start of the service to the end of the session. */
  readonly endsInMs: number;
  /** Another page has offered the session to a telephone, with this code. */
  readonly offeredCode: string | undefined;
  readonly returnUrl: string | undefined;
  /** A judgement waits until each of these places was reported. */
  readonly ahead: readonly number[];
};

export const scenario: Scenario = {
  steps: [{ name: "face" }],
  level: "passive",
  turns: ["left", "right"],
  language: "en",
  guidance: [],
  refuse: () => undefined,
  triesMax: 3,
  endsInMs: 1_800_000,
  offeredCode: undefined,
  returnUrl: undefined,
  ahead: [],
};

export type Judged = {
  readonly step: string;
  readonly side: string | undefined;
  readonly source: string;
  readonly bytes: Uint8Array;
  readonly container: Container | ContainerFault | undefined;
  readonly isSigned: boolean;
};

type Upload = { readonly announced: Record<string, unknown>; bytes: Buffer; answer?: unknown };

/** A strict policy of a site; `source` is where the elements come from. */
const policyOf = (source: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${source}`,
    `connect-src 'self' ${source}`,
    "worker-src 'self' blob:",
    "img-src blob:",
    "style-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");

const files = new URL("../../api/widget/", import.meta.url);
const challengeId = "AAECAwQFBgcICQoLDA0ODw";

export const openPageService = async (chosen: Partial<Scenario>, detector: Uint8Array) => {
  const wanted = { ...scenario, ...chosen };
  const judged: Judged[] = [];
  const paths: string[] = [];
  const uploads = new Map<string, Upload>();
  const endsAt = Date.now() + wanted.endsInMs;
  let accepted = 0;
  let tries = 0;
  let hasConsent = false;
  let ended: "CANCELLED" | undefined;
  let boundKey = "";
  let thumbprint = "";
  let isDown = false;
  const places = [...wanted.ahead];
  const reported = Promise.withResolvers<void>();
  if (places.length === 0) reported.resolve();
  let handoff: { code: string; state: string } | undefined =
    wanted.offeredCode === undefined ? undefined : { code: wanted.offeredCode, state: "waiting" };

  /** The face, then each side of the document. */
  type Part = { readonly name: string; readonly side: string | undefined };
  const parts = wanted.steps.flatMap(({ name, sides = 2 }): readonly Part[] =>
    name === "face"
      ? [{ name, side: undefined }]
      : ["front", "back"].slice(0, sides).map((side) => ({ name, side })),
  );
  const stateNow = (): string => {
    if (ended !== undefined) return ended;
    if (accepted === parts.length) return "COMPLETED";
    if (tries >= wanted.triesMax) return "FAILED";
    return Date.now() >= endsAt ? "EXPIRED" : "OPEN";
  };
  const pageState = () => ({
    sessionId: "6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a",
    state: stateNow(),
    expiresAt: new Date(endsAt).toISOString(),
    language: wanted.language,
    languages: ["es", "en", "pt-BR"],
    consent: { version: "idem-1", text: "The text of the operator.", accepted: hasConsent },
    level: wanted.level,
    steps: wanted.steps.map(({ name }) => {
      const open = parts.findIndex((part, at) => part.name === name && at >= accepted);
      const side = open === -1 ? undefined : parts[open]!.side;
      return {
        name,
        state: open === -1 ? "accepted" : tries >= wanted.triesMax ? "failed" : "open",
        triesLeft: wanted.triesMax - tries,
        ...(side && { side }),
      };
    }),
    ...(handoff && { handoff }),
    ...(wanted.returnUrl !== undefined && { returnUrl: wanted.returnUrl }),
    isTest: true,
  });

  const refuse = (status: number, failure: string) => ({ status, body: { failure, status } });
  const found = (body: unknown) => ({ status: 200, body });

  const judge = async (id: string, upload: Upload) => {
    const { step, side, source, sha256 } = upload.announced;
    if (createHash("sha256").update(upload.bytes).digest("hex") !== sha256)
      return refuse(422, "capture_upload_damaged");
    const container = step === "face" ? readContainer(upload.bytes) : undefined;
    const isSigned = container?.kind === "container" && (await verifySignature(container, thumbprint));
    if (upload.answer === undefined) {
      const one: Judged = {
        step: String(step),
        side: typeof side === "string" ? side : undefined,
        source: String(source),
        bytes: upload.bytes,
        container,
        isSigned,
      };
      judged.push(one);
      const guidance = wanted.guidance[judged.length - 1] ?? wanted.refuse(one);
      if (guidance === undefined) accepted += 1;
      else tries += 1;
      const result = guidance === undefined ? "accepted" : tries >= wanted.triesMax ? "failed" : "again";
      upload.answer = {
        step,
        result,
        guidance: guidance ?? [],
        triesLeft: wanted.triesMax - tries,
        page: pageState(),
      };
    }
    uploads.set(id, upload);
    return found(upload.answer);
  };

  const answer = async (path: string, method: string, body: Record<string, unknown>) => {
    if (path === "" && method === "GET") return found(pageState());
    if (path === "/open") {
      if (stateNow() !== "OPEN") return refuse(409, "capture_ended");
      const key = JSON.stringify(body["pageKey"]);
      const isOther = boundKey !== "" && boundKey !== key;
      if (isOther && accepted > 0) return refuse(409, "capture_bound");
      if (isOther && body["takeOver"] !== true) return refuse(409, "capture_open_elsewhere");
      // A page that takes over ends the offer to a telephone (src/features/capture/session-state.ts).
      if (isOther) handoff = undefined;
      boundKey = key;
      const parsed = parsePageKey(body["pageKey"]);
      thumbprint = parsed === undefined ? "" : await thumbprintOf(parsed);
      return found(pageState());
    }
    if (path === "/consent") {
      hasConsent = body["accepted"] === true;
      return found(pageState());
    }
    if (path === "/cancel") {
      ended = "CANCELLED";
      return found(pageState());
    }
    if (path === "/handoff/confirm") {
      if (handoff === undefined) return refuse(409, "capture_handoff_refused");
      handoff = { ...handoff, state: "confirmed" };
      return found(pageState());
    }
    if (path === "/handoff") {
      handoff = { code: "4821", state: "waiting" };
      return found({
        url: `https://idem.example/capture/6f1c2a34#idem_capture_${"b".repeat(43)}`,
        code: "4821",
      });
    }
    if (!hasConsent) return refuse(409, "capture_consent_missing");
    if (path === "/challenge") {
      const issuedAt = new Date();
      const expiresAt = new Date(issuedAt.getTime() + 120_000);
      return found({
        id: challengeId,
        issuedAt,
        expiresAt,
        finishMs: 40_000,
        steps: wanted.turns.map((turn) => ({ turn })),
      });
    }
    if (path === "/uploads") {
      const id = `u${uploads.size}`;
      const same = [...uploads].find(([, { announced }]) =>
        ["step", "side", "sha256"].every((field) => announced[field] === body[field]),
      );
      if (same) return found({ uploadId: same[0], offset: same[1].bytes.length });
      uploads.set(id, { announced: body, bytes: Buffer.alloc(0) });
      return found({ uploadId: id, offset: 0 });
    }
    const [, , id = "", action] = path.split("/");
    const upload = uploads.get(id);
    if (upload === undefined) return refuse(404, "not_found");
    if (action === "pieces") {
      if (body["offset"] !== upload.bytes.length) return refuse(409, "capture_piece_refused");
      upload.bytes = Buffer.concat([upload.bytes, Buffer.from(String(body["data"]), "base64")]);
      return found({ offset: upload.bytes.length });
    }
    if (action === "finish") {
      await reported.promise;
      return judge(id, upload);
    }
    const ahead = places.shift();
    if (places.length === 0) reported.resolve();
    return found({ offset: upload.bytes.length, ...(ahead !== undefined && { ahead }) });
  };

  const readFields = async (request: IncomingMessage): Promise<Record<string, unknown>> =>
    JSON.parse((await readBody(request)) || "{}");

  const page = (attributes: string, source: string): string =>
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Capture</title><script type="module" src="/site.js"></script><script type="module" src="${source}/widget/idem.js"></script></head><body><main><h1>Bank</h1>${attributes}</main></body></html>`;
  const siteScript =
    'window.events=[];for(const name of ["ready","permission","guidance","captured","retry","timeout","extend","cancel","error","finished"])document.addEventListener("idem-"+name,(event)=>window.events.push([name,event.detail]));for(const name of ["moduleLoaded","extractionFinish","userCancel","trackStatus","stabilizing","emitData"])document.addEventListener(name,(event)=>window.events.push(["facephi:"+name,event.detail.detail]));';

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const { pathname } = url;
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "authorization, content-type");
    if (request.method === "OPTIONS") {
      response.writeHead(204).end();
      return;
    }
    paths.push(`${request.method} ${pathname}`);
    if (pathname.startsWith("/capture/v1/page")) {
      if (isDown) {
        request.socket.destroy();
        return;
      }
      if (request.headers.authorization !== "Bearer session-token") {
        response.writeHead(401).end("{}");
        return;
      }
      const path = pathname.slice("/capture/v1/page".length);
      const { status, body } = await answer(path, request.method ?? "GET", await readFields(request));
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      return;
    }
    if (pathname === "/widget/face-detector.bin") {
      response.writeHead(200, { "content-type": "application/octet-stream" }).end(detector);
      return;
    }
    if (pathname.startsWith("/widget/")) {
      const name = pathname === "/widget/worker.js" ? "worker.js" : "idem.js";
      response
        .writeHead(200, { "content-type": "text/javascript" })
        .end(await readFile(new URL(name, files)));
      return;
    }
    if (pathname === "/site.js") {
      response.writeHead(200, { "content-type": "text/javascript" }).end(siteScript);
      return;
    }
    // A page of another origin takes the elements from here.
    const isForeign = request.headers.host !== new URL(ownOrigin()).host;
    const source = isForeign ? ownOrigin() : "";
    response
      .writeHead(200, { "content-type": "text/html", "content-security-policy": policyOf(source) })
      .end(page(url.searchParams.get("html") ?? "", source));
  };

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const ownOrigin = (): string => `http://127.0.0.1:${port}`;
  return {
    judged,
    paths,
    urlOf: (html: string, host = "127.0.0.1"): string =>
      `http://${host}:${port}/?html=${encodeURIComponent(html)}`,
    setDown: (down: boolean): void => {
      isDown = down;
    },
    finishOnPhone: (): void => {
      accepted = parts.length;
    },
    close: (): void => {
      server.closeAllConnections();
      server.close();
    },
  };
};

export type PageService = Awaited<ReturnType<typeof openPageService>>;
