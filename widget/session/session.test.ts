import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type Call, codeOf, makeCall, PageError } from "./call.ts";
import { makePageKey } from "./page-key.ts";
import { readChallenge, readPageState, readStepAnswer } from "./page-state.ts";
import { makeServiceClock } from "./service-clock.ts";
import { makeSession } from "./session.ts";
import { askPlaceMs, pieceBytes, toBase64, upload } from "./upload.ts";

const pageState = {
  sessionId: "s",
  state: "OPEN",
  expiresAt: "",
  language: "pt-BR",
  level: "active-turn",
  consent: { version: "idem-1", text: "t", accepted: true },
  steps: [
    { name: "face", state: "open", triesLeft: 3 },
    { name: "later", state: "open", triesLeft: 1 },
  ],
};
const judged = {
  step: "face",
  result: "again",
  guidance: ["closer", "of_the_future"],
  triesLeft: 2,
  page: pageState,
};

describe("answers of the service", () => {
  it("are read field by field; a step or code of a later version is left out", () => {
    expect(readPageState(pageState)).toMatchObject({
      language: "pt-BR",
      isTest: false,
      steps: [{ name: "face" }],
    });
    expect(readPageState({ ...pageState, languages: ["en", "xx", 7] }).languages).toEqual(["en"]);
    expect(readStepAnswer(judged).guidance).toEqual(["closer"]);
  });

  it.each([
    ["https://bank.example/done", true],
    ["http://localhost:3000/done", true],
    ["http://bank.example/done", false],
    ["http://localhost.example/", false],
    ["javascript:alert(1)", false],
    ["https://", false],
    ["https://bank.example@evil.example/", false],
    ["https://bank.example\\@evil.example/", false],
  ])("lead back to a page alone: %s %s", (returnUrl, isKept) => {
    expect(readPageState({ ...pageState, returnUrl }).returnUrl).toBe(isKept ? returnUrl : undefined);
  });

  it.each([undefined, null, 7, "text", [], {}, { state: "OPEN", steps: [] }, { ...pageState, state: "?" }])(
    "that are no state are refused: %j",
    (value) => {
      expect(() => readPageState(value)).toThrow(TypeError);
      expect(() => readStepAnswer(value)).toThrow(TypeError);
      expect(() => readChallenge(value)).toThrow(TypeError);
    },
  );

  it("with a task that this page cannot show are refused", () => {
    const challenge = { id: "x", finishMs: 40_000, steps: [{ turn: "left" }, { turn: "up" }] };
    expect(readChallenge(challenge).steps).toHaveLength(2);
    expect(() => readChallenge({ ...challenge, steps: [{ turn: "left" }, { nod: "twice" }] })).toThrow(
      TypeError,
    );
  });
});

describe("a session that has ended", () => {
  const openedWith = async (failure: string): Promise<string> => {
    const session = makeSession({
      call: async (path) => {
        if (path !== "") throw new PageError(failure, 409);
        return { ...pageState, state: "COMPLETED" };
      },
      makeKey: makePageKey,
      language: "en",
      now: () => 0,
    });
    return await session.open(false).then(({ state }) => state, codeOf);
  };

  it("opens with its end; another refusal stays one", async () => {
    expect(await openedWith("capture_ended")).toBe("COMPLETED");
    expect(await openedWith("capture_expired")).toBe("COMPLETED");
    expect(await openedWith("capture_open_elsewhere")).toBe("capture_open_elsewhere");
  });
});

/** Calls of a service that gives this answer. */
const answering = (status: number, body: string) => {
  const sent: { url: string; request: RequestInit | undefined }[] = [];
  const dates: (string | null)[] = [];
  const send = async (url: string | URL | Request, request?: RequestInit): Promise<Response> => {
    sent.push({ url: url instanceof Request ? url.url : String(url), request });
    return new Response(body, { status, headers: { date: "Wed, 25 Nov 2026 12:00:00 GMT" } });
  };
  const call = makeCall("https://idem.example", "secret", send, (date) => dates.push(date));
  return { call, sent, dates };
};

describe("calls", () => {
  it("carry the token in a header alone, without cookies and referrer", async () => {
    const { call, sent } = answering(200, "{}");
    await call("/open", { a: 1 });
    await call("", undefined);
    expect(sent[0]?.url).toBe("https://idem.example/capture/v1/page/open");
    expect(sent[0]?.request).toMatchObject({
      method: "POST",
      credentials: "omit",
      referrerPolicy: "no-referrer",
    });
    expect(sent[1]?.request).toMatchObject({ method: "GET" });
    expect(JSON.stringify(sent.map(({ url }) => url))).not.toContain("secret");
  });

  it("name the failure, or the lost connection", async () => {
    const codeFor = async (status: number, body: string) =>
      answering(status, body)
        .call("", undefined)
        .then(() => "none", codeOf);
    expect(await codeFor(409, '{"failure":"capture_expired"}')).toBe("capture_expired");
    expect(await codeFor(401, '{"message":"Unauthorized"}')).toBe("unauthorized");
    expect(await codeFor(500, '{"failure":"<b>"}')).toBe("unexpected");
    expect(await codeFor(502, "<html>")).toBe("unexpected");
    expect(await codeFor(200, "cut")).toBe("page_offline");
    const offline = makeCall(
      "https://idem.example",
      "t",
      () => Promise.reject(new TypeError("network")),
      () => undefined,
    );
    expect(await offline("", undefined).then(() => "none", codeOf)).toBe("page_offline");
  });
});

