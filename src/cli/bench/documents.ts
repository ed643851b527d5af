import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeMeasuring } from "#app/evaluation";
import { drawDocuments } from "#evaluation/documents/drawn-documents";
import type { DocumentsReport } from "#evaluation/documents/measure-reading";
import { percent } from "#evaluation/report/percent";
import { readConfig } from "#machine/config/config";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { parseOptions, print, printTable, type Run, say, UsageError } from "../command.ts";
import {
  type DocumentsList,
  measureList,
  type ReadDocumentsDeps,
  readDocumentsList,
} from "../kit/measuring/documents-list.ts";
import { makeProgress, type Progress } from "../kit/progress.ts";
import { mrzLinesOf, openTesseract, phrasesOf } from "./tesseract.ts";

export const runBenchDocuments: Run = async (args) => {
  const { values } = parseOptions(args, {
    index: { type: "string" },
    root: { type: "string" },
    images: { type: "string", default: "12" },
    json: { type: "boolean", default: false },
  });
  if (!/^[1-9]\d{0,2}$/.test(values.images)) {
    throw new UsageError("Set --images to a whole number from 1 to 999");
  }
  if (values.index !== undefined) {
    return await compare(await readDocumentsList(values.index, values.root), "listed", values.json);
  }
  const folder = await mkdtemp(join(tmpdir(), "idem-bench-"));
  try {
    say(`Drawing ${values.images} passports …`);
    const imaging = makeImaging({ limits: defaultImagingLimits });
    const index = await drawDocuments(imaging, folder, Number(values.images));
    return await compare(await readDocumentsList(index), "drawn", values.json);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

type Readers = Pick<ReadDocumentsDeps, "read" | "readPrinted">;

const compare = async (list: DocumentsList, kind: "drawn" | "listed", isJson: boolean): Promise<number> => {
  const { documents, close } = makeMeasuring(readConfig());
  const peer = await openTesseract();
  const readByPeer: Readers = {
    read: async (bytes) => ({ lines: mrzLinesOf(await peer.readLines(bytes)), accepted: false }),
    readPrinted: async (bytes) => phrasesOf(await peer.readLines(bytes)),
  };
  try {
    const { summarise } = documents;
    const ours = await measureWarm(list, {
      ...documents,
      summarise,
      progress: makeProgress("Idem"),
    });
    const theirs = await measureWarm(list, {
      ...readByPeer,
      summarise,
      progress: makeProgress("tesseract.js"),
    });
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

const measureWarm = async (
  list: DocumentsList,
  deps: Omit<ReadDocumentsDeps, "out" | "progress"> & { readonly progress: Progress },
): Promise<DocumentsReport> => {
  const silent = { show: () => undefined, note: () => undefined };
  await measureList(
    { ...list, mrzRegions: list.mrzRegions.slice(0, 1), fields: list.fields.slice(0, 1) },
    { ...deps, progress: silent },
  );
  const report = await measureList(list, deps);
  deps.progress.end();
  return report;
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
    "exact MRZs",
    "exact lines",
    "characters",
    "printed fields",
    "median ms",
    "p95 ms",
  ];
  printTable([header, row(ours), row(theirs)]);
  const { low, high } = ours.figures.mrz.exactDocumentsBounds;
  print(
    `\n${kind} images; Idem's exact MRZs 95 %: ${percent(low)} to ${percent(high)}. Times are those of the MRZ.`,
  );
};
