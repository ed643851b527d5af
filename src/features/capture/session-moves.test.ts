import fc from "fast-check";
import { expect, it } from "vitest";
import type { CaptureChallenge } from "#contract/capture";
import { Failure } from "#contract/failure";
import type { CaptureContent, CaptureSession, Holder, UploadAnswer } from "./capture-session.ts";
import { defaultCapturePolicy as policy } from "./policy.ts";
import { confirmHandoff, offerHandoff, openPage, requireOpen, wantedSide } from "./session-state.ts";
import { issueChallenge } from "./uploads/challenge-state.ts";
import { settleUpload } from "./uploads/settle.ts";
import {
  addPiece,
  beginUpload,
  dropUpload,
  getUpload,
  releaseJudging,
  startJudging,
} from "./uploads/upload-state.ts";

/** A session of face and two document sides, and what an observer beside it has seen. */
type Observed = {
  session: Pick<CaptureSession, "state" | "expiresAt"> & { content: CaptureContent };
  nowMs: number;
  serial: number;
  /** Uploads whose judgement runs in a living process. */
  readonly running: Set<string>;
  readonly answers: Map<string, UploadAnswer>;
  /** Challenge to the only upload that it may prove. */
  readonly proofs: Map<string, string>;
};

const openObserved = (): Observed => ({
  session: {
    state: "OPEN",
    expiresAt: new Date(10 ** 12),
    content: {
      origin: "https://bank.example",
      languages: ["es"],
      language: "es",
      level: "active-turn",
      challenges: 0,
      begun: 0,
      steps: [
        { name: "face", state: "open", refused: 0, sides: [] },
        { name: "document", state: "open", refused: 0, sides: [] },
      ],
      uploads: [],
      tokens: {},
    },
  },
  nowMs: 0,
  serial: 0,
  running: new Set(),
  answers: new Map(),
  proofs: new Map(),
});

