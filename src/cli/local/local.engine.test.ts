import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type LocalChecks, openLocalChecks } from "#app/local-checks";
import { readCsv } from "#contract/tabular/csv";
import { readConfig } from "#machine/config/config";
import { hashOf } from "#support/imaging/hash-of";
import { sharedCases } from "#support/sandbox/specimen/shared-cases";
import { CommandError } from "../command.ts";
import type { Check } from "./check.ts";
import { compareCheck } from "./compare.ts";
import { answerList, type ListRun } from "./list/answer-list.ts";
import { livenessCheck } from "./liveness.ts";
import { readImageFile } from "./local-command.ts";
import { writeAnswerPage } from "./page.ts";
import { readCheck } from "./read.ts";
import { verifyCheck } from "./verify.ts";

let folder: string;
let checks: LocalChecks;
let images: Readonly<Record<string, { readonly selfie: Uint8Array; readonly document: Uint8Array }>>;
const config = readConfig({ IDEM_WORKERS: "2", IDEM_DATA: join(tmpdir(), "idem-none-here") });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-local-"));
  const cases = await sharedCases();
  images = Object.fromEntries(cases.map((one) => [one.name, one]));
  for (const { name, selfie, document } of cases) {
    await writeFile(join(folder, `${name}-selfie.jpg`), selfie);
    await writeFile(join(folder, `${name}-document.jpg`), document);
  }
  checks = await openLocalChecks(config);
}, 120_000);
afterAll(async () => {
  await checks.close();
  await rm(folder, { recursive: true });
});

const ask = (check: Check, asked: Readonly<Record<string, Uint8Array>>, values = {}) =>
  check.ask(checks, { images: asked, values });

const imageOf = (name: string) => {
  const found = images[name];
  if (found === undefined) throw new Error(`No case ${name}`);
  return found;
};

const adviceIn = ({ sections }: Awaited<ReturnType<typeof ask>>): string | undefined =>
  sections[0]?.rows.find(([name]) => name === "advice")?.[1];

describe("verify, without a service", () => {
  it.each([
    ["genuine", "approved", "positive"],
    ["screen", "rejected", "negative"],
    ["expired", "rejected", "negative"],
  ])("answers %s as the demo does over HTTP: %s", async (name, result, verdict) => {
    const { selfie, document } = imageOf(name);
    expect(await ask(verifyCheck, { selfie, document })).toMatchObject({ result, verdict });
  });

  it("is no approval of a face that was sent as the front of another person's passport", async () => {
    const { selfie } = imageOf("other-person");
    const { document: back } = imageOf("genuine");
    const expected = { country: "CHL", type: "PASSPORT" };
    expect(await ask(verifyCheck, { selfie, document: selfie, back }, expected)).toMatchObject({
      cells: { code: "9103", reason_code: "608" },
    });
  });

  it("states what shows that the portrait belongs to the document, as text and as JSON", async () => {
    const { selfie, document } = imageOf("genuine");
    const { sections, detail } = await ask(verifyCheck, { selfie, document });
    expect(detail).toMatchObject({ document: { portraitEvidence: "print-consistent" } });
    expect(sections.flatMap(({ rows }) => rows)).toContainEqual([
      "portrait",
      "print-consistent: its print fits the card around it; a good forgery fits too",
    ]);
  });

  it("asks for another document where another one was expected", async () => {
    const { selfie, document } = imageOf("genuine");
    const right = await ask(verifyCheck, { selfie, document }, { country: "CHL", type: "PASSPORT" });
    expect(right).toMatchObject({ verdict: "positive", cells: { code: "9001", read_number: "F12345678" } });
    const answer = await ask(verifyCheck, { selfie, document }, { country: "PER", type: "PASSPORT" });
    expect(answer).toMatchObject({
      verdict: "unjudged",
      result: "retry",
      cells: { code: "9103", reason_code: "602", next_step: "try_again_document" },
    });
    expect([right, answer].map(adviceIn)).toEqual([undefined, undefined]);
  });

  it("advises no other side where a passport was expected to be a card", async () => {
    const { selfie, document } = imageOf("genuine");
    const answer = await ask(verifyCheck, { selfie, document }, { type: "ID_CARD" });
    expect([answer.result, adviceIn(answer)]).toEqual(["retry", undefined]);
  });

  it("creates no data directory", async () => {
    await expect(stat(config.dataDirectory)).rejects.toMatchObject({ code: "ENOENT" });
  });
});

it("compare answers the same person, two persons, and refuses a file that is no image", async () => {
  const [one, other] = [imageOf("genuine").selfie, imageOf("other-person").selfie];
  expect(await ask(compareCheck, { image_a: one, image_b: one })).toMatchObject({
    verdict: "positive",
    result: "Positive",
  });
  expect(await ask(compareCheck, { image_a: one, image_b: other })).toMatchObject({
    verdict: "negative",
    result: "Negative",
  });
  await expect(ask(compareCheck, { image_a: one, image_b: Buffer.from("text") })).rejects.toMatchObject({
    facts: { input: "second" },
  });
});

