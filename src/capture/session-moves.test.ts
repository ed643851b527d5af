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
type World = {
  session: Pick<CaptureSession, "state" | "expiresAt"> & { content: CaptureContent };
  nowMs: number;
  serial: number;
  /** Uploads whose judgement runs in a living process. */
  readonly running: Set<string>;
  readonly answers: Map<string, UploadAnswer>;
  /** Challenge to the only upload that it may prove. */
  readonly proofs: Map<string, string>;
};

const openWorld = (): World => ({
  session: {
    state: "OPEN",
    expiresAt: new Date(10 ** 12),
    content: {
      origin: "https://bank.example",
      languages: ["es"],
      language: "es",
      level: "active",
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
  world: World,
  move: (content: CaptureContent, now: Date) => CaptureContent,
): string | undefined => {
  const now = new Date(world.nowMs);
  try {
    requireOpen(world.session, now);
    world.session = { ...world.session, content: move(world.session.content, now) };
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
};

const nextId = (world: World): string => `id-${world.serial++}`;

const challengeAt = (world: World): CaptureChallenge => ({
  id: nextId(world),
  issuedAt: new Date(world.nowMs).toISOString(),
  expiresAt: new Date(world.nowMs + 120_000).toISOString(),
  finishMs: 20_000,
  steps: [],
});

const challenge = (world: World, holder: Holder) =>
  change(world, (content) => issueChallenge(content, holder, challengeAt(world), policy));

const begin = (world: World, holder: Holder, step: "face" | "document", side?: "front" | "back") => {
  const id = nextId(world);
  const announced = { step, side, bytes: 10, sha256: id, source: "camera" } as const;
  const code = change(
    world,
    (content, now) => beginUpload(content, { holder, id }, announced, { policy, now }).content,
  );
  return { id, code };
};

const send = (world: World, id: string, bytes: number) =>
  change(world, (content) => {
    const upload = getUpload(content, id);
    if (upload.answer !== undefined || upload.offset + bytes > upload.bytes) throw new Failure("not_found");
    return addPiece(content, id, { id: nextId(world), bytes });
  });

const judge = (world: World, holder: Holder, id: string) => {
  const code = change(world, (content, now) => startJudging(content, { holder, id }, { policy, now }));
  if (code === undefined) {
    world.running.add(id);
    const { challenge: used } = world.session.content;
    if (getUpload(world.session.content, id).step === "face" && used !== undefined) {
      expect(world.proofs.get(used.value.id) ?? id).toBe(id);
      world.proofs.set(used.value.id, id);
    }
  }
  return code;
};

/** The process that judges ends its work. */
const settle = (world: World, id: string, result: "pass" | "again" | "fail") => {
  world.running.delete(id);
  let { state } = world.session;
  const refusal = change(world, (content, now) => {
    const upload = getUpload(content, id);
    if (upload.answer !== undefined) throw new Failure("not_found");
    const verdict = { result, guidance: [], image: { id: nextId(world), bytes: 1 } };
    const settled = settleUpload(content, upload, verdict, { policy, now });
    state = settled.state;
    world.answers.set(id, settled.answer);
    return settled.content;
  });
  world.session = { ...world.session, state };
  if (refusal === "capture_step_refused") change(world, (content) => dropUpload(content, id));
};

const expectWhole = ({ session: { state, content }, answers }: World): void => {
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
  expect(challenges).toBeLessThanOrEqual(policy.uploadsMax);
};

type Move = fc.Command<World, object>;

/** A move of a page, of a judging process, or of the world around them. */
const move = (text: string, run: (world: World) => unknown): Move => ({
  check: () => true,
  toString: () => text,
  run: (world) => {
    run(world);
    expectWhole(world);
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
const idsOf = ({ session }: World): readonly string[] => session.content.uploads.map(({ id }) => id);

const consent = (world: World) =>
  change(world, (content) => ({ ...content, consent: { version: "1", language: "es", at: world.nowMs } }));

/** The page that captures sends what is wanted, up to its judgement. Returns the upload, and the first refusal. */
const capture = (world: World): { readonly id: string; readonly code: string | undefined } => {
  const { content } = world.session;
  const holder = content.page?.holder ?? "page";
  const step = content.steps.find(({ state }) => state !== "accepted");
  if (step === undefined) return { id: "none", code: "capture_ended" };
  const refusal = step.name === "face" ? challenge(world, holder) : undefined;
  const { id, code } = begin(world, holder, step.name, wantedSide(content, step));
  return { id, code: refusal ?? code ?? send(world, id, 10) ?? judge(world, holder, id) };
};

/** An honest page goes on: it is the page that captures, or the first to open the session. */
const finish = (world: World): void => {
  world.running.clear();
  world.nowMs += policy.judgingMs;
  const { page } = world.session.content;
  if (page === undefined)
    change(world, (content, now) => openPage(content, "page", { thumbprint: "a" }, now));
  consent(world);
  for (let n = 0; n < 3 && world.session.state === "OPEN"; n++) {
    const { id, code } = capture(world);
    expect(code).toBeUndefined();
    settle(world, id, "pass");
    expectWhole(world);
  }
};

const moves: fc.Arbitrary<Move>[] = [
  fc
    .tuple(holders, thumbprints, fc.boolean())
    .map(([holder, thumbprint, takeOver]) =>
      move(`${holder} ${thumbprint} opens${takeOver ? " in place of another" : ""}`, (world) =>
        change(world, (content, now) => openPage(content, holder, { thumbprint, takeOver }, now)),
      ),
    ),
  fc.constant(move("consent", consent)),
  ...["one", "another", "a third"].map((name) => fc.constant(move(`${name} capture`, capture))),
  fc.constant(
    move("a telephone is offered", (world) =>
      change(world, (content, now) =>
        offerHandoff(content, "123", new Date(now.getTime() + policy.handoffMs)),
      ),
    ),
  ),
  holders.map((holder) =>
    move(`${holder} confirms the telephone`, (world) =>
      change(world, (content, now) => confirmHandoff(content, holder, now)),
    ),
  ),
  holders.map((holder) => move(`${holder} asks for a challenge`, (world) => challenge(world, holder))),
  fc
    .tuple(holders, wanted)
    .map(([holder, [step, side]]) =>
      move(`${holder} begins ${step} ${side ?? ""}`, (world) => begin(world, holder, step, side)),
    ),
  fc
    .tuple(fc.nat(), fc.constantFrom(5, 10))
    .map(([which, bytes]) =>
      move(`${bytes} bytes of ${which}`, (world) => send(world, pick(idsOf(world), which), bytes)),
    ),
  fc
    .tuple(fc.nat(), holders)
    .map(([which, holder]) =>
      move(`${holder} ends ${which}`, (world) => judge(world, holder, pick(idsOf(world), which))),
    ),
  fc
    .tuple(fc.nat(), fc.constantFrom("pass", "again", "fail"))
    .map(([which, result]) =>
      move(`${result} for ${which}`, (world) => settle(world, pick(world.running, which), result)),
    ),
  fc.nat().map((which) =>
    move(`the judgement of ${which} breaks`, (world) => {
      const id = pick(world.running, which);
      world.running.delete(id);
      change(world, (content) => releaseJudging(content, id));
    }),
  ),
  fc.constant(move("the process dies", (world) => world.running.clear())),
  fc.constantFrom(1_000, 61_000, 700_000).map((ms) => move(`${ms} ms pass`, (world) => (world.nowMs += ms))),
];

it("keeps a session whole through any moves, and an honest page completes it from every open state", () => {
  let completed = 0;
  fc.assert(
    fc.property(fc.commands(moves, { maxCommands: 80, size: "max" }), (commands) => {
      const world = openWorld();
      fc.modelRun(() => ({ model: world, real: {} }), commands);
      const { state, content } = world.session;
      const hasRoom = content.begun <= policy.uploadsMax - 3 && content.challenges < policy.uploadsMax;
      if (state !== "OPEN" || !hasRoom) return;
      finish(world);
      expect(world.session.state).toBe("COMPLETED");
      completed++;
    }),
    { numRuns: 600 },
  );
  expect(completed).toBeGreaterThan(200);
});