/** Makes a change of the open session. A refusal changes nothing, and its code is returned. */
const change = (
  observed: Observed,
  move: (content: CaptureContent, now: Date) => CaptureContent,
): string | undefined => {
  const now = new Date(observed.nowMs);
  try {
    requireOpen(observed.session, now);
    observed.session = { ...observed.session, content: move(observed.session.content, now) };
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
};

const nextId = (observed: Observed): string => `id-${observed.serial++}`;

const challengeAt = (observed: Observed): CaptureChallenge => ({
  id: nextId(observed),
  issuedAt: new Date(observed.nowMs).toISOString(),
  expiresAt: new Date(observed.nowMs + 120_000).toISOString(),
  finishMs: 20_000,
  steps: [],
});

const challenge = (observed: Observed, holder: Holder) =>
  change(observed, (content) => issueChallenge(content, holder, challengeAt(observed), policy));

const begin = (observed: Observed, holder: Holder, step: "face" | "document", side?: "front" | "back") => {
  const id = nextId(observed);
  const announced = { step, side, bytes: 10, sha256: id, source: "camera" } as const;
  const code = change(
    observed,
    (content, now) => beginUpload(content, { holder, id }, announced, { policy, now }).content,
  );
  return { id, code };
};

const send = (observed: Observed, id: string, bytes: number) =>
  change(observed, (content) => {
    const upload = getUpload(content, id);
    if (upload.answer !== undefined || upload.offset + bytes > upload.bytes) throw new Failure("not_found");
    return addPiece(content, id, { id: nextId(observed), bytes });
  });

const judge = (observed: Observed, holder: Holder, id: string) => {
  const code = change(observed, (content, now) => startJudging(content, { holder, id }, { policy, now }));
  if (code === undefined) {
    observed.running.add(id);
    const { challenge: used } = observed.session.content;
    if (getUpload(observed.session.content, id).step === "face" && used !== undefined) {
      expect(observed.proofs.get(used.value.id) ?? id).toBe(id);
      observed.proofs.set(used.value.id, id);
    }
  }
  return code;
};

/** The process that judges ends its work. */
const settle = (observed: Observed, id: string, result: "pass" | "again" | "fail") => {
  observed.running.delete(id);
  let { state } = observed.session;
  const refusal = change(observed, (content, now) => {
    const upload = getUpload(content, id);
    if (upload.answer !== undefined) throw new Failure("not_found");
    const verdict = { result, guidance: [], image: { id: nextId(observed), bytes: 1 } };
    const settled = settleUpload(content, upload, verdict, { policy, now });
    state = settled.state;
    observed.answers.set(id, settled.answer);
    return settled.content;
  });
  observed.session = { ...observed.session, state };
  if (refusal === "capture_step_refused") change(observed, (content) => dropUpload(content, id));
};

const expectWhole = ({ session: { state, content }, answers }: Observed): void => {
  const { steps, uploads, consent, begun, challenges } = content;
  for (const { offset, pieces, answer, id } of uploads) {
    const sum = pieces.reduce((total, { bytes }) => total + bytes, 0);
    if (answer === undefined) expect(offset).toBe(sum);
    else expect(answer).toEqual(answers.get(id));
  }
  // What was answered stays, whatever the page does later.
  for (const id of answers.keys()) expect(uploads.map((one) => one.id)).toContain(id);
  const accepted = steps.map((step) => step.state === "accepted");
  expect(accepted.indexOf(false) === -1 || !accepted.slice(accepted.indexOf(false)).includes(true)).toBe(
    true,
  );
  if (answers.size > 0) expect(consent).toBeDefined();
  const sides = steps.flatMap((step) => step.sides.map(({ side }) => side));
  expect(new Set(sides).size).toBe(sides.length);
  const hasFailed = steps.some(({ refused }) => refused >= policy.triesMax);
  expect(state).toBe(hasFailed ? "FAILED" : accepted.every(Boolean) ? "COMPLETED" : "OPEN");
  expect(begun).toBeLessThanOrEqual(policy.uploadsMax);
  expect(challenges).toBeLessThanOrEqual(policy.challengesMax);
};

type Move = fc.Command<Observed, object>;

/** A move of a page, of a judging process, or of time. */
const move = (text: string, run: (observed: Observed) => unknown): Move => ({
  check: () => true,
  toString: () => text,
  run: (observed) => {
    run(observed);
    expectWhole(observed);
  },
});

const holders = fc.constantFrom<Holder>("page", "page", "page", "handoff");
const thumbprints = fc.constantFrom("a", "b");
const wanted = fc.constantFrom(
  ["face"] as const,
  ["document", "front"] as const,
  ["document", "back"] as const,
);

/** One of the ids, by any number. */
const pick = (ids: Iterable<string>, which: number): string => {
  const all = [...ids];
  return all[which % Math.max(1, all.length)] ?? "none";
};
const idsOf = ({ session }: Observed): readonly string[] => session.content.uploads.map(({ id }) => id);

const consent = (observed: Observed) =>
  change(observed, (content) => ({
    ...content,
    consent: { version: "1", language: "es", at: observed.nowMs },
  }));

/**
 * The page that captures sends what is wanted, up to its judgement. Returns the upload, and the first
 * refusal.
 */
const capture = (observed: Observed): { readonly id: string; readonly code: string | undefined } => {
  const { content } = observed.session;
  const holder = content.page?.holder ?? "page";
  const step = content.steps.find(({ state }) => state !== "accepted");
  if (step === undefined) return { id: "none", code: "capture_ended" };
  const refusal = step.name === "face" ? challenge(observed, holder) : undefined;
  const { id, code } = begin(observed, holder, step.name, wantedSide(content, step));
  return { id, code: refusal ?? code ?? send(observed, id, 10) ?? judge(observed, holder, id) };
};

/** An honest page goes on: it is the page that captures, or the first to open the session. */
const finish = (observed: Observed): void => {
  observed.running.clear();
  observed.nowMs += policy.judgingMs;
  const { page } = observed.session.content;
  if (page === undefined)
    change(observed, (content, now) => openPage(content, "page", { thumbprint: "a" }, now));
  consent(observed);
  for (let n = 0; n < 3 && observed.session.state === "OPEN"; n++) {
    const { id, code } = capture(observed);
    expect(code).toBeUndefined();
    settle(observed, id, "pass");
    expectWhole(observed);
  }
};

const moves: fc.Arbitrary<Move>[] = [
  fc
    .tuple(holders, thumbprints, fc.boolean())
    .map(([holder, thumbprint, takeOver]) =>
      move(`${holder} ${thumbprint} opens${takeOver ? " in place of another" : ""}`, (observed) =>
        change(observed, (content, now) => openPage(content, holder, { thumbprint, takeOver }, now)),
      ),
    ),
  fc.constant(move("consent", consent)),
  ...["one", "another", "a third"].map((name) => fc.constant(move(`${name} capture`, capture))),
  fc.constant(
    move("a telephone is offered", (observed) =>
      change(observed, (content, now) =>
        offerHandoff(content, "123", new Date(now.getTime() + policy.handoffMs)),
      ),
    ),
  ),
  holders.map((holder) =>
    move(`${holder} confirms the telephone`, (observed) =>
      change(observed, (content, now) => confirmHandoff(content, holder, now)),
    ),
  ),
  holders.map((holder) => move(`${holder} asks for a challenge`, (observed) => challenge(observed, holder))),
  fc
    .tuple(holders, wanted)
    .map(([holder, [step, side]]) =>
      move(`${holder} begins ${step} ${side ?? ""}`, (observed) => begin(observed, holder, step, side)),
    ),
  fc
    .tuple(fc.nat(), fc.constantFrom(5, 10))
    .map(([which, bytes]) =>
      move(`${bytes} bytes of ${which}`, (observed) => send(observed, pick(idsOf(observed), which), bytes)),
    ),
  fc
    .tuple(fc.nat(), holders)
    .map(([which, holder]) =>
      move(`${holder} ends ${which}`, (observed) => judge(observed, holder, pick(idsOf(observed), which))),
    ),
  fc
    .tuple(fc.nat(), fc.constantFrom("pass", "again", "fail"))
    .map(([which, result]) =>
      move(`${result} for ${which}`, (observed) => settle(observed, pick(observed.running, which), result)),
    ),
  fc.nat().map((which) =>
    move(`the judgement of ${which} breaks`, (observed) => {
      const id = pick(observed.running, which);
      observed.running.delete(id);
      change(observed, (content) => releaseJudging(content, id));
    }),
  ),
  fc.constant(move("the process dies", (observed) => observed.running.clear())),
  fc
    .constantFrom(1_000, 61_000, 700_000)
    .map((ms) => move(`${ms} ms pass`, (observed) => (observed.nowMs += ms))),
];

it("keeps a session whole through any moves, and an honest page completes it from every open state", () => {
  let completed = 0;
  fc.assert(
    fc.property(fc.commands(moves, { maxCommands: 80, size: "max" }), (commands) => {
      const observed = openObserved();
      fc.modelRun(() => ({ model: observed, real: {} }), commands);
      const { state, content } = observed.session;
      const hasMargin = content.begun <= policy.uploadsMax - 3 && content.challenges < policy.challengesMax;
      if (state !== "OPEN" || !hasMargin) return;
      finish(observed);
      expect(observed.session.state).toBe("COMPLETED");
      completed++;
    }),
    { numRuns: 600 },
  );
  expect(completed).toBeGreaterThan(200);
});

it("refuses the seventh challenge of a session, whatever happened between them, and never six of two a try", () => {
  expect(policy.challengesMax).toBe(2 * policy.triesMax);
  const observed = openObserved();
  change(observed, (content, now) => openPage(content, "page", { thumbprint: "a" }, now));
  consent(observed);
  for (let n = 0; n < policy.triesMax; n++) {
    // A page that is loaded anew, or another one that takes over, asks again within a try.
    change(observed, (content, now) =>
      openPage(content, "page", { thumbprint: `${n}`, takeOver: true }, now),
    );
    expect(challenge(observed, "page")).toBeUndefined();
    const { id, code } = capture(observed);
    expect(code).toBeUndefined();
    if (n < policy.triesMax - 1) settle(observed, id, "again");
    else observed.running.delete(id);
  }
  expect(observed.session.content.challenges).toBe(policy.challengesMax);
  expect(challenge(observed, "page")).toBe("capture_uploads_exhausted");
});