it("liveness answers a person, a screen, and a file that is no image", async () => {
  const answer = async (image: Uint8Array) => (await ask(livenessCheck, { path: image })).result;
  expect(await answer(imageOf("genuine").selfie)).toBe("Live");
  expect(await answer(imageOf("screen").selfie)).toBe("NoLive");
  expect(await ask(livenessCheck, { path: Buffer.from("text") })).toMatchObject({
    verdict: "unjudged",
    result: "NoneBecauseImageDataError",
  });
});

it("read answers the values of a document, and that a selfie has none", async () => {
  expect(await ask(readCheck, { document: imageOf("genuine").document })).toMatchObject({
    verdict: "positive",
    cells: { number: "F12345678", country: "CHL", lastName: "MUÑOZ PRUEBA" },
  });
  expect(await ask(readCheck, { document: imageOf("genuine").selfie })).toMatchObject({
    verdict: "unjudged",
    result: "unread",
  });
});

it("the page of an answer holds its images and loads nothing", async () => {
  const question = { images: { path: imageOf("genuine").selfie }, values: {} };
  const html = await writeAnswerPage(
    livenessCheck,
    question,
    await livenessCheck.ask(checks, question),
    checks.settings,
  );
  expect(html.split('<img src="data:image/jpeg;base64,')).toHaveLength(2);
  const words = html.replaceAll(/"data:[^"]*"/g, '""');
  expect(words).toContain("default-src 'none'");
  expect(words).not.toMatch(/(?:src|href)="[^"]/);
  expect(words).toContain(checks.settings.facePolicy);
});

