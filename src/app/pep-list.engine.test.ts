import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { afterEach, describe, expect, it } from "vitest";
import { seededRandom } from "#contract/statistics/random";
import { readPepList } from "#judging/document/decision/watchlists/pep-list";
import { type OpenedPepList, openPepList, startPepThread } from "./pep-list.ts";

const opened: OpenedPepList[] = [];

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const open = async (text: string, worker?: URL, onDeath: (cause: unknown) => void = () => undefined) => {
  const list = await startPepThread(Buffer.from(text), onDeath, worker);
  opened.push(list);
  return list;
};

const parts = ["Muñoz", "Solís", "Quispe", "Ågren", "Pérez", "Rojas", "Díaz", "Silva", "de la Cruz", "Vega"];
const given = ["Ana", "Rosa María", "Juan", "Bo", "Luz", "Franco", "Eva"];

/** A list of persons who share their names, and questions about some of them. */
const generate = (size: number, seed: number) => {
  const random = seededRandom(seed);
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)]!;
  const person = (): [string, string, string | null] => [
    `${pick(parts)} ${pick(parts)}`,
    pick(given),
    random() < 0.3
      ? null
      : `19${50 + Math.floor(random() * 40)}-0${1 + Math.floor(random() * 9)}-1${Math.floor(random() * 9)}`,
  ];
  const people = Array.from({ length: size }, person);
  const file = { format: "idem-pep-1", source: "Register", version: "1", importedAt: "", people };
  const questions = Array.from({ length: 40 }, () => {
    const [lastName, firstName, dateOfBirth] =
      random() < 0.7 ? people[Math.floor(random() * size)]! : person();
    return { lastName: lastName.toUpperCase(), firstName: firstName.toUpperCase(), dateOfBirth };
  });
  return { text: `${JSON.stringify(file)}\n`, questions };
};

describe("the list of exposed persons in its thread", () => {
  it("gives the results of the list itself, on generated lists", async () => {
    for (const seed of [1, 2, 3]) {
      const { text, questions } = generate(500, seed);
      const [own, other] = [readPepList(text), await open(text)];
      expect(other).toMatchObject({
        source: own.source,
        version: own.version,
        sha256: own.sha256,
        size: 500,
      });
      const wanted = questions.map((question) => own.findMatches(question));
      expect(await Promise.all(questions.map((question) => other.findMatches(question)))).toEqual(wanted);
      expect(wanted.some(({ count }) => count > 0)).toBe(true);
    }
  });

  it("leaves the main thread idle while a common name is searched among many", async () => {
    const { text, questions } = generate(6_000, 4);
    const list = await open(text);
    const own = readPepList(text);
    const from = performance.now();
    own.findMatches(questions[0]!);
    const searchMs = performance.now() - from;
    const before = performance.eventLoopUtilization();
    const started = performance.now();
    for (const question of questions.slice(0, 5)) await list.findMatches(question);
    const tookMs = performance.now() - started;
    const { active } = performance.eventLoopUtilization(before);
    // The searches take their time, and almost none of it here.
    expect(tookMs).toBeGreaterThan(searchMs);
    expect(active).toBeLessThan(tookMs / 4);
  });

  it("refuses what is no list, with the reason and without an entry of it", async () => {
    await expect(open("{")).rejects.toThrow("not JSON");
    await expect(open('{"format":"x"}')).rejects.toThrow("idem pep import");
  });

  it("survives the death of its thread: the search is made again in the next one", async () => {
    const { text, questions } = generate(100, 5);
    const deaths: unknown[] = [];
    const list = await open(
      text,
      new URL("../../test/support/app/mortal-watchlist.ts", import.meta.url),
      (cause) => deaths.push(cause),
    );
    const wanted = readPepList(text).findMatches(questions[0]!);
    expect(await list.findMatches(questions[0]!)).toEqual(wanted);
    expect(deaths).toHaveLength(1);
    expect(await list.findMatches(questions[0]!)).toEqual(wanted);
    expect(deaths).toHaveLength(1);
  });

  it("reports the death of its thread for the log", async () => {
    const { text, questions } = generate(100, 5);
    const folder = await mkdtemp(path.join(tmpdir(), "idem-pep-"));
    const pepFile = path.join(folder, "list.json");
    await writeFile(pepFile, text);
    const reports: unknown[][] = [];
    const mortal = new URL("../../test/support/app/mortal-watchlist.ts", import.meta.url);
    const list = await openPepList({ validation: { pepFile } }, (...said) => reports.push(said), mortal);
    await rm(folder, { recursive: true });
    if (list === undefined) throw new Error("A file is configured");
    opened.push(list);
    await list.findMatches(questions[0]!);
    expect(reports).toEqual([["watchlist", expect.stringContaining("died"), expect.anything()]]);
  });

  it("refuses searches beyond its queue", async () => {
    const { text, questions } = generate(1000, 6);
    const list = await open(text);
    const all = await Promise.allSettled(Array.from({ length: 150 }, () => list.findMatches(questions[0]!)));
    const refused = all.filter((one) => one.status === "rejected");
    expect(refused).toHaveLength(49);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: "engine_busy" });
  });
});
