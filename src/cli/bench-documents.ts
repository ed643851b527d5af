import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DocumentsReport } from "#document/measure";
import { makeImaging } from "#imaging/imaging";
import { defaultImagingLimits } from "#imaging/limits";
import { readConfig } from "../config.ts";
import { makeMeasuring } from "../measuring.ts";
import { type Command, parseOptions, print, printTable, say, UsageError } from "./command.ts";
import { drawDocuments } from "./drawn-documents.ts";
import {
  type DocumentsList,
  type MeasureDocumentsDeps,
  measureList,
  readDocumentsList,
} from "./measure-documents.ts";
import { percent } from "./percent.ts";
import { openTesseract, phrasesOf, zoneLinesOf } from "./tesseract.ts";

export const benchDocuments: Command = {
  summary: "documents read beside tesseract.js",
  help: `Usage: idem bench documents [--index FILE [--root DIR] | --pictures N] [--json]

Reads the same pictures with Idem and with tesseract.js (whole pictures, English, its own defaults; a development
dependency, nothing is fetched), one after the other: exact machine-readable zones, printed fields, time a picture with
decoding. Of tesseract.js every line that could belong to a zone counts, blanks taken out, and every run of words within a line as a
printed field; what is read is judged by one rule for both. Both read a picture before the clock runs. Keep the machine idle.

  --index FILE   a list as idem measure documents takes it; without it artificial passports are drawn and photographed
  --root DIR     folder that the list's paths are relative to, default: the list's own
  --pictures N   how many are drawn, default 12
  --json         one JSON object on stdout instead of the table`,
  run: async (args) => {
    const { values } = parseOptions(args, {
      index: { type: "string" },
      root: { type: "string" },
      pictures: { type: "string", default: "12" },
      json: { type: "boolean", default: false },
    });
    if (!/^[1-9]\d{0,2}$/.test(values.pictures)) {
      throw new UsageError("--pictures takes a whole number from 1 to 999");
    }
    if (values.index !== undefined) {
      return await compare(await readDocumentsList(values.index, values.root), "listed", values.json);
    }
    const folder = await mkdtemp(join(tmpdir(), "idem-bench-"));
    try {
      say(`Drawing ${values.pictures} passports …`);
      const imaging = makeImaging({ limits: defaultImagingLimits });
      const index = await drawDocuments(imaging, folder, Number(values.pictures));
      return await compare(await readDocumentsList(index), "drawn", values.json);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

type Readers = Pick<MeasureDocumentsDeps, "read" | "readPrinted">;

const compare = async (list: DocumentsList, kind: "drawn" | "listed", isJson: boolean): Promise<number> => {
  const { documents, close } = makeMeasuring(readConfig());
  const peer = await openTesseract();
  const readByPeer: Readers = {
    read: async (bytes) => ({ lines: zoneLinesOf(await peer.readLines(bytes)), accepted: false }),
    readPrinted: async (bytes) => phrasesOf(await peer.readLines(bytes)),
  };
  try {
    const { summarise } = documents;
    const ours = await measureWarm(list, {
      ...documents,
      summarise,
      progress: sayOf("Idem"),
    });
    const theirs = await measureWarm(list, { ...readByPeer, summarise, progress: sayOf("tesseract.js") });
    report(
      kind,
      { name: "Idem", figures: ours },
      { name: `tesseract.js ${peer.version}`, figures: theirs },
      isJson,
    );
    return 0;
  } finally {
    await peer.close();
    await close();
  }
};

const sayOf =
  (name: string) =>
  (line: string): void =>
    say(`${name} ${line}`);

const measureWarm = async (
  list: DocumentsList,
  deps: Omit<MeasureDocumentsDeps, "out">,
): Promise<DocumentsReport> => {
  await measureList(
    { ...list, zones: list.zones.slice(0, 1), fields: list.fields.slice(0, 1) },
    { ...deps, progress: () => undefined },
  );
  return await measureList(list, deps);
};

type Figures = { readonly name: string; readonly figures: DocumentsReport };

const row = ({ name, figures: { mrz, fields, ms } }: Figures): readonly string[] => [
  name,
  `${mrz.exactDocuments} of ${mrz.documents}`,
  `${mrz.exactLines} of ${mrz.lines}`,
  mrz.characterAccuracy === null ? "-" : percent(mrz.characterAccuracy),
  `${fields.exact} of ${fields.n}`,
  ms.median === null ? "-" : ms.median.toFixed(0),
  ms.p95 === null ? "-" : ms.p95.toFixed(0),
];

const report = (kind: "drawn" | "listed", ours: Figures, theirs: Figures, isJson: boolean): void => {
  if (isJson) {
    print(JSON.stringify({ pictures: kind, idem: ours.figures, [theirs.name]: theirs.figures }));
    return;
  }
  const header = [
    "reader",
    "exact zones",
    "exact lines",
    "characters",
    "printed fields",
    "median ms",
    "p95 ms",
  ];
  printTable([header, row(ours), row(theirs)]);
  const { low, high } = ours.figures.mrz.exactDocumentsBounds;
  print(
    `\n${kind} pictures; Idem's exact zones 95 %: ${percent(low)} to ${percent(high)}. Times are those of the zone.`,
  );
};