describe("a list", () => {
  let asked: number;
  const answered = new Map<string, ReturnType<Check["ask"]>>();
  /**
   * The check itself, with a count of its questions. The lists ask for the same pairs: each is compared once.
   */
  const counted: Check = {
    ...compareCheck,
    ask: (opened, question) => {
      asked++;
      const hashes = Object.entries(question.images).map(([name, bytes]) => [name, hashOf(bytes)]);
      const key = JSON.stringify([hashes, question.values]);
      const answer = answered.get(key) ?? compareCheck.ask(opened, question);
      answered.set(key, answer);
      return answer;
    },
  };
  const pairs = [
    "image_a,image_b,same",
    "genuine-selfie.jpg,genuine-selfie.jpg,1",
    "genuine-selfie.jpg,other-person-selfie.jpg,1",
    "genuine-selfie.jpg,missing.jpg,1",
    "other-person-selfie.jpg,genuine-selfie.jpg,0",
  ];
  const write = async (lines: readonly string[]): Promise<string> => {
    const list = join(folder, "pairs.csv");
    await writeFile(list, `${lines.join("\n")}\n`);
    return list;
  };
  const run = async (
    lines: readonly string[],
    settings = checks.settings,
    ending = new AbortController(),
    change: Partial<Pick<ListRun, "check" | "width">> = {},
  ): Promise<number> => {
    asked = 0;
    return await answerList({
      check: counted,
      list: await write(lines),
      out: join(folder, "answers.csv"),
      root: undefined,
      html: join(folder, "answers.html"),
      open: async () => ({ ...checks, settings }),
      width: 2,
      ending: ending.signal,
      readImage: (path) => readImageFile(path, config.images.bytesMax),
      ...change,
    });
  };
  const answers = async (): Promise<string> => await readFile(join(folder, "answers.csv"), "utf8");

  it("is answered row by row, with the images of each error, and asks on from where it was cut off", async () => {
    expect(await run(pairs)).toBe(3);
    const whole = await answers();
    const csv = readCsv(whole, { separator: ",", isStrict: true });
    expect("rows" in csv && csv.rows.map(({ cells }) => [cells[0], cells[3]])).toEqual([
      ["line", "result"],
      ["2", "Positive"],
      ["3", "Negative"],
      ["4", ""],
      ["5", "Negative"],
    ]);
    expect(whole).toContain("missing.jpg cannot be read (ENOENT)");
    const html = await readFile(join(folder, "answers.html"), "utf8");
    expect(html.includes("<h2>False non-matches</h2>\n<p>50.0 % of 2")).toBe(true);
    expect(html.split("<img ")).toHaveLength(3);

    const lines = whole.split("\n");
    await writeFile(join(folder, "answers.csv"), `${lines.slice(0, 3).join("\n")}\n`);
    await appendFile(join(folder, "answers.csv"), lines[4]!.slice(0, 20));
    await run(pairs);
    expect(asked).toBe(1);
    expect(await answers()).toBe(whole);
  });

  it("whose rows or settings have changed is refused, and its answers are kept", async () => {
    await run(pairs);
    const whole = await answers();
    const changed = pairs.with(1, "other-person-selfie.jpg,genuine-selfie.jpg,1");
    await expect(run(changed)).rejects.toThrow("belongs to another list: its line 2 differs");
    await expect(run(pairs, { ...checks.settings, facePolicy: "other" })).rejects.toThrow(
      "was written with other models, policies or another release",
    );
    await writeFile(join(folder, "answers.csv"), "a,b\n1,2\n");
    await expect(run(pairs)).rejects.toThrow(CommandError);
    expect(whole).not.toBe("");
    await rm(join(folder, "answers.csv"));
  });

  it("that Ctrl-C ends states how many rows are done, and the same command answers the others", async () => {
    const said: string[] = [];
    vi.spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
    const ending = new AbortController();
    ending.abort("SIGINT");
    expect(await run(pairs, checks.settings, ending)).toBe(130);
    vi.restoreAllMocks();
    expect(said).toEqual([
      `Ended: 0 of 4 rows are done, in ${join(folder, "answers.csv")}. The same command goes on with the others.\n`,
    ]);
    expect(asked).toBe(0);
    expect(await run(pairs)).toBe(3);
    expect(asked).toBe(3);
    await rm(join(folder, "answers.csv"));
  });

  /** Runs the list with a signal that comes while the row of this number is asked, one row at a time. */
  const runEndedIn = async (row: number, signal: NodeJS.Signals) => {
    const said: string[] = [];
    vi.spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
    const ending = new AbortController();
    const check: Check = {
      ...counted,
      ask: (...question) => {
        if (asked + 1 === row) ending.abort(signal);
        return counted.ask(...question);
      },
    };
    const code = await run(whole, checks.settings, ending, { check, width: 1 });
    vi.restoreAllMocks();
    return { code, said: said.filter((text) => text.startsWith("Ended")) };
  };
  const whole = [pairs[0]!, pairs[1]!, pairs[4]!, pairs[1]!];
  const linesOf = (text: string): readonly string[] =>
    text.split("\n").map((line) => line.slice(0, line.indexOf(",")));

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)(
    "that %s ends inside a row keeps the answer of that row, and asks no other",
    async (signal, code) => {
      const ended = await runEndedIn(2, signal);
      expect(ended.code).toBe(code);
      expect(ended.said).toEqual([
        `Ended: 2 of 3 rows are done, in ${join(folder, "answers.csv")}. The same command goes on with the others.\n`,
      ]);
      expect(asked).toBe(2);
      expect(linesOf(await answers())).toEqual(["line", "2", "3", ""]);
      expect(await run(whole)).toBe(0);
      expect(asked).toBe(1);
      expect(linesOf(await answers())).toEqual(["line", "2", "3", "4", ""]);
      await rm(join(folder, "answers.csv"));
    },
  );

  it("whose last row is asked when a signal comes is whole: in order, with the usual exit code", async () => {
    const sorted = await run(whole).then(answers);
    // Of this file the first row is open: it is asked last, and is written behind the others.
    const lines = sorted.split("\n");
    await writeFile(join(folder, "answers.csv"), lines.toSpliced(1, 1).join("\n"));
    expect(await runEndedIn(1, "SIGINT")).toEqual({ code: 0, said: [] });
    expect(asked).toBe(1);
    expect(await answers()).toBe(sorted);
    await rm(join(folder, "answers.csv"));
  });

  it("names the file and the reason of each image that cannot be used", async () => {
    await writeFile(join(folder, "text.jpg"), "text");
    const list = join(folder, "bad.csv");
    const problemsOf = async (check: Check, lines: readonly string[]): Promise<readonly string[]> => {
      const out = join(folder, "bad-answers.csv");
      await writeFile(list, `${lines.join("\n")}\n`);
      const code = await answerList({
        check,
        list,
        out,
        root: undefined,
        html: undefined,
        open: async () => checks,
        ending: new AbortController().signal,
        width: 1,
        readImage: (path) => readImageFile(path, config.images.bytesMax),
      });
      const csv = readCsv(await readFile(out, "utf8"), { separator: ",", isStrict: true });
      await rm(out);
      expect(code).toBe(3);
      return "rows" in csv ? csv.rows.slice(1).map(({ cells }) => cells[4] ?? "") : [];
    };
    const text = `${join(folder, "text.jpg")}: The image format is not supported (image_unsupported, supported jpeg,png,webp,avif).`;
    const [selfie, document] = ["genuine-selfie.jpg", "genuine-document.jpg"];
    expect(await problemsOf(compareCheck, ["image_a,image_b", `${selfie},text.jpg`])).toEqual([text]);
    expect(await problemsOf(livenessCheck, ["path", "text.jpg"])).toEqual([text]);
    expect(await problemsOf(readCheck, ["document", "text.jpg"])).toEqual([text]);
    const rows = [`text.jpg,${document}`, `${selfie},text.jpg`, `${selfie},none.jpg`];
    expect(await problemsOf(verifyCheck, ["selfie,document", ...rows])).toEqual([
      text,
      text,
      `${join(folder, "none.jpg")} cannot be read (ENOENT).`,
    ]);
  });

  it("with all answers right ends with 0, with an error 1", async () => {
    expect(await run([pairs[0]!, pairs[1]!, pairs[4]!])).toBe(0);
    await rm(join(folder, "answers.csv"));
    expect(await run([pairs[0]!, pairs[2]!])).toBe(1);
  });

  it("is refused with the line of a wrong truth before an image is opened", async () => {
    await expect(run([pairs[0]!, "a.jpg,b.jpg,maybe"])).rejects.toThrow(/Line 2 of .* has "maybe" as same/);
  });
});