describe("the time of the service", () => {
  it("is that of its answers, however wrong the clock of the page is", () => {
    let own = Date.parse("2020-01-01T00:00:00Z");
    const clock = makeServiceClock(() => own);
    expect(clock.now()).toBe(own);
    clock.note("Wed, 25 Nov 2026 12:00:00 GMT");
    own += 2_500;
    for (const unreadable of [null, "", "soon"]) clock.note(unreadable);
    expect(new Date(clock.now()).toISOString()).toBe("2026-11-25T12:00:02.500Z");
  });

  it("comes with every answer, refusals too", async () => {
    const { call, dates } = answering(409, "{}");
    await expect(call("", undefined)).rejects.toMatchObject({ status: 409 });
    expect(dates).toEqual(["Wed, 25 Nov 2026 12:00:00 GMT"]);
  });
});

/** A service that holds one upload, and loses calls or answers as asked. */
const receiver = (lose: (path: string, count: number) => "nothing" | "call" | "answer") => {
  let received = Buffer.alloc(0);
  let announced: Record<string, unknown> = {};
  const calls: string[] = [];
  const answer = (path: string, body: unknown): unknown => {
    if (path === "/uploads") {
      announced = Object(body);
      return { uploadId: "u 1", offset: received.length };
    }
    if (path.endsWith("/pieces")) {
      const { offset, data } = Object(body);
      if (offset !== received.length) throw new PageError("capture_piece_refused", 409);
      received = Buffer.concat([received, Buffer.from(data, "base64")]);
      return { offset: received.length };
    }
    return path.endsWith("/finish") ? judged : { offset: received.length };
  };
  const call: Call = async (path, body) => {
    calls.push(path);
    const lost = lose(path, calls.filter((one) => one === path).length);
    if (lost === "call") throw new PageError("page_offline", 0);
    const value = answer(path, body);
    if (lost === "answer") throw new PageError("page_offline", 0);
    return value;
  };
  return { call, calls, received: () => received, announced: () => announced };
};

const bytes = Uint8Array.from({ length: 2 * pieceBytes + 5 }, (_, i) => (i * 7) % 251);
const send = async (service: ReturnType<typeof receiver>, sent = bytes) => {
  const reports: (number | boolean)[] = [];
  const answer = await upload(
    { step: "face", bytes: sent, source: "camera" },
    {
      call: service.call,
      // No judgement of this service takes so long that the page asks for its place.
      pause: (ms) => (ms === askPlaceMs ? new Promise(() => undefined) : Promise.resolve()),
      report: (share) => reports.push(share),
      reportOffline: (isOffline) => reports.push(isOffline),
      reportAhead: () => undefined,
    },
  );
  return { answer, reports };
};

describe("an upload", () => {
  it("goes in pieces, announced with its hash", async () => {
    const service = receiver(() => "nothing");
    const { answer } = await send(service);
    expect(answer.result).toBe("again");
    expect(service.received().equals(bytes)).toBe(true);
    expect(service.calls).toEqual([
      "/uploads",
      ...Array<string>(3).fill("/uploads/u%201/pieces"),
      "/uploads/u%201/finish",
    ]);
    expect(service.announced()).toMatchObject({
      step: "face",
      source: "camera",
      bytes: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
    });
  });

  it.each(["call", "answer"] as const)("goes on where it was after each %s was lost once", async (kind) => {
    const service = receiver((_, count) => (count % 2 === 1 ? kind : "nothing"));
    const { answer, reports } = await send(service);
    expect(answer.step).toBe("face");
    expect(service.received().equals(bytes)).toBe(true);
    expect(reports).toContain(true);
  });

  it("gives up a service that takes no piece, and a refusal at once", async () => {
    const stuck = receiver((path) => (path.endsWith("/pieces") ? "call" : "nothing"));
    await expect(send(stuck, bytes.subarray(0, 9))).rejects.toMatchObject({ code: "page_offline" });
    const refused = receiver(() => "nothing");
    const call: Call = async (path, body) => {
      if (path === "/uploads") throw new PageError("capture_expired", 409);
      return refused.call(path, body);
    };
    await expect(send({ ...refused, call })).rejects.toMatchObject({ code: "capture_expired" });
    expect(refused.calls).toEqual([]);
  });

  it("reports the captures before it while it waits for its judgement, and nothing after", async () => {
    const service = receiver(() => "nothing");
    const shown = [
      { offset: 9, ahead: 3 },
      "lost",
      { offset: 9, ahead: 1 },
      { offset: 9 },
      { offset: 9, ahead: 0 },
    ];
    const { promise: isTurn, resolve: endTurn } = Promise.withResolvers<void>();
    const places: (number | undefined)[] = [];
    const call: Call = async (path, body) => {
      if (path.endsWith("/finish")) await isTurn;
      if (body !== undefined) return service.call(path, body);
      const next = shown.shift();
      if (next === "lost") throw new PageError("page_offline", 0);
      if (next === undefined) endTurn();
      return next;
    };
    await upload(
      { step: "face", bytes: bytes.subarray(0, 9), source: "camera" },
      {
        call,
        pause: async () => undefined,
        report: () => undefined,
        reportOffline: () => undefined,
        reportAhead: (ahead) => places.push(ahead),
      },
    );
    expect(places).toEqual([undefined, 3, 1, undefined, undefined]);
  });

  it("writes Base64 of any length", () => {
    for (const length of [0, 1, 2, 3, 100_001]) {
      expect(toBase64(bytes.subarray(0, length))).toBe(
        Buffer.from(bytes.subarray(0, length)).toString("base64"),
      );
    }
  });
});

it("the key of a page signs, and its private half cannot be read", async () => {
  const { publicKey, privateKey } = await makePageKey();
  expect(publicKey).toMatchObject({ kty: "EC", crv: "P-256" });
  expect(privateKey.extractable).toBe(false);
  await expect(crypto.subtle.exportKey("jwk", privateKey)).rejects.toThrow();
});
